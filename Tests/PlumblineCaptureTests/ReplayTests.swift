import PlumblineCapture
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@Suite("Playing recordings again")
struct ReplayTests {
  static func recording(times: [Double?], damaged: Set<Int> = []) -> Recording {
    Recording(
      layout: "memory",
      frames: times.enumerated().map { RecordedFrame(name: "\($0)", timestampSeconds: $1) }
    ) { index, _ throws(CaptureReadingError) in
      if damaged.contains(index) {
        throw CaptureReadingError(.malformed, expected: "a frame", found: "damage")
      }
      var capture = Capture(source: CaptureSource())
      capture.timestampSeconds = times[index]
      return capture
    }
  }

  /// Captures as `c`, losses as their reason, motion as its count.
  static func texts(_ source: some DepthCameraSource) async throws -> [String] {
    var texts: [String] = []
    for try await event in source.events() {
      switch event {
      case .capture: texts.append("c")
      case .dropped(let lost): texts.append("\(lost.reason.rawValue) \(lost.count)")
      case .motion(let samples): texts.append("m\(samples.count)")
      default: texts.append("?")
      }
    }
    return texts
  }

  @Test("Frames are due at their recorded times over the speed", arguments: [1.0, 4])
  func pace(speed: Double) async throws {
    let clock = InstantClock()
    let source = ReplaySource(
      Self.recording(times: [5, 5.5, 7, 6, 6.25, nil]), pace: .live(speed: speed),
      capacity: 10, clock: clock)
    let texts = try await Self.texts(source)
    #expect(texts.count == 6)
    // A clock that goes back does not wait; a frame without a time comes 1/30 s later.
    let dues = [0, 0.5, 2, 2, 2.25, 2.25 + 1.0 / 30]
    for (sleep, due) in zip(clock.sleeps, dues) { #expect(abs(sleep - due / speed) < 1e-9) }
    #expect(clock.sleeps.count == 6)
  }

  @Test("Motion comes before the first frame that is later")
  func motion() async throws {
    let recording = RecorderTests.recording(4)
    let texts = try await Self.texts(ReplaySource(recording, pace: .asFastAsPossible))
    // 30 frames and 100 samples a second from the same moment: 1, then 3 or 4 before each frame.
    #expect(texts.filter { $0 == "c" }.count == 4)
    #expect(texts.first == "m1")
    let samples = texts.compactMap { $0.hasPrefix("m") ? Int($0.dropFirst()) : nil }
    #expect(samples.reduce(0, +) == SampleCaptures.motion(frames: 4).count)
  }

  @Test("A damaged frame is reported, the others come")
  func damage() async throws {
    let recording = Self.recording(times: [0, 1, 2, 3], damaged: [1, 2])
    let source = ReplaySource(recording, pace: .asFastAsPossible)
    var (frames, lost) = (0, 0)
    for try await event in source.events() {
      switch event {
      case .capture: frames += 1
      case .dropped(let some):
        #expect(some.reason == .unreadable)
        lost += some.count
      default: break
      }
    }
    #expect(frames == 2 && lost == 2)
  }

  @Test("Damaged motion costs no frame and is told at the end")
  func damagedMotion() async throws {
    let recording = Recording(
      layout: "memory", frames: [RecordedFrame(name: "0", timestampSeconds: 0)],
      motion: { () throws(CaptureReadingError) in
        throw CaptureReadingError(.malformed, expected: "samples", found: "damage")
      }
    ) { _, _ throws(CaptureReadingError) in Capture(source: CaptureSource()) }
    var frames = 0
    do {
      for try await event in ReplaySource(recording, pace: .asFastAsPossible).events() {
        if case .capture = event { frames += 1 }
      }
      Issue.record("no failure")
    } catch { #expect(error.description.contains("motion")) }
    #expect(frames == 1)
  }
}
