import PlumblineCapture
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing
@testable import PlumblineStreams

@Suite("Recording")
struct RecorderTests {
  static func recording(_ count: Int) -> Recording {
    let frames = SampleCaptures.frames(count)
    let motion = SampleCaptures.motion(frames: count)
    return Recording(
      layout: "memory",
      frames: frames.enumerated().map {
        RecordedFrame(name: "\($0)", timestampSeconds: $1.timestampSeconds)
      },
      motion: { () throws(CaptureReadingError) in RecordedMotion(samples: motion) }
    ) { index, _ throws(CaptureReadingError) in frames[index] }
  }

  static func run(
    _ source: any DepthCameraSource, _ writer: MemoryWriter,
    limits: RecordingLimits = RecordingLimits(), stop: RecordingStop = RecordingStop(),
    progress: (RecordingStatistics) -> Void = { _ in }
  ) async -> RecordingOutcome {
    var recorder = CaptureRecorder(writer: writer)
    return await recorder.record(source, limits: limits, stop: stop, progress: progress)
  }

  static func fast(_ count: Int) -> ReplaySource {
    ReplaySource(recording(count), pace: .asFastAsPossible)
  }

  @Test("All frames and samples arrive, flushed each second of their own clock")
  func complete() async {
    let log = MemoryWriter.Log()
    let outcome = await Self.run(Self.fast(100), MemoryWriter(log))
    guard case .sourceEnded = outcome.ending else {
      Issue.record("\(outcome.ending)")
      return
    }
    let statistics = outcome.statistics
    #expect(log.times == SampleCaptures.frames(100).map(\.timestampSeconds))
    #expect(log.names == (0..<100).map(String.init))
    #expect(log.motion == SampleCaptures.motion(frames: 100).count)
    #expect(log.flushes == [31, 61, 91] && log.isFinished)
    #expect(statistics.writtenFrames == 100 && statistics.storedFrames == 100)
    #expect(statistics.droppedFrames == 0)
    // Times are 100 + i/30 in double precision: rates are exact to 1e-10.
    #expect(abs((statistics.meanFramesPerSecond ?? 0) - 30) < 1e-9)
    #expect(abs((statistics.framesPerSecond ?? 0) - 30) < 1e-9)
    #expect(abs(statistics.seconds - 3.3) < 1e-9)
  }

  @Test("Only a flush that promises makes frames count as stored")
  func promise() async {
    for isDurable in [true, false] {
      let log = MemoryWriter.Log()
      var stored: [Int] = []
      _ = await Self.run(Self.fast(70), MemoryWriter(log, isDurable: isDurable)) {
        stored.append($0.storedFrames)
        #expect($0.storedFrames <= $0.writtenFrames)
      }
      #expect(Set(stored) == (isDurable ? [0, 31, 61, 70] : [0, 70]))
    }
  }

  @Test("Limits of frames and seconds end a recording well")
  func limits() async {
    for limits in [RecordingLimits(frames: 31), RecordingLimits(seconds: 1)] {
      let log = MemoryWriter.Log()
      let outcome = await Self.run(Self.fast(100), MemoryWriter(log), limits: limits)
      guard case .limit = outcome.ending else {
        Issue.record("\(outcome.ending)")
        continue
      }
      #expect(log.times.count == 31 && log.isFinished)
    }
  }

  @Test("A stop from elsewhere ends a recording well, even while nothing comes")
  func stop() async {
    struct Silence: DepthCameraSource {
      func events() -> DepthCameraEvents { DepthCameraEvents { _ in {} } }
    }
    let early = RecordingStop()
    early.request()
    let log = MemoryWriter.Log()
    let outcome = await Self.run(Silence(), MemoryWriter(log), stop: early)
    guard case .stopped = outcome.ending else {
      Issue.record("\(outcome.ending)")
      return
    }
    // Without a frame nothing could read the file.
    #expect(!log.isFinished)
    let late = RecordingStop()
    let second = MemoryWriter.Log()
    let other = await Self.run(Self.fast(100), MemoryWriter(second), stop: late) {
      if $0.writtenFrames == 10 { late.request() }
    }
    guard case .stopped = other.ending else {
      Issue.record("\(other.ending)")
      return
    }
    #expect(second.times.count == 10 && second.isFinished)
  }

  @Test("A full disk ends the recording, keeps what was stored, and finishes the file")
  func full() async {
    let log = MemoryWriter.Log()
    let outcome = await Self.run(Self.fast(100), MemoryWriter(log, fullAfter: 40))
    guard case .writingFailed(let error) = outcome.ending, case .output = error else {
      Issue.record("\(outcome.ending)")
      return
    }
    #expect(log.times.count == 40 && log.isFinished)
    #expect(outcome.statistics.writtenFrames == 40)
  }

  @Test("A frame that the format cannot hold is counted, and the others are written")
  func refusal() async {
    let log = MemoryWriter.Log()
    let outcome = await Self.run(Self.fast(20), MemoryWriter(log, refused: [3, 7]))
    #expect(log.times.count == 18 && outcome.statistics.refusedFrames == 2)
    #expect(outcome.firstRefusal?.description.contains("memory") == true)
  }

  @Test("A clock that goes backwards costs those frames alone")
  func backwards() throws {
    let log = MemoryWriter.Log()
    var recorder = CaptureRecorder(writer: MemoryWriter(log))
    for seconds in [1, 2, 1.5, .nan, 3] { try recorder.take(EventQueueTests.capture(seconds)) }
    #expect(log.times == [1, 2, 3])
    #expect(recorder.statistics.drops == [.discontinuity: 2])
  }

  @Test("Losses, warmth and changes of the rate are in the statistics")
  func counting() throws {
    let log = MemoryWriter.Log()
    var recorder = CaptureRecorder(writer: MemoryWriter(log))
    let change = DepthRateChange(
      framesPerSecond: 15, fullFramesPerSecond: 30, reading: ThermalReading(.serious))
    let events: [DepthCameraEvent] = [
      .dropped(DroppedFrame(timestampSeconds: 1, reason: .lateData, count: 3)),
      .dropped(DroppedFrame(timestampSeconds: 2, reason: .noDepth)),
      .thermal(ThermalReading(.serious)), .thermal(ThermalReading(.fair)), .depthRate(change),
      .motionLost(sampleCount: 5),
    ]
    for event in events { try recorder.take(event) }
    let statistics = recorder.statistics
    #expect(statistics.drops == [.lateData: 3, .noDepth: 1] && statistics.droppedFrames == 4)
    #expect(statistics.thermal == .fair && statistics.warmest == .serious)
    #expect(statistics.depthRate == change && statistics.lostMotionSamples == 5)
  }
}
