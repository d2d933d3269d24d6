import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFormats

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
    "What was written is read: exactly but for color, which the film codes",
    .enabled(if: SampleFilms.has(encoder: "libx264"), "\(SampleFilms.absence)"))
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
      guard case .depth(let map)? = wanted.depth?.values, case .depth(let other)? = read.depth?.values
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
    let film = try MP4Film(MemoryBytes(try #require(folder.files["rgb.mp4"])))
    for index in captures.indices {
      let wanted = (captures[index].timestampSeconds ?? 0) - 5_000
      // Half a microsecond is the rounding of the file.
      #expect(abs(film.seconds(of: index) - wanted) <= 0.51e-6)
    }
    let samples = try recording.motionSamples()
    #expect(samples.map(\.timestampSeconds) == motion.map(\.timestampSeconds))
    #expect(samples.map(\.rotationRate) == motion.map(\.rotationRate))
    for (a, b) in zip(samples, motion) {
      let difference = (a.specificForce ?? .zero) - (b.specificForce ?? .zero)
      // To g and back rounds twice.
      #expect(difference.indices.allSatisfy { abs(difference[$0]) < 1e-14 })
    }
    #expect(try write(captures, motion: motion).files == folder.files)
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
