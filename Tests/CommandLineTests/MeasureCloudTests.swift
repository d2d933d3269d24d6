import Foundation
import PlumblineTestSupport
import Testing

/// `measure` of PLY clouds: its own and those of other programs.
@Suite struct MeasureCloudTests {
  private func measurements(_ run: CommandRun) throws -> [[String: Any]] {
    try #require(try run.document()["measurements"] as? [[String: Any]])
  }

  /// The cloud of a capture, in a folder of its own.
  private func cloud(of capture: String, _ arguments: String...) throws -> (TemporaryFolder, String)
  {
    let folder = try TemporaryFolder()
    let path = folder.file("cloud.ply")
    let run = try CommandRun(["cloud", capture, "-o", path, "--quiet"] + arguments)
    #expect(run.status == 0, "\(run.message)")
    return (folder, path)
  }

  /// A cloud as another program writes it: a grid with a spacing of a centimeter.
  private func foreign(_ properties: [String] = ["double y", "float sigma", "double z", "int x"])
    -> [UInt8]
  {
    let header =
      ["ply", "format ascii 1.0", "comment made by something", "element vertex 400"]
      + properties.map { "property \($0)" } + ["end_header"]
    let rows = (0..<400).map { index in
      properties.map { property in
        switch property.last {
        case "x": "\(index % 20 * 10)"
        case "y": "\(index / 20 * 10)"
        case "z": "1000.5"
        default: "2.5"
        }
      }.joined(separator: " ")
    }
    return Array(((header + rows).joined(separator: "\n") + "\n").utf8)
  }

  @Test func twoPointsOfAPhotoAreTheSameInItsCloud() throws {
    let (folder, path) = try cloud(of: SampleCapture.healthy)
    defer { withExtendedLifetime(folder) {} }
    // Surfaces that lean little: on steeper ones the σ of a cloud holds the noise of their tilt.
    let photo = try CommandRun([
      "measure", SampleCapture.healthy, "--point", "depth:100,100", "--distance",
      "depth:100,100:depth:130,130", "--angle", "depth:100,100:depth:130,130:depth:140,60",
      "--json",
    ])
    #expect(photo.status == 0, "\(photo.message)")
    let expected = try measurements(photo)
    let angle = try #require(expected.last?["points"] as? [[String: Any]])
    let places = angle.compactMap { $0["meters"] as? [Double] }.map { place in
      place.map { "\($0)" }.joined(separator: ",")
    }
    #expect(places.count == 3)
    // The first coordinate is below 0, as many are.
    #expect(places[0].hasPrefix("-"))
    let run = try CommandRun([
      "measure", path, "--point", places[0], "--distance", "\(places[0]):\(places[1])", "--angle",
      places.joined(separator: ":"), "--json",
    ])
    #expect(run.status == 0, "\(run.message) \(run.text)")
    let found = try measurements(run)
    #expect(found.count == 5 && expected.count == 5)
    for (found, expected) in zip(found, expected) {
      let (value, other) = (
        try #require(found["value"] as? Double), try #require(expected["value"] as? Double)
      )
      // Single precision of coordinates, of which a length is a tenth.
      #expect(abs(value - other) <= 3e-6 * abs(other))
      #expect(found["unit"] as? String == expected["unit"] as? String)
      let parts = try #require(found["parts"] as? [String: Double])
      let others = try #require(expected["parts"] as? [String: Double])
      for (name, part) in parts {
        let other = try #require(others[name])
        // Shared errors of an angle nearly cancel, which leaves fewer digits.
        #expect(abs(part - other) <= 1e-4 * other + 1e-12, "\(name) \(part) \(other)")
      }
    }
    let place = try #require((found[3]["points"] as? [[String: Any]])?.first)
    #expect(place["photo"] is NSNull && place["depth"] is NSNull)
    #expect((place["named"] as? [Double])?.count == 3)
    #expect(try #require(place["offset"] as? Double) < 1e-6)
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.measure/1")
    #expect(document["verdict"] is NSNull)
    let about = try #require(document["cloud"] as? [String: Any])
    #expect(about["points"] as? Int == 480 * 640 && about["frame"] as? String == "camera")
    #expect(about["unit"] as? String == "m" && about["unitStated"] as? Bool == true)
    #expect((document["basis"] as? String)?.hasPrefix("TrueDepth") == true)
  }

