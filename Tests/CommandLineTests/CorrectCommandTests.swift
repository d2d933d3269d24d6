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
    #expect(abs(try #require(uncertainty["lengthPercent"] as? Double) - 0.177) < 1e-3)
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
