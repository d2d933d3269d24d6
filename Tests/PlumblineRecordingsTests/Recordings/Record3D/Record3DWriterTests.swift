import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("Record3D: writing and reading back")
struct Record3DWriterTests {
  @Test("Returns what was written: depth, confidence, camera, pose and time of each frame")
  func roundTrip() throws {
    let bytes = try Record3DSamples.archive(Record3DSamples.frames)
    #expect(try bytes == Record3DSamples.archive(Record3DSamples.frames))
    let recording = try #require(try Recording(source: MemoryBytes(bytes)))
    #expect(recording.layout == "Record3D" && recording.findings.isEmpty)
    #expect(recording.frameNames == (0..<12).map(String.init))
    for (index, truth) in Record3DSamples.frames.enumerated() {
      let capture = try recording.capture(at: index)
      #expect(capture.findings.isEmpty)
      let meters = try Record3DSamples.depth(capture)
      #expect(
        meters.samples.map(\.bitPattern)
          == (try Record3DSamples.depth(truth)).samples.map(\.bitPattern))
      #expect(capture.depth?.confidence?.levels == truth.depth?.confidence?.levels)
      #expect(capture.depth?.accuracy == .absolute && capture.depth?.storedType == "fdep")
      #expect(capture.depth?.calibration?.intrinsics == truth.depth?.calibration?.intrinsics)
      #expect(capture.timestampSeconds == truth.timestampSeconds)
      #expect(recording.frames[index].timestampSeconds == truth.timestampSeconds)
      let pose = try #require(capture.worldFromCamera)
      let expected = try #require(truth.worldFromCamera)
      #expect(pose.translation == expected.translation)
      // Matrix to quaternion and back: a few roundings of numbers up to 1.
      for (a, b) in [
        (pose.rotation.x, expected.rotation.x), (pose.rotation.y, expected.rotation.y),
        (pose.rotation.z, expected.rotation.z),
      ] { #expect((0..<3).allSatisfy { abs(a[$0] - b[$0]) < 1e-14 }) }
      let color = try #require(capture.color)
      // JPEG of quality 95 on a smooth gradient, in code values.
      #expect(abs(Int(color[20, 30].red) - 60) <= 6 && abs(Int(color[20, 30].green) - 120) <= 6)
    }
    #expect(try recording.capture(at: 3, color: .none).color == nil)
    #expect(try recording.capture(at: 3, color: .none).colorSize == SampleCaptures.colorSize)
  }

