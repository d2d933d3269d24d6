import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("Recordings in MCAP that are cut, odd or damaged")
struct MCAPRecordingFaultTests {
  @Test("A recording that was cut gives every frame that was reported as stored, with its name")
  func cut() throws {
    let captures = SampleCaptures.frames(5)
    let bytes = try MCAPSamples.file(captures, isFinished: false)
    let recording = try MCAPSamples.recording(bytes)
    #expect(recording.frameNames == captures.indices.map { "frame-\($0)" })
    #expect(recording.frames.map(\.timestampSeconds) == captures.map(\.timestampSeconds))
    #expect(recording.findings.map(\.code) == [.sequenceWithoutIndex])
    for index in captures.indices {
      let read = try recording.capture(at: index, color: .none)
      #expect(CaptureDifference(read, captures[index]).fields == [])
    }
  }

  @Test("Counts a frame as stored when all of its messages are")
  func stored() throws {
    let output = MemoryOutput()
    let file = try output.makeFile("a.mcap")
    var writer = try MCAPRecordingWriter(file: file, header: RecordingHeader(origin: "test"))
    #expect(writer.storedFrameCount == 0)
    for index in 0..<4 {
      try writer.append(SampleCaptures.frame(index), name: "\(index)")
      if index % 2 == 1 { #expect(try writer.flush() == index + 1) }
    }
    #expect(writer.frameCount == 4)
    let bytes = try output.folder.bytes(of: "a.mcap")
    #expect(try MCAPSamples.recording(bytes).frames.count == 4)
  }

  @Test("Frames without a time have none, frames that repeat one or go back keep theirs")
  func times() throws {
    var captures = SampleCaptures.frames(5)
    for (index, time) in [100.5, nil, 100.5, 99, -3].enumerated() {
      captures[index].timestampSeconds = time
    }
    let recording = try MCAPSamples.recording(try MCAPSamples.file(captures))
    #expect(recording.frames.map(\.timestampSeconds) == captures.map(\.timestampSeconds))
    #expect(recording.findings.map(\.code) == [.sequenceTimeUnknown])
    for index in captures.indices {
      let read = try recording.capture(at: index, color: .none)
      #expect(CaptureDifference(read, captures[index]).fields == [], "frame \(index)")
    }
  }

  @Test("Frames without depth, without color, without a camera or a pose stay so")
  func sparse() throws {
    var captures = SampleCaptures.frames(4)
    captures[0].depth = nil
    captures[1].color = nil
    captures[2].depth?.calibration = nil
    captures[3].worldFromCamera = nil
    let recording = try MCAPSamples.recording(try MCAPSamples.file(captures, axes: .unknown))
    #expect(recording.worldAxes == .unknown)
    for index in captures.indices {
      let read = try recording.capture(at: index)
      #expect(CaptureDifference(read, captures[index]).fields == [], "frame \(index)")
      #expect((read.color == nil) == (captures[index].color == nil))
    }
    let empty = #expect(throws: CaptureReadingError.self) {
      try MCAPSamples.recording(try MCAPSamples.file([]))
    }
    #expect(empty?.reason == .missing)
  }

