import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `correct`, `compare` and `--calibration`, from the command line to the files.
@Suite(.serialized) struct CorrectCommandTests {
  /// A calibration of the small sample: focal length, its sigma, at the map's own size.
  private static func calibration(focal: Double, sigma: Double?) -> [UInt8] {
    let size = RasterSize(width: 64, height: 48)
    let document = CalibrationDocument(
      calibration: CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [focal, focal], principalPoint: [31.5, 23.5], size: size)),
      mapSize: size,
      uncertainty: sigma.map {
        CalibrationUncertainty(focalLengthPixels: [$0, $0], basis: "20 views")
      }, origin: ExportOrigin(producer: "test"))
    return JSONWriter().bytes(document.json)
  }

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    try folder.put(calibration(focal: 56.5, sigma: 0.1), at: "measured.json")
    return folder
  }

  @Test func calibrationReplacesAndIsSaid() throws {
    let folder = try Self.folder()
    let run = try CommandRun(
      "check", folder.file("small.jpg"), "--calibration", folder.file("measured.json"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let camera = try #require(document["calibration"] as? [String: Any])
    #expect(camera["fx"] as? Double == 56.5)
    let findings = try #require(document["findings"] as? [[String: Any]])
    let replaced = try #require(
      findings.first { $0["code"] as? String == "calibration.replaced" })
    let effect = try #require(replaced["effect"] as? [String: Any])
    // 60 px taken for 56.5: lengths 56.5/60 − 1 = −5.83 %.
    #expect(abs(try #require(effect["lengthPercent"] as? Double) + 5.8333) < 1e-3)
    let uncertainty = try #require(document["uncertainty"] as? [String: Any])
    // 0.177 % of the focal length and 0.6 % of the sensor's own scale.
    #expect(abs(try #require(uncertainty["lengthPercent"] as? Double) - 0.626) < 1e-3)
    let steps = try #require(document["provenance"] as? [[String: Any]])
    #expect(steps.contains { $0["step"] as? String == "calibration-replaced" })
  }

  @Test func correctedFilesUndoThemselves() throws {
    let folder = try Self.folder()
    let run = try CommandRun(
      "correct", folder.file("small.jpg"), "-o", folder.file("out"), "--calibration",
      folder.file("measured.json"), "--unmirror", "--size", "32x24", "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let steps = try #require(document["steps"] as? [[String: Any]])
    #expect(
      steps.map { $0["step"] as? String } == ["calibration-replaced", "mirrored", "scaled"])
    let names = try #require(document["outputs"] as? [String]).map {
      URL(filePath: $0).lastPathComponent
    }
    #expect(
      names == [
        "color.png", "depth.npy", "depth.tiff", "depth.png", "depth-source.npy",
        "calibration.json", "provenance.json",
      ])
    let pixels = try #require(document["pixels"] as? [String: Any])
    #expect(pixels["lost"] as? Int == 64 * 48 - 32 * 24)
    // The map of pixels leads back to the stored depths.
    func floats(_ name: String) throws -> [UInt32] {
      let bytes = try #require(folder.bytes("out/" + name)).dropFirst(128)
      return stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { index in
        (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << (8 * UInt32($1)) }
      }
    }
    let extracted = try CommandRun("extract", folder.file("small.jpg"), "-o", folder.file("plain"))
    #expect(extracted.status == 0)
    let stored = try #require(folder.bytes("plain/depth.npy")).dropFirst(128)
    let sources = try floats("depth-source.npy")
    let wrong = zip(sources, try floats("depth.npy")).filter { source, bits in
      let start = stored.startIndex + 4 * Int(source)
      let original = (0..<4).reduce(UInt32(0)) {
        $0 | UInt32(stored[start + $1]) << (8 * UInt32($1))
      }
      return original != bits
    }
    #expect(sources.count == 32 * 24 && wrong.isEmpty)
    // The calibration that was written can be given again.
    let again = try CommandRun(
      "compare", folder.file("measured.json"), folder.file("out/calibration.json"), "--json")
    let difference = try again.document()
    // Pixels: scaled to half and back.
    #expect(again.status == 0)
    #expect(try #require(difference["largestPixels"] as? Double) < 1e-9)
  }

  /// The paper's pair, arXiv 2201.10865: 525.97, 361.58 and 368.18 px at 640 columns.
  @Test func aPairOfInterfacesGivesTheFocalLength() throws {
    let folder = try TemporaryFolder()
    let recorded = try TemporaryFolder()
    // 70 px at 80 columns are 1764 at 2016: within 1 % of the pair's, on rectified images.
    for (name, bytes) in RecordedFiles.dump([1]).files { try recorded.put(bytes, at: name) }
    let frames = recorded.path
    let pair = "1781.78@2016,1916.17@2880"
    let text = try CommandRun("correct", frames, "--focal-from-pair", pair, "--explain")
    #expect(text.status == 0, "\(text.message)")
    // An eighth of the printed numbers; the ± is 1.1 % of the law, with the expansion's 1.8 % more.
    #expect(text.text.contains("65.75 ± 0.75 px  AVFoundation"))
    #expect(text.text.contains("46.02 ± 0.98 px  ARKit") && text.text.contains("45.20 ± 0.96 px"))
    #expect(text.text.contains("f_av²/f_ar (eq. 5–7)"))
    let document = try CommandRun(
      "correct", frames, "--focal-from-pair", pair, "--json"
    ).document()
    let frame = try #require((document["frames"] as? [[String: Any]])?.first)
    let camera = try #require(frame["calibrationAfter"] as? [String: Any])
    let before = try #require(frame["calibrationBefore"] as? [String: Any])
    let focal = try #require(camera["fx"] as? Double)
    let width = try #require(camera["referenceWidth"] as? Double)
    #expect(abs(focal * 640 / width - 525.97) < 0.005)
    #expect(try #require(before["fx"] as? Double) > focal)
    let steps = try #require(frame["steps"] as? [[String: Any]])
    #expect(steps.map { $0["step"] as? String } == ["focal-replaced"])
    #expect((steps[0]["after"] as? [String: Any])?["lengthPercent"] as? Double ?? 0 > 1)
    // Two calibration files say the same.
    for (name, focal, width, height) in [("av", 1781.78, 2016, 1512), ("ar", 1916.17, 2880, 2160)] {
      let camera = PinholeIntrinsics(
        focalLength: [focal, focal],
        principalPoint: [Double(width - 1) / 2, Double(height - 1) / 2],
        size: RasterSize(width: width, height: height))
      try folder.put(JSONWriter().bytes(Open3DIntrinsicsJSON(camera).json), at: name + ".json")
    }
    let files = folder.file("av.json") + "," + folder.file("ar.json")
    let same = try CommandRun("correct", frames, "--focal-from-pair", files, "--json").document()
    let other = try #require((same["frames"] as? [[String: Any]])?.first)
    #expect((other["calibrationAfter"] as? [String: Any])?["fx"] as? Double == focal)
  }

  @Test func pairsThatDoNotFitAreRefused() throws {
    let folder = try Self.folder()
    let small = folder.file("small.jpg")
    func status(_ pair: String, _ more: String...) throws -> Int32? {
      try CommandRun(["correct", small, "--explain", "--focal-from-pair", pair] + more).status
    }
    // A photo is not behind geometric distortion correction.
    #expect(try status("1781.78@2016,1916.17@2880") == 65)
    #expect(try status("1781.78@2016") == 64)
    #expect(try status("0@2016,1916.17@2880") == 64)
    #expect(try status("nan@2016,1916.17@2880") == 64)
    #expect(try status("1781.78@2016,1916.17@2880", "--focal-from-catalog") == 64)
    let missing = folder.file("none.json")
    let run = try CommandRun(
      "correct", small, "--explain", "--focal-from-pair", "\(missing),1916.17@2880")
    #expect(run.status == 66 && run.message.contains("none.json"))
    let frames = folder.file("frames")
    #expect(try CommandRun("simulate", "wall", "--frames", "1", "-o", frames).status == 0)
    // The pair of another model, or pixels that are not rectified: never a number.
    #expect(
      try CommandRun(
        "correct", frames, "--explain", "--focal-from-pair", "1000@2016,1100@2880"
      ).status == 65)
  }

  @Test func oneUnreadableFrameDoesNotLoseTheOthers() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in RecordedFiles.dump([1, 2, 3]).files {
      try folder.put(bytes, at: name)
    }
    try folder.put([1, 2, 3], at: "depth_2.png")
    let output = try TemporaryFolder()
    let run = try CommandRun("correct", folder.path, "-o", output.file("out.mcap"), "--json")
    #expect(run.status == 65)
    #expect(run.message.contains("frame 2 is left out") && run.message.contains("depth_2.png"))
    let document = try run.document()
    #expect((document["frames"] as? [Any])?.count == 2)
    let unreadable = try #require(document["unreadable"] as? [[String: Any]])
    #expect(unreadable.map { $0["name"] as? String } == ["2"])
    let written = try #require(document["recording"] as? [String: Any])
    #expect(written["frames"] as? Int == 2 && written["format"] as? String == "mcap")
    #expect((written["skipped"] as? [Any])?.count == 1)
    let check = try CommandRun("check", output.file("out.mcap"), "--json").document()
    let names = (check["frames"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(names == ["1", "3"])
    for name in ["depth_1.png", "depth_3.png"] { try folder.put([], at: name) }
    let none = try CommandRun("correct", folder.path, "-o", output.file("none.mcap"))
    #expect(none.status == 65 && none.message.contains("depth_1.png"))
    #expect(try output.names() == ["out.mcap"])
  }

  /// Two recordings of one device under iOS 14 and 15: arXiv 2201.10865, tables 3 and 4.
  @Test func driftBetweenTwoRecordingsIsTold() throws {
    let folder = try TemporaryFolder()
    for (name, focal) in [("ios14", 1781.78), ("ios15", 1780.13)] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
      let own = focal * 80 / 2016
      for (file, bytes) in RecordedFiles.dump([1], isScaled: false).files {
        let text = String(decoding: bytes, as: UTF8.self)
        let isMetadata = file == "DepthMetadata.json"
        try folder.put(
          isMetadata ? Array(text.replacing("70.0", with: "\(own)").utf8) : bytes,
          at: name + "/" + file)
      }
    }
    let run = try CommandRun("compare", folder.file("ios14"), folder.file("ios15"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let focal = try #require(document["focal"] as? [String: Any])
    let difference = try #require(focal["differencePercent"] as? Double)
    #expect(abs(difference + 0.0926) < 0.001)
    // No sigma is stated by either: the drift between sessions, twice.
    let sigma = try #require(focal["plusMinusPercent"] as? Double)
    #expect(abs(sigma - 0.064 * 2.0.squareRoot()) < 1e-6)
    #expect((focal["basis"] as? String)?.contains("0.064 %") == true)
    let lengths = try #require(document["lengthPercent"] as? Double)
    #expect(abs(lengths - 0.0927) < 0.001)
    let known = try #require(document["knownThings"] as? [String: Any])
    #expect(try #require(known["zMillimeters"] as? Double) < 0)
    #expect(try #require(known["plusMinusMillimeters"] as? Double) > 0)
    let depth = try #require(document["depth"] as? [String: Any])
    // One scene: the sensor's depths are the same, whatever the focal length says.
    #expect(depth["medianMillimeters"] as? Double == 0)
    #expect(try #require(depth["agreeingFraction"] as? Double) == 1)
    // Measured cameras state their own ±, and it is theirs that counts.
    try folder.put(Self.calibration(focal: 56.5, sigma: 0.1), at: "a.json")
    try folder.put(Self.calibration(focal: 56.4, sigma: 0.1), at: "b.json")
    let measured = try CommandRun("compare", folder.file("a.json"), folder.file("b.json"), "--json")
    let stated = try #require(try measured.document()["focal"] as? [String: Any])
    let expected = 100 * (pow(0.1 / 56.5, 2) + pow(0.1 / 56.4, 2)).squareRoot()
    #expect(abs(try #require(stated["plusMinusPercent"] as? Double) - expected) < 1e-9)
    #expect(stated["basis"] as? String == "the sigmas that both state")
  }

  @Test func nothingToCorrectIsDoneAndExplained() throws {
    let folder = try Self.folder()
    let run = try CommandRun("correct", folder.file("small.jpg"), "--explain")
    #expect(run.status == 0 && run.text.contains("nothing to correct"))
    let healthy = try CommandRun("correct", SampleCapture.healthy, "--explain")
    #expect(healthy.status == 0, "\(healthy.message)")
    #expect(healthy.text.contains("rectified") && healthy.text.contains("undone by"))
  }

  @Test func driftBetweenSystemsIsTold() throws {
    let folder = try TemporaryFolder()
    // arXiv 2201.10865, tables 3 and 4: iOS 14 → 15.
    for (name, focal) in [("14.json", 1781.78), ("15.json", 1780.13)] {
      let size = RasterSize(width: 2016, height: 1512)
      let camera = PinholeIntrinsics(
        focalLength: [focal, focal], principalPoint: [1007.5, 755.5], size: size)
      try folder.put(JSONWriter().bytes(Open3DIntrinsicsJSON(camera).json), at: name)
    }
    let run = try CommandRun("compare", folder.file("14.json"), folder.file("15.json"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let focal = try #require(document["focal"] as? [String: Any])
    #expect(abs(try #require(focal["differencePercent"] as? Double) + 0.0926) < 1e-4)
    #expect(try #require(focal["plusMinusPercent"] as? Double) > 0)
    let text = try CommandRun("compare", folder.file("14.json"), folder.file("15.json")).text
    // Lines are broken for a terminal; the words are what counts.
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("−0.093 ±") && words.contains("mm at 1.00 m"))
  }

  @Test(arguments: [
    ("{}", 65), ("%YAML:1.0\n", 65), ("not a calibration", 65), ("", 65),
    (#"{"width": 640, "height": 640, "intrinsic_matrix": [600,0,0,0,600,0,320,320,1]}"#, 65),
  ])
  func unusableCalibrationsEndWith65(_ text: String, _ code: Int) throws {
    let folder = try Self.folder()
    try folder.put(Array(text.utf8), at: "bad.json")
    let run = try CommandRun(
      "check", folder.file("small.jpg"), "--calibration", folder.file("bad.json"))
    #expect(run.status == Int32(code) && run.text.isEmpty, "\(run.message)")
    #expect(run.message.contains("expected"))
  }

  @Test func wrongUsageAndMissingInputsEndAsPromised() throws {
    let folder = try Self.folder()
    let small = folder.file("small.jpg")
    #expect(try CommandRun("correct", small).status == 64)
    #expect(try CommandRun("correct", small, "--rectify", "matte", "--explain").status == 64)
    #expect(try CommandRun("correct", small, "--size", "0x9", "--explain").status == 64)
    // 200 million pixels, of which each costs some thirty bytes on the way.
    #expect(try CommandRun("correct", small, "--size", "16384x12288", "--explain").status == 64)
    #expect(try CommandRun("correct", small, "--focal-from-catalog", "--explain").status == 65)
    #expect(try CommandRun("correct", small, "--rectify", "depth", "--explain").status == 65)
    #expect(try CommandRun("correct", small, "--size", "30x30", "--explain").status == 65)
    #expect(try CommandRun("compare", small, folder.file("none.jpg")).status == 66)
    #expect(try CommandRun("check", small, "--calibration", folder.file("none")).status == 66)
    let output = folder.file("out")
    #expect(try CommandRun("correct", small, "-o", output).status == 0)
    #expect(try CommandRun("correct", small, "-o", output).status == 73)
    #expect(try CommandRun("correct", small, "-o", output, "--force").status == 0)
  }
}