  @Test("Turns a pose to its seven numbers and back, whichever of the four is largest")
  func poses() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let q = (0..<7).map { _ in Double(random.next() % 2_000) / 1_000 - 1 }
      let norm = q[0..<4].reduce(0) { $0 + $1 * $1 }.squareRoot()
      if norm < 0.1 { continue }
      let numbers = q[0..<4].map { $0 / norm } + q[4...]
      let pose = try #require(Record3DPose.worldFromCamera(numbers))
      #expect(pose.rotation.orthogonalityError < 1e-14)
      let back = Record3DPose.numbers(pose)
      // A quaternion and its negative are one turn.
      let sign = zip(back[0..<4], numbers[0..<4]).reduce(0) { $0 + $1.0 * $1.1 } < 0 ? -1.0 : 1
      for index in 0..<7 {
        #expect(abs(back[index] * (index < 4 ? sign : 1) - numbers[index]) < 1e-13)
      }
    }
    // The camera of the identity looks along −z of the world, its image's y down.
    let identity = try #require(Record3DPose.worldFromCamera([0, 0, 0, 1, 0, 0, 0]))
    #expect(identity * [0, 0, 2] == [0, 0, -2] && identity * [0, 1, 0] == [0, -1, 0])
  }

  @Test(
    "Is read by its users' loader as by its own reader",
    .enabled(
      if: PythonPeer.has("liblzfse", "numpy", "PIL"), "\(PythonPeer.absence("pyliblzfse"))"))
  func peer() throws {
    let folder = try TemporaryFolder()
    let bytes = try Record3DSamples.archive(Record3DSamples.frames)
    try folder.put(bytes, at: "a.r3d")
    let output = try PythonPeer.run("record3d_values.py", folder.file("a.r3d"))
    let json = try RecordedJSON(parsing: output[...], limits: ReadingLimits())
    #expect(json["size"]?.numbers == [64, 48, 32, 24])
    #expect(json["focal"]?.numbers == [50, 50] && json["center"]?.numbers == [31.25, 24.5])
    #expect(json["fps"]?.number == 30 && json["initPose"]?.numbers == [0, 0, 0, 1, 0, 0, 0])
    #expect(json["icon"]?.numbers == [64, 48])
    let values = try #require(json["frames"]?.elements)
    let recording = try #require(try Recording(source: MemoryBytes(bytes)))
    #expect(values.count == Record3DSamples.frames.count)
    for (index, value) in values.enumerated() {
      let capture = try recording.capture(at: index)
      let camera = try #require(capture.depth?.calibration?.intrinsics)
      #expect(
        value["camera"]?.numbers == [
          camera.focalLength.x, camera.focalLength.y, camera.principalPoint.x,
          camera.principalPoint.y,
        ])
      #expect(value["seconds"]?.number == capture.timestampSeconds)
      let meters = try Record3DSamples.depth(capture)
      let sum = meters.samples.reduce(0.0) { $1.isNaN ? $0 : $0 + Double($1) }
      let sums = try #require(value["depth"]?.numbers)
      #expect(sums[0] == Double(meters[7, 5]) && abs(sums[1] - sum) < 1e-9)
      #expect(value["missing"]?.integer == meters.samples.count { $0.isNaN })
      let levels = try #require(capture.depth?.confidence?.levels)
      #expect(
        value["levels"]?.numbers == [
          Double(levels[7, 5]), levels.samples.reduce(0.0) { $0 + Double($1) },
        ])
      let color = try #require(capture.color)
      #expect(abs(Int(value["red"]?.integer ?? -99) - Int(color[20, 30].red)) <= 2)
      // Rows of a matrix whose camera looks along −z with y up: its second and third columns are ours negated.
      let rotation = try #require(value["rotation"]?.numbers)
      let pose = try #require(capture.worldFromCamera)
      for row in 0..<3 {
        #expect(abs(rotation[3 * row] - pose.rotation.x[row]) < 1e-14)
        #expect(abs(rotation[3 * row + 1] + pose.rotation.y[row]) < 1e-14)
        #expect(abs(rotation[3 * row + 2] + pose.rotation.z[row]) < 1e-14)
      }
    }
  }

  @Test("Refuses what the format cannot hold, and says when the disk is full")
  func unrepresentable() throws {
    let output = MemoryOutput()
    var writer = Record3DRecordingWriter(
      file: try output.makeFile("a"), header: RecordingHeader(origin: "a test"))
    #expect(throws: RecordingWritingError.self) { try writer.finish() }
    var bad = Record3DSamples.frames[0]
    bad.depth = nil
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "0") }
    bad = Record3DSamples.frames[0]
    bad.depth?.calibration = nil
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "0") }
    bad = Record3DSamples.frames[0]
    bad.depth?.accuracy = .relative
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "0") }
    try writer.append(Record3DSamples.frames[0], name: "0")
    bad = Record3DSamples.frames[1]
    bad.depth?.values = .depth(
      DepthMap(meters: Raster(size: RasterSize(width: 4, height: 3), repeating: 1)))
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "1") }
    try writer.append(Record3DSamples.frames[1], name: "1")
    try writer.finish()
    let recording = try #require(
      try Recording(source: MemoryBytes(output.folder.bytes(of: "a"))))
    #expect(recording.frames.count == 2)

    let full = MemoryOutput(capacity: 3_000)
    var failing = Record3DRecordingWriter(
      file: try full.makeFile("a"), header: RecordingHeader(origin: "a test"))
    #expect(throws: RecordingWritingError.self) {
      for capture in Record3DSamples.frames { try failing.append(capture, name: "x") }
    }
    // What was stored whole before is still there.
    let left = try ZIPArchive(MemoryBytes(full.folder.bytes(of: "a")))
    #expect(left.findings.map(\.code) == [.fileCutOff])
  }
}