  @Test func aNumberIsPrintedWithItsFrameAndItsPoints() throws {
    let (folder, path) = try cloud(of: SampleCapture.healthy)
    defer { withExtendedLifetime(folder) {} }
    let run = try CommandRun([
      "measure", path, "--distance", "-0.268,-0.427,1.104:-0.173,-0.412,1.114",
    ])
    #expect(run.status == 0, "\(run.message)")
    #expect(run.text.hasPrefix("distance -0.268,-0.427,1.104:-0.173,-0.412,1.114  "))
    for part in [" mm  (sensor ", "  at -0.2680,-0.4270,1.1039:", "(frame: camera; "] {
      #expect(run.text.contains(part), "\(run.text)")
    }
    let far = try CommandRun(["measure", path, "--point", "0,0,50"])
    #expect(far.status == 1)
    #expect(far.text.contains("NOT MEASURED: No point is near 0,0,50: the nearest, "))
    let box = try CommandRun(["measure", path, "--box", "-0.1,-0.1,0.1,0.2x0.2x2"])
    #expect(box.status == 1 && box.text.contains("have no pixels"), "\(box.text)")
  }

  @Test func aCloudIsReadFromStandardInput() throws {
    let folder = try TemporaryFolder()
    try folder.put(foreign(), at: "a.ply")
    let run = try CommandRun(
      ["measure", "-", "--distance", "0,0,1.0005:0.1,0,1.0005", "--depth-unit", "mm", "--json"],
      shell: #""$0" "$@" < "# + "'\(folder.file("a.ply"))'")
    #expect(run.status == 1, "\(run.message)")
    let entry = try #require(try measurements(run).first)
    #expect(abs((entry["value"] as? Double ?? 0) - 0.1) < 1e-12)
  }

  @Test func whatACaptureIsNotTrustedForItsCloudIsNotEither() throws {
    let (folder, path) = try cloud(of: SampleCapture.untrusted)
    defer { withExtendedLifetime(folder) {} }
    let run = try CommandRun([
      "measure", path, "--plane", "-0.1,-0.1,0.1,0.2x0.2x2", "--json",
    ])
    #expect(run.status == 1)
    let entry = try #require(try measurements(run).first)
    #expect((entry["reason"] as? String)?.contains("Do not measure") == true)
  }

  @Test func aRelativeCloudRefusesLengths() throws {
    let source = try TemporaryFolder()
    try source.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let (folder, path) = try cloud(of: source.file("relative.jpg"))
    defer { withExtendedLifetime(folder) {} }
    let run = try CommandRun(["measure", path, "--distance", "0,0,0.4:0.1,0,0.4"])
    #expect(run.status == 1 && run.text.contains("NOT MEASURED: The cloud is that of a relative"))
  }

  @Test func aForeignCloudIsMeasuredAndSaysWhatIsNotKnown() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.ply")
    try folder.put(foreign(), at: "a.ply")
    let assumed = try CommandRun(["measure", path, "--distance", "0,0,1000.5:100,0,1000.5"])
    #expect(assumed.status == 1)
    #expect(assumed.text.contains("distance 0,0,1000.5:100,0,1000.5  100.000 ± unknown m"))
    #expect(assumed.text.contains("meters are assumed"))
    #expect(assumed.text.contains("sensor 4"), "\(assumed.text)")
    let stated = try CommandRun([
      "measure", path, "--depth-unit", "mm", "--plane", "-1,-1,0,2x2x2", "--json",
    ])
    let plane = try measurements(stated)
    #expect(abs((plane.first?["value"] as? Double ?? 0) - 1.0005) < 1e-9)
    let reason = try #require(plane.first?["reason"] as? String)
    #expect(!reason.contains("assumed") && reason.contains("does not state what all"))
    try folder.put(foreign(["float x", "float y", "float z"]), at: "bare.ply")
    let bare = try CommandRun([
      "measure", folder.file("bare.ply"), "--metric", "--point", "0,0,1000.5",
    ])
    #expect(bare.status == 1 && bare.text.contains("No point has a ±"), "\(bare.text)")
  }

