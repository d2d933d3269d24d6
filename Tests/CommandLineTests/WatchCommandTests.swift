import Foundation
import Plumbline
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
import PlumblineTestSupport
import Testing

@Suite("plumbline watch")
struct WatchCommandTests {
  /// The documents of a run, one a line.
  static func documents(_ run: CommandRun) throws -> [[String: Any]] {
    try run.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("A photo is near or clear by its meters, with their ±")
  func photo() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "a.jpg")
    // Disparities reach 1.5 + 173/255 · 3 = 3.535 1/m, and the nearest half of the image
    // begins at 1/3.535 = 0.283 m.
    for (near, state, signals) in [("0.5", "near", 1), ("0.2", "clear", 0)] {
      let run = try CommandRun("watch", folder.file("a.jpg"), "--near", near, "--json")
      #expect(run.status == 0, "\(run.message)")
      let documents = try Self.documents(run)
      #expect(documents.allSatisfy { $0["schema"] as? String == "plumbline.watch/1" })
      #expect(documents.map { $0["event"] as? String } == ["change", "end"])
      #expect(documents.map { $0["state"] as? String } == [state, state])
      #expect(documents.filter { $0["signal"] as? Bool == true }.count == signals)
      let nearest = try #require(documents[0]["nearestMeters"] as? Double)
      #expect((0.283...0.5).contains(nearest))
      let sigma = try #require(documents[0]["sigmaMeters"] as? Double)
      #expect(sigma > 0)
    }
  }

  @Test("A recording of one frame is answered like a photo; fewer frames than must agree are said")
  func oneFrame() throws {
    let folder = try TemporaryFolder()
    for count in [1, 2] {
      let run = try CommandRun(
        RecordCommandTests.quick + ["--frames", "\(count)", "-o", folder.file("\(count).mcap")])
      try #require(run.status == 0, "\(run.message)")
    }
    let one = try CommandRun("watch", folder.file("1.mcap"), "--near", "0.2", "--json")
    #expect(one.status == 0, "\(one.message)")
    #expect(try Self.documents(one).map { $0["event"] as? String } == ["change", "end"])
    let few = try CommandRun("watch", folder.file("2.mcap"), "--confirm", "5")
    #expect(few.status == 65)
    #expect(
      few.message.contains("no answer: 2 frames came, and --confirm wants 5"), "\(few.message)")
  }

  /// A recording of two frames of 64×48, at 0.3 m in the upper left as shown and else at 2 m.
  private static func recording(shown orientation: ImageOrientation) throws -> [UInt8] {
    let size = RasterSize(width: 64, height: 48)
    let upright = orientation.uprightSize(of: size)
    let meters = Raster(size: upright) { x, y -> Float in
      x < upright.width / 2 && y < upright.height / 2 ? 0.3 : 2
    }
    var record = DepthRecord(
      values: .depth(DepthMap(meters: meters.oriented(by: orientation.inverse))),
      storedType: "fdep", accuracy: .absolute)
    record.orientation = orientation
    var capture = Capture(source: CaptureSource(camera: .lidar))
    (capture.depth, capture.colorOrientation) = (record, orientation)
    let output = MemoryOutput()
    var writer = try MCAPRecordingWriter(
      file: try output.makeFile("a.mcap"), header: RecordingHeader(origin: "test"))
    for seconds in [1.0, 1.1] {
      capture.timestampSeconds = seconds
      try writer.append(capture, name: "\(seconds)")
    }
    try writer.finish()
    return try output.folder.bytes(of: "a.mcap")
  }

  @Test(
    "--region counts in the image as shown, of a turned and of a mirrored recording",
    arguments: [
      (.up, [0, 0, 32, 24], [0, 0, 32, 24]),
      // Turned clockwise by a quarter, the stored (x, y) is shown at (47 − y, x).
      (.right, [0, 0, 24, 32], [0, 24, 32, 24]),
      (.upMirrored, [0, 0, 32, 24], [32, 0, 32, 24]),
    ] as [(ImageOrientation, [Int], [Int])])
  func region(orientation: ImageOrientation, photo: [Int], depth: [Int]) throws {
    let folder = try TemporaryFolder()
    try folder.put(Self.recording(shown: orientation), at: "a.mcap")
    let corner = ["watch", folder.file("a.mcap"), "--region", "0,0,50,50"]
    let run = try CommandRun(corner + ["--json"])
    #expect(run.status == 0, "\(run.message)")
    let documents = try Self.documents(run)
    #expect(documents.map { $0["state"] as? String } == ["near", "near"])
    for document in documents {
      let region = try #require(document["region"] as? [String: Any])
      #expect(region["photo"] as? [Int] == photo && region["depth"] as? [Int] == depth)
    }
    func text(_ numbers: [Int]) -> String {
      "\(numbers[0]),\(numbers[1]),\(numbers[2])x\(numbers[3])"
    }
    let words = try CommandRun(corner).text
    #expect(words.contains("region \(text(photo)) (depth:\(text(depth)))"), "\(words)")
    for other in ["50,0,50,50", "0,50,50,50", "50,50,50,50"] {
      let clear = try CommandRun("watch", folder.file("a.mcap"), "--region", other, "--json")
      #expect(try Self.documents(clear).last?["state"] as? String == "clear", "\(other)")
    }
    let whole = try CommandRun("watch", folder.file("a.mcap"), "--json")
    #expect(try Self.documents(whole).allSatisfy { $0["region"] is NSNull })
  }

  @Test("Depths without a unit and images without depth are refused, and say why")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    try folder.put(SampleCapture.colorOnly(), at: "color.jpg")
    let relative = try CommandRun("watch", folder.file("relative.jpg"))
    #expect(relative.status == 1 && relative.output.isEmpty)
    #expect(relative.message.contains("takes depths in meters; these are relative"))
    let color = try CommandRun("watch", folder.file("color.jpg"))
    #expect(color.status == 65 && color.message.contains("expected a depth map"))
    #expect(try CommandRun("watch", folder.file("absent.jpg")).status == 66)
    for arguments in [
      ["--near", "0"], ["--near", "nan"], ["--hysteresis", "-1"], ["--interval", "-1"],
      ["--confirm", "0"], ["--region", "50,0,60,10"], ["--region", "1,2,3"], ["--frames", "0"],
      ["--source", "simulated"], ["--fps", "30"],
    ] {
      let run = try CommandRun(["watch", folder.file("relative.jpg")] + arguments)
      #expect(run.status == 64, "\(arguments): \(run.message)")
    }
  }

  private static let canEstimate = RealModels.folder != nil && RealModels.openVINO != nil

  private func estimated(
    _ model: String, _ arguments: String...
  ) throws -> CommandRun {
    let file = RealModels.folder?.appending(path: model).path ?? ""
    return try CommandRun(
      ["watch", "--network", file] + arguments,
      environment: ["PLUMBLINE_OPENVINO": RealModels.openVINO ?? ""])
  }

  @Test(
    "An estimate is told as one, with the ± that was published",
    .enabled(if: canEstimate, "\(RealModels.absence); \(RealModels.runtimeAbsence)"))
  func estimate() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.colorOnly(), at: "color.jpg")
    let metric = "fastdepth_nyu_224_f32.onnx"
    let run = try estimated(metric, folder.file("color.jpg"), "--near", "50", "--json")
    #expect(run.status == 0, "\(run.message)")
    let documents = try Self.documents(run)
    #expect(documents.map { $0["event"] as? String } == ["change", "end"])
    #expect(documents[0]["state"] as? String == "near")
    #expect(documents[0]["sigmaMeters"] as? Double == 0.604)
    #expect(documents[0]["sigmaSource"] as? String == "published")
    let origin = try #require(documents[0]["estimate"] as? [String: Any])
    #expect(origin["model"] as? String == "fastdepth-nyu" && origin["fittedTo"] is NSNull)
    let text = try estimated(metric, folder.file("color.jpg"), "--near", "50").text
    #expect(text.contains("near  about ") && text.contains("an estimate of fastdepth-nyu"))
    #expect(text.contains("fitted to nothing, ± as published"))
    let live = try estimated(
      metric, "--source", "simulated", "--size", "80x60", "--fps", "4", "--frames", "2",
      "--near", "50", "--json")
    #expect(live.status == 0, "\(live.message)")
    #expect(try Self.documents(live).last?["frames"] as? Int == 2)
    // Numbers without a scale are no distance, and it is said what makes them one.
    let relative = try estimated("tcmonodepth_small_192x320.onnx", folder.file("color.jpg"))
    #expect(relative.status == 1 && relative.output.isEmpty)
    #expect(relative.message.contains("--known-distance"), "\(relative.message)")
  }

  @Test("Without a model the message says what installs it; a card is for a file")
  func absentModel() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.colorOnly(), at: "color.jpg")
    let run = try CommandRun(
      ["watch", folder.file("color.jpg"), "--network", "fastdepth-nyu"],
      environment: ["PLUMBLINE_MODELS": folder.file("none"), "PLUMBLINE_OPENVINO": ""])
    #expect(run.status == 66 && run.message.contains("plumbline models"))
    #expect(try CommandRun("watch", folder.file("color.jpg"), "--card", "a.json").status == 64)
  }

  @Test("A simulated camera and its recording give the same word")
  func live() throws {
    let folder = try TemporaryFolder()
    let camera = ["--source", "simulated", "--scene", "wall", "--size", "64x48", "--fps", "30"]
    let live = try CommandRun(["watch"] + camera + ["--frames", "12", "--near", "50", "--json"])
    #expect(live.status == 0, "\(live.message)")
    let file = folder.file("a.mcap")
    _ = try CommandRun(
      ["record"] + camera + ["--frames", "12", "--pace", "fast", "-o", file, "--quiet"])
    let recorded = try CommandRun("watch", file, "--near", "50", "--json")
    #expect(recorded.status == 0, "\(recorded.message)")
    let first = try Self.documents(live)
    let second = try Self.documents(recorded)
    #expect(first.count == second.count && second.last?["frames"] as? Int == 12)
    #expect(first[0]["nearestMeters"] as? Double == second[0]["nearestMeters"] as? Double)
    #expect(first[0]["state"] as? String == "near")
    // The corner that sees least of the wall has less to show than the whole.
    let corner = try CommandRun("watch", file, "--near", "0.01", "--region", "0,0,5,5")
    #expect(corner.status == 0 && corner.text.contains("clear"))
  }
}