  @Test("Refuses what its own reader would refuse, and goes on with the next frame")
  func unrepresentable() throws {
    let output = MemoryOutput()
    var writer = try MCAPRecordingWriter(
      file: try output.makeFile("a.mcap"), header: RecordingHeader(origin: "test"))
    var capture = SampleCaptures.frame(0)
    capture.depth?.calibration?.intrinsics.focalLength.x = .infinity
    let error = #expect(throws: RecordingWritingError.self) {
      try writer.append(capture, name: "bad")
    }
    #expect(error?.description.contains("bad") == true)
    try writer.append(SampleCaptures.frame(1), name: "good")
    try writer.finish()
    let recording = try MCAPSamples.recording(try output.folder.bytes(of: "a.mcap"))
    #expect(recording.frameNames == ["good"])
    #expect(
      try recording.capture(at: 0).timestampSeconds == SampleCaptures.frame(1).timestampSeconds)
  }

  @Test("A disk that runs full gives an error, and what was stored stays readable")
  func fullDisk() throws {
    let whole = try MCAPSamples.file(SampleCaptures.frames(6)).count
    for share in 2..<9 {
      let output = MemoryOutput(capacity: whole * share / 10)
      var stored = 0
      #expect(throws: RecordingWritingError.self) {
        var writer = try MCAPRecordingWriter(
          file: try output.makeFile("a.mcap"), header: RecordingHeader(origin: "test"))
        for index in 0..<6 {
          try writer.append(SampleCaptures.frame(index), name: "\(index)")
          stored = try writer.flush()
        }
        try writer.finish()
      }
      let bytes = try output.folder.bytes(of: "a.mcap")
      let frames = (try? MCAPSamples.recording(bytes))?.frames.count ?? 0
      #expect(frames >= stored, "\(share): \(frames) of \(stored)")
    }
  }

  @Test("Truncated and damaged files end in frames or typed errors")
  func damage() throws {
    let bytes = try MCAPSamples.file([MCAPSamples.full(1), MCAPSamples.full(3)])
    let limit = ByteDamage.truncations(of: bytes.count, steps: 40)
    let damaged =
      limit.map { Array(bytes.prefix($0)) }
      + (0..<150).map { ByteDamage.flipped(bytes, seed: UInt64($0)) }
    for bytes in damaged {
      guard let recording = try? Recording(source: MemoryBytes(bytes)) else { continue }
      for index in recording.frames.indices { _ = try? recording.capture(at: index) }
      _ = try? recording.motion().samples
    }
  }

  @Test(
    "Texts that steer a terminal come out spelled, and names that leave their folder are numbers")
  func steeringTexts() throws {
    var capture = SampleCaptures.frame(0)
    let evil = "\u{1B}[2Ja"
    capture.source.model = evil
    capture.findings = [Finding(.depthFiltered, .note, evil, evidence: evil)]
    capture.provenance = [ProvenanceStep(name: evil, detail: evil)]
    let output = MemoryOutput()
    var writer = try MCAPRecordingWriter(
      file: try output.makeFile("a.mcap"), header: RecordingHeader(origin: evil))
    for name in ["../a", evil, "..", "same", "Same"] { try writer.append(capture, name: name) }
    try writer.finish()
    let recording = try MCAPSamples.recording(try output.folder.bytes(of: "a.mcap"))
    #expect(recording.frameNames == ["000000", "000001", "000002", "000003", "000004"])
    let read = try recording.capture(at: 0)
    let spelled = "\\u{1b}[2Ja"
    #expect(read.source.model == spelled)
    #expect(read.findings == [Finding(.depthFiltered, .note, spelled, evidence: spelled)])
    #expect(read.provenance == [ProvenanceStep(name: spelled, detail: spelled)])
  }

  @Test("Messages of seeded bytes end in messages or typed errors")
  func hostileMessages() throws {
    var frame = DepthFrameMessage(
      header: ROSHeader(stamp: ROSTime(nanosecondCount: 5), frame: "a"), frameName: "b",
      capture: MCAPSamples.full(1), depthImage: nil)
    let sound = frame.bytes
    frame = try DepthFrameMessage(sound[...], topic: "/t")
    #expect(CaptureDifference(frame.capture, MCAPSamples.full(1)).fields == [])
    for seed in 0..<500 {
      let bytes = ByteDamage.flipped(sound, seed: UInt64(seed), within: 1200)
      _ = try? DepthFrameMessage(bytes[...], topic: "/t")
      _ = try? CameraInfoMessage(bytes[...], topic: "/t")
      _ = try? TransformMessage(bytes[...], topic: "/t")
    }
    for length in ByteDamage.truncations(of: sound.count) {
      #expect(throws: CaptureReadingError.self) {
        try DepthFrameMessage(sound.prefix(length), topic: "/t")
      }
    }
  }
}
