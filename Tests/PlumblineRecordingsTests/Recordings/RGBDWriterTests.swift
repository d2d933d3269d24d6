import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
import PlumblineTestSupport
import Testing

/// What the writers of RGB-D folders write, their own readers and Open3D read.
struct RGBDWriterTests {
  static let header = RecordingHeader(worldAxes: .yUp, origin: "a test\n# file: freiburg1")

  static func written(
    _ kind: String, _ captures: [Capture], to output: any RecordingOutput
  ) throws {
    var writer: any RecordingWriter =
      switch kind {
      case "TUM": TUMRecordingWriter(output: output, header: header)
      case "Open3D": Open3DRecordingWriter(output: output, header: header)
      default: RGBDJSONRecordingWriter(output: output, header: header)
      }
    for (index, capture) in captures.enumerated() {
      try writer.append(capture, name: "frame \(index)")
    }
    try writer.append(motion: SampleCaptures.motion(frames: captures.count))
    try writer.finish()
  }

  static func depth(_ capture: Capture) throws -> DepthMap {
    guard case .depth(let map)? = capture.depth?.values else {
      throw CocoaError(.featureUnsupported)
    }
    return map
  }

  static func isSame(_ a: Raster<Float>, _ b: Raster<Float>) -> Bool {
    a.size == b.size && zip(a.samples, b.samples).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
  }

