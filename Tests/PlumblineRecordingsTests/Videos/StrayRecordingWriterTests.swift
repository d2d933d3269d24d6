import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("Writing Stray Scanner recordings")
struct StrayRecordingWriterTests {
  private func write(
    _ captures: [Capture], motion: [MotionSample] = [], axes: WorldAxes = .yUp,
    to output: MemoryOutput = MemoryOutput(), program: ProgramFile? = nil
  ) throws -> MemoryFolder {
    var writer = StrayRecordingWriter(
      output: output, header: RecordingHeader(worldAxes: axes, origin: "test"), program: program)
    for (index, capture) in captures.enumerated() {
      try writer.append(capture, name: "frame \(index)")
    }
    if !motion.isEmpty { try writer.append(motion: motion) }
    try writer.finish()
    return output.folder
  }

  private func colorless(_ captures: [Capture]) -> [Capture] {
    captures.map { capture in
      var copy = capture
      copy.color = nil
      return copy
    }
  }

  @Test(
    "What was written is read: exactly but for color, which the video codes",
    .enabled(if: SampleVideos.has(encoder: "libx264"), "\(SampleVideos.absence)"))
  func roundTrip() throws {
    // More than one group of 30, at times that no rate explains.
    var captures = SampleCaptures.frames(34)
    for index in captures.indices {
      captures[index].timestampSeconds = 5_000 + Double(index) / 30 + Double(index % 3) / 700
    }
    let motion = SampleCaptures.motion(frames: 34)
    let folder = try write(captures, motion: motion)
    let recording = try Recording(folder: folder)
    #expect(recording.layout == "Stray Scanner" && recording.findings.isEmpty)
    #expect(recording.frames.map(\.timestampSeconds) == captures.map(\.timestampSeconds))
    for index in [0, 1, 29, 30, 33, 12] {
      let (wanted, read) = (captures[index], try recording.capture(at: index))
      guard case .depth(let map)? = wanted.depth?.values,
        case .depth(let other)? = read.depth?.values
      else {
        Issue.record("no depth")
        return
      }
      #expect(map.meters.map { $0.isNaN ? -1 : $0 } == other.meters.map { $0.isNaN ? -1 : $0 })
      #expect(read.depth?.confidence?.levels == wanted.depth?.confidence?.levels)
      #expect(read.depth?.calibration?.intrinsics == wanted.depth?.calibration?.intrinsics)
      let (a, b) = try (#require(wanted.worldFromCamera), #require(read.worldFromCamera))
      #expect(a.translation == b.translation)
      // A matrix and its quaternion are one rotation but for the rounding of doubles.
      for (x, y) in [(a.rotation.x, b.rotation.x), (a.rotation.y, b.rotation.y)] {
        #expect((x - y).indices.allSatisfy { abs((x - y)[$0]) < 1e-15 })
      }
      let (color, decoded) = try (#require(wanted.color), #require(read.color))
      let differences = zip(color.samples, decoded.samples).map {
        max(
          abs(Int($0.red) - Int($1.red)), abs(Int($0.green) - Int($1.green)),
          abs(Int($0.blue) - Int($1.blue)))
      }
      // Levels of 255: chroma has half the size and the coding its own step.
      #expect((differences.max() ?? 255) <= 12 && differences.reduce(0, +) <= 3 * differences.count)
    }
    let video = try MP4Video(MemoryBytes(try #require(folder.files["rgb.mp4"])))
    for index in captures.indices {
      let wanted = (captures[index].timestampSeconds ?? 0) - 5_000
      // Half a microsecond is the rounding of the file.
      #expect(abs(video.seconds(of: index) - wanted) <= 0.51e-6)
    }
    let samples = try recording.motion().samples
    #expect(samples.map(\.timestampSeconds) == motion.map(\.timestampSeconds))
    #expect(samples.map(\.rotationRate) == motion.map(\.rotationRate))
    for (a, b) in zip(samples, motion) {
      let difference = (a.specificForce ?? .zero) - (b.specificForce ?? .zero)
      // To g and back rounds twice.
      #expect(difference.indices.allSatisfy { abs(difference[$0]) < 1e-14 })
    }
    #expect(try write(captures, motion: motion).files == folder.files)
  }

  /// What the oracle says of a folder.
  private struct Loaded: Decodable {
    var images: Int
    var means: [[Double]]
    var milliseconds: [Double]
    var videoSize: [Int]
    var matrix: [Double]
    var odometry: [[Double]]
    var depthType: String
    var depth: [Int]
    var confidence: [Int]
    var imuShape: [Int]
  }

  @Test(
    "OpenCV and NumPy load what was written, as the app's own viewer does",
    .enabled(
      if: SampleVideos.has(encoder: "libx264") && PythonPeer.has("cv2", "numpy"),
      "\(SampleVideos.absence), or \(PythonPeer.absence("cv2, numpy"))"))
  func viewer() throws {
    let captures = SampleCaptures.frames(6)
    let files = try write(captures, motion: SampleCaptures.motion(frames: 6)).files
    let folder = try TemporaryFolder()
    for (name, bytes) in files {
      let path = folder.file(name)
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try folder.put(bytes, at: name)
    }
    let answer = try PythonPeer.run("stray_recording.py", folder.path)
    let loaded = try JSONDecoder().decode(Loaded.self, from: Data(answer))
    #expect(loaded.images == 6 && loaded.videoSize == [64, 48])
    for (index, capture) in captures.enumerated() {
      let samples = capture.color?.samples ?? []
      // OpenCV converts with the color matrix of small videos whatever the stream says: a few levels.
      let blue = samples.reduce(0) { $0 + Double($1.blue) } / Double(samples.count)
      #expect(abs(loaded.means[index][2] - blue) < 8)
      #expect(abs(loaded.milliseconds[index] - Double(index) * 1000 / 30) < 0.01)
      let pose = try #require(capture.worldFromCamera).translation
      #expect(Array(loaded.odometry[index][2..<5]) == [pose.x, pose.y, pose.z])
      #expect(loaded.odometry[index][0] == capture.timestampSeconds)
    }
    let intrinsics = try #require(captures[5].depth?.calibration?.intrinsics)
    let (f, c) = (intrinsics.focalLength, intrinsics.principalPoint)
    #expect(loaded.matrix == [f.x, 0, c.x, 0, f.y, c.y, 0, 0, 1])
    guard case .depth(let map)? = captures[1].depth?.values else { return }
    #expect(loaded.depthType == "uint16")
    #expect(
      loaded.depth == map.meters.samples.map { $0.isNaN ? 0 : Int(($0 * 1000).rounded()) })
    #expect(loaded.confidence == captures[1].depth?.confidence?.levels.samples.map { Int($0) })
    #expect(loaded.imuShape == [20, 7])
  }

  @Test("Numbers that do not change are written in the layout that every loader knows")
  func sharedCamera() throws {
    var captures = colorless(SampleCaptures.frames(3))
    let shared = captures[0].depth?.calibration
    for index in captures.indices { captures[index].depth?.calibration = shared }
    let folder = try write(captures)
    let lines = String(decoding: folder.files["odometry.csv"] ?? [], as: UTF8.self)
      .split(separator: "\n")
    #expect(lines[0] == "timestamp, frame, x, y, z, qx, qy, qz, qw" && lines.count == 4)
    let recording = try Recording(folder: folder)
    let intrinsics = try #require(captures[0].depth?.calibration?.intrinsics)
    let read = try recording.capture(at: 2).depth?.calibration?.intrinsics
    #expect(read == intrinsics.scaled(to: RasterSize(width: 1920, height: 1440)))
  }

  @Test("A world with z up becomes the app's")
  func axes() throws {
    var capture = colorless(SampleCaptures.frames(1))[0]
    capture.worldFromCamera = RigidTransform(rotation: .identity, translation: [1, 2, 3])
    let recording = try Recording(folder: try write([capture], axes: .zUp))
    let read = try #require(try recording.capture(at: 0).worldFromCamera)
    #expect(read * [0, 0, 0] == [1, 3, -2] && read * [0, 0, 1] == [1, 4, -2])
  }

  @Test("Refuses what the format cannot hold, and goes on")
  func refusals() throws {
    let output = MemoryOutput()
    var writer = StrayRecordingWriter(output: output, header: RecordingHeader(origin: "test"))
    var untimed = colorless(SampleCaptures.frames(1))[0]
    untimed.timestampSeconds = nil
    #expect(throws: RecordingWritingError.self) { try writer.append(untimed, name: "a") }
    var ray = colorless(SampleCaptures.frames(1))[0]
    ray.depth?.values = .range(
      RangeMap(meters: Raster(size: SampleCaptures.depthSize, repeating: 1)))
    #expect(throws: RecordingWritingError.self) { try writer.append(ray, name: "b") }
    var odd = SampleCaptures.frames(1)[0]
    odd.color = Raster(
      size: RasterSize(width: 5, height: 4), repeating: RGB8(red: 0, green: 0, blue: 0))
    #expect(throws: RecordingWritingError.self) { try writer.append(odd, name: "c") }
    #expect(throws: RecordingWritingError.self) { try writer.finish() }
    try writer.append(colorless(SampleCaptures.frames(1))[0], name: "d")
    try writer.finish()
    #expect(try Recording(folder: output.folder).frames.count == 1)
  }

  @Test("Without ffmpeg color is refused with its name and the way out; a full disk is an error")
  func failures() throws {
    let missing = ProgramFile(name: "ffmpeg", path: "/nonexistent/ffmpeg")
    do {
      _ = try write(SampleCaptures.frames(1), program: missing)
      Issue.record("was written")
    } catch {
      #expect("\(error)".contains("cannot write rgb.mp4: ffmpeg ended with status 127"))
    }
    #expect(try write(colorless(SampleCaptures.frames(1)), program: missing).files.count == 4)
    #expect(throws: RecordingWritingError.self) {
      try write(colorless(SampleCaptures.frames(3)), to: MemoryOutput(capacity: 500))
    }
  }
}