  @Test func joinedFramesSayThatTheirPosesAreNotInTheSigma() throws {
    let source = try RecordedFiles.archive(SampleCaptures.frames(4))
    let (folder, path) = try cloud(of: source.file("a.r3d"), "--all")
    defer { withExtendedLifetime(folder) {} }
    let run = try CommandRun(["measure", path, "--plane", "-50,-50,-50,100x100x100", "--json"])
    #expect(run.status == 1)
    let entry = try #require(try measurements(run).first)
    #expect((entry["reason"] as? String)?.contains("error of the poses") == true)
    #expect(entry["value"] is Double)
  }

  @Test(arguments: [
    (["--point", "1,2"], "write X,Y,Z in meters"),
    (["--plane", "1,1,50x50"], "write X,Y,Z in meters"),
    (["--point", "1,2:3,4,5"], "1 pixel"), (["--distance", "1,2:3,4,5"], "write all places alike"),
    (["--point", "1,2,3", "--plane", "1,1,50x50"], "write all places alike"),
    (["--height", "1,2:0,0,1,1x1x1"], "write all places alike"),
    (["--point", "0,0,nan"], "X,Y,Z in meters"), (["--plane", "0,0,1,1x1"], "X,Y,Z,WxHxD"),
    (["--plane", "0,0,1,1x1x0"], "X,Y,Z,WxHxD"),
    (["--point", "0,0,1", "--repeat"], "it has no frames"),
    (["--point", "0,0,1", "-o", "where.png"], "it has no image"),
    (["--point", "0,0,1", "--frame", "3"], "this is a file"),
    (["--point", "0,0,1", "--known-distance", "1,1=1"], "--known-distance is not for a cloud"),
    (["--point", "0,0,1", "--calibration", "c.json"], "--calibration is not for a cloud"),
  ])
  func whatDoesNotFitACloudIsAMatterOfUsage(arguments: [String], words: String) throws {
    let folder = try TemporaryFolder()
    try folder.put(foreign(), at: "a.ply")
    let run = try CommandRun(["measure", folder.file("a.ply")] + arguments)
    #expect(run.status == 64, "\(arguments): \(run.message)")
    #expect(run.output.isEmpty && run.message.contains(words), "\(run.message)")
  }

  @Test func aPointOfACloudIsNoPixelOfAPhoto() throws {
    let run = try CommandRun(["measure", SampleCapture.healthy, "--point", "0.1,0.2,1"])
    #expect(run.status == 64 && run.message.contains("this is a capture"), "\(run.message)")
  }

  @Test func aDamagedCloudIsRefused() throws {
    let folder = try TemporaryFolder()
    let whole = foreign()
    for (length, status) in [(whole.count / 2, 65), (60, 65)] {
      try folder.put(Array(whole[..<length]), at: "a.ply")
      let run = try CommandRun(["measure", folder.file("a.ply"), "--point", "0,0,1"])
      #expect(run.status == Int32(status), "\(length): \(run.message)")
    }
    let stated = try CommandRun([
      "measure", try put(folder, comment: "unit meter"), "--point", "0,0,1", "--depth-unit", "mm",
    ])
    #expect(stated.status == 65 && stated.message.contains("does not name its unit"))
  }

  private func put(_ folder: TemporaryFolder, comment: String) throws -> String {
    let text = String(decoding: foreign(), as: UTF8.self)
      .replacing("comment made by something", with: "comment \(comment)")
    try folder.put(Array(text.utf8), at: "stated.ply")
    return folder.file("stated.ply")
  }
}