  @Test(arguments: ["TUM", "Open3D", "JSON"])
  func ownReaderGivesTheSame(kind: String) throws {
    let captures = SampleCaptures.frames(12)
    let output = MemoryOutput()
    try Self.written(kind, captures, to: output)
    let recording = try Recording(folder: output.folder)
    #expect(recording.findings.map(\.code) == (kind == "Open3D" ? [.sequenceTimeUnknown] : []))
    #expect(recording.frames.count == 12)
    for (index, capture) in captures.enumerated() {
      let read = try recording.capture(at: index)
      // Whole millimeters are exact in all three.
      #expect(Self.isSame(try Self.depth(read).meters, try Self.depth(capture).meters))
      let camera = try #require(read.depth?.calibration)
      let size = SampleCaptures.depthSize
      let written = try #require(capture.depth?.calibration)
      switch kind {
      case "JSON": #expect(camera.intrinsics == written.intrinsics)
      default:
        #expect(
          camera.intrinsics == captures[0].depth?.calibration?.intrinsics.scaled(to: size))
      }
      let time = try #require(capture.timestampSeconds)
      switch kind {
      case "TUM": #expect(read.timestampSeconds == time)
      case "JSON":
        // Names hold whole milliseconds.
        #expect(abs((read.timestampSeconds ?? 0) - time) <= 0.0005 + 1e-9)
        #expect(recording.frames[index].timestampSeconds == read.timestampSeconds)
      default: #expect(read.timestampSeconds == nil)
      }
      if kind != "JSON" {
        let pose = try #require(read.worldFromCamera)
        let truth = try #require(capture.worldFromCamera)
        #expect(pose.translation == truth.translation)
        // A trip through a quaternion costs a few units of the last place.
        for axis in [pose.rotation.x - truth.rotation.x, pose.rotation.z - truth.rotation.z] {
          #expect((axis * axis).sum().squareRoot() < 1e-15)
        }
      }
      #expect(read.color != nil)
      if kind == "TUM" {
        #expect(read.color == capture.color?.reduced(toMaximumSide: size.width))
      }
    }
  }

  /// ARKit's LiDAR maps have 256 pixels to 1920 of the image, and Record3D's 256 to 960.
  @Test("Color of any ratio is brought to the map's pixels", arguments: ["TUM", "Open3D"])
  func colorOfOddRatios(kind: String) throws {
    var capture = SampleCaptures.frame(0)
    let size = RasterSize(width: 120, height: 90)
    let color = Raster<RGB8>(size: size) { x, y in
      RGB8(red: UInt8(2 * x), green: UInt8(2 * y), blue: 90)
    }
    capture.color = color
    let output = MemoryOutput()
    try Self.written(kind, [capture], to: output)
    let read = try Recording(folder: output.folder).capture(at: 0)
    let reduced = color.averaged(to: SampleCaptures.depthSize)
    #expect(read.color?.size == reduced.size)
    if kind == "TUM" { #expect(read.color == reduced) }

    capture.color = color.averaged(to: RasterSize(width: 16, height: 12))
    #expect(throws: RecordingWritingError.self) {
      try Self.written(kind, [capture], to: MemoryOutput())
    }
  }

  @Test func jsonKeepsEveryBitAndTheLens() throws {
    var generator = SeededGenerator(seed: 4)
    var capture = SampleCaptures.frame(0)
    let size = RasterSize(width: 64, height: 48)
    let meters = Raster(size: size) { _, _ in
      Float.random(in: 0.02...10, using: &generator)
    }
    capture.depth?.values = .depth(DepthMap(meters: meters))
    let table = RadialMagnification.table(
      (0..<42).map { _ in Float.random(in: -0.1...0.1, using: &generator) })
    capture.depth?.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [2881.15576171875, 2881.1], principalPoint: [1544.25, 1158.125],
        size: RasterSize(width: 3088, height: 2316)),
      pixelSizeMillimeters: 0.001,
      distortion: LensDistortion(
        center: [1540.5, 1160.25], size: RasterSize(width: 3088, height: 2316),
        pixelSizeMillimeters: 0.001, distorting: table, undistorting: table))
    let output = MemoryOutput()
    try Self.written("JSON", [capture], to: output)
    let read = try Recording(folder: output.folder).capture(at: 0)
    #expect(Self.isSame(try Self.depth(read).meters, meters))
    #expect(read.depth?.calibration == capture.depth?.calibration)
  }

  @Test(arguments: [
    ("TUM", Float(13.2), "13.107"), ("Open3D", 66, "65.535"), ("JSON", 10.1, "10 m"),
  ])
  func refusesWhatItCannotSay(kind: String, meters: Float, word: String) throws {
    var capture = SampleCaptures.frame(0)
    var map = try Self.depth(capture)
    map.meters[5, 5] = meters
    capture.depth?.values = .depth(map)
    let output = MemoryOutput()
    do {
      try Self.written(kind, [capture], to: output)
      Issue.record("written")
    } catch let error as RecordingWritingError {
      guard case .unrepresentable = error else {
        Issue.record("\(error)")
        return
      }
      #expect("\(error)".contains(word) && "\(error)".contains("1 pixels"), "\(error)")
    }
    #expect(output.folder.fileNames.isEmpty)
    // Asked for, it becomes a hole that is counted, and the next frame goes on.
    var writer = TUMRecordingWriter(output: output, header: Self.header)
    writer.outOfRangeDepth = .missing
    map.meters[5, 5] = 66
    capture.depth?.values = .depth(map)
    try writer.append(capture, name: "0")
    #expect(writer.lostPixelCount == 1)
    try writer.finish()
    #expect(try Self.depth(Recording(folder: output.folder).capture(at: 0)).meters[5, 5].isNaN)
  }

  @Test("Color of 3.75 times the map's pixels is averaged, another shape is refused")
  func colorOfEverySize() throws {
    var capture = SampleCaptures.frame(0)
    let color = Raster(size: RasterSize(width: 120, height: 90)) { x, y in
      RGB8(red: UInt8(x), green: UInt8(y), blue: 7)
    }
    (capture.color, capture.colorSize) = (color, color.size)
    let output = MemoryOutput()
    try Self.written("TUM", [capture], to: output)
    let read = try Recording(folder: output.folder).capture(at: 0)
    #expect(read.color == color.averaged(to: SampleCaptures.depthSize))
    let narrow = Raster(size: RasterSize(width: 120, height: 80)) { _, _ in
      RGB8(red: 1, green: 2, blue: 3)
    }
    (capture.color, capture.colorSize) = (narrow, narrow.size)
    #expect(throws: RecordingWritingError.self) {
      try Self.written("TUM", [capture], to: MemoryOutput())
    }
  }

  @Test(arguments: ["TUM", "Open3D", "JSON"])
  func refusesFramesWithoutMeters(kind: String) throws {
    var capture = SampleCaptures.frame(0)
    capture.depth = nil
    #expect(throws: RecordingWritingError.self) {
      try Self.written(kind, [capture], to: MemoryOutput())
    }
    capture = SampleCaptures.frame(0)
    capture.depth?.accuracy = .relative
    #expect(throws: RecordingWritingError.self) {
      try Self.written(kind, [capture], to: MemoryOutput())
    }
    #expect(throws: RecordingWritingError.self) {
      try Self.written(kind, [], to: MemoryOutput())
    }
  }

  @Test(arguments: ["TUM", "Open3D", "JSON"])
  func aFullDiskIsSaid(kind: String) throws {
    let whole = MemoryOutput()
    try Self.written(kind, SampleCaptures.frames(3), to: whole)
    let size = whole.folder.files.values.reduce(0) { $0 + $1.count }
    for capacity in [0, 1, size / 3, size / 2, size - 1] {
      do {
        try Self.written(kind, SampleCaptures.frames(3), to: MemoryOutput(capacity: capacity))
        Issue.record("written to \(capacity) bytes")
      } catch let error as RecordingWritingError {
        guard case .output = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }

  @Test(
    "Open3D reads the same",
    .enabled(if: PythonPeer.has("open3d"), Comment(rawValue: PythonPeer.absence("open3d"))))
  func open3DReadsTheSame() throws {
    struct Answer: Decodable {
      var tumDepth, depth: [Double]
      var matrix: [Double]
      var poses: [[Double]]
      var sizes: [Int]
    }
    let captures = SampleCaptures.frames(3)
    let folder = try TemporaryFolder()
    for kind in ["TUM", "Open3D"] {
      let output = MemoryOutput()
      try Self.written(kind, captures, to: output)
      for (name, bytes) in output.folder.files {
        let url = URL(filePath: folder.path).appending(path: "\(kind)/\(name)")
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
      }
    }
    let answer = try JSONDecoder().decode(
      Answer.self, from: Data(try PythonPeer.run("open3d_folder.py", folder.path)))
    let map = try Self.depth(captures[2])
    for (values, name) in [(answer.tumDepth, "TUM"), (answer.depth, "Open3D")] {
      #expect(values.count == map.meters.samples.count)
      for (value, meters) in zip(values, map.meters.samples) {
        // Open3D divides in single precision; 0 is its hole.
        #expect(abs(value - Double(meters.isNaN ? 0 : meters)) < 1e-6, "\(name)")
      }
    }
    let camera = try #require(captures[0].depth?.calibration?.intrinsics).scaled(
      to: SampleCaptures.depthSize)
    #expect(
      answer.matrix == [
        camera.focalLength.x, 0, camera.principalPoint.x, 0, camera.focalLength.y,
        camera.principalPoint.y, 0, 0, 1,
      ])
    #expect(answer.sizes == [32, 24])
    #expect(answer.poses.count == 3)
    for (pose, capture) in zip(answer.poses, captures) {
      let rows = try #require(capture.worldFromCamera).rowMajor
      // Open3D gives the extrinsic matrix, the inverse; the script turns it back.
      for (a, b) in zip(pose, rows) { #expect(abs(a - b) < 1e-12) }
    }
  }
}
