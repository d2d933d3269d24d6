import PlumblineIO
public import PlumblineImages
import PlumblineModel
public import PlumblineRecordings

/// The replay of a recording as if from a camera.
///
/// An unreadable frame is reported as dropped; the other frames are delivered.
public struct ReplaySource: DepthCameraSource {
  /// The recording.
  public let recording: Recording
  /// The rate at which frames are delivered.
  public let pace: FramePace
  private let color: CaptureReader.ColorRequest
  private let clock: any Clock<Duration>
  private let capacity: Int

  /// The assumed rate of frames without times in a live replay.
  static let assumedFramesPerSecond = 30.0

  /// Creates a replay; nothing is read yet.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - pace: The rate of delivery.
  ///   - color: How color is requested.
  ///   - capacity: The maximum number of queued captures.
  ///   - clock: The clock of a live pace.
  /// - Precondition: A live speed is above 0.
  public init(
    _ recording: Recording, pace: FramePace = .live(speed: 1),
    color: CaptureReader.ColorRequest = .full, capacity: Int = 4,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    if case .live(let speed) = pace { precondition(speed > 0, "a speed of \(speed)") }
    self.recording = recording
    self.pace = pace
    self.color = color
    self.capacity = capacity
    self.clock = clock
  }

  /// Starts a replay at the first frame.
  public func events() -> DepthCameraEvents {
    DepthCameraEvents(capacity: capacity) { buffer throws(DepthCameraError) in
      try await play(into: buffer)
    }
  }

  private func play(into buffer: DepthCameraEventBuffer) async throws(DepthCameraError) {
    let pacer = Self.pacer(clock)
    var motion: [MotionSample] = []
    var motionFailure: CaptureReadingError?
    do throws(CaptureReadingError) { motion = try recording.motion().samples } catch {
      motionFailure = error
    }
    var nextSample = 0
    var due = 0.0
    var last: Double?
    for index in recording.frames.indices {
      let seconds = recording.frames[index].timestampSeconds
      let event = read(index)
      due += step(to: seconds, from: last, index: index)
      last = seconds ?? last
      if case .live(let speed) = pace {
        guard await pacer.wait(untilSeconds: due / speed) else { return }
      }
      let start = nextSample
      while nextSample < motion.count, motion[nextSample].timestampSeconds <= seconds ?? .infinity {
        nextSample += 1
      }
      if start < nextSample {
        guard await hand(.motion(Array(motion[start..<nextSample])), to: buffer) else { return }
      }
      guard await hand(event, to: buffer) else { return }
    }
    if nextSample < motion.count {
      guard await hand(.motion(Array(motion[nextSample...])), to: buffer) else { return }
    }
    if let motionFailure { throw .failed("motion cannot be read: \(motionFailure)") }
  }

  private func read(_ index: Int) -> DepthCameraEvent {
    do throws(CaptureReadingError) {
      return .capture(try recording.capture(at: index, color: color))
    } catch {
      return .dropped(
        DroppedFrame(
          timestampSeconds: recording.frames[index].timestampSeconds, reason: .unreadable))
    }
  }

  private func hand(
    _ event: DepthCameraEvent, to buffer: DepthCameraEventBuffer
  ) async -> Bool {
    switch pace {
    case .live: buffer.offer(event)
    case .asFastAsPossible: await buffer.send(event)
    }
  }

  /// The time from one frame to the next; 0 for a clock that goes backwards.
  private func step(to seconds: Double?, from last: Double?, index: Int) -> Double {
    guard index > 0 else { return 0 }
    guard let seconds, let last else { return 1 / Self.assumedFramesPerSecond }
    return seconds > last ? seconds - last : 0
  }

  private static func pacer(_ clock: some Clock<Duration>) -> FramePacer { FramePacer(clock) }
}

/// Delays frames until their times on any clock; tests use a clock that never waits.
package struct FramePacer: Sendable {
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Starts counting now.
  package init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    sleep = { offset in try await clock.sleep(until: start.advanced(by: offset), tolerance: nil) }
  }

  /// Waits until a number of seconds after the start; returns at once if they have passed.
  ///
  /// - Returns: Whether to continue; `false` if the task was canceled.
  package func wait(untilSeconds seconds: Double) async -> Bool {
    // More than a month means a faulty clock; a duration must not overflow.
    guard seconds.isFinite, seconds < 3e6 else { return !Task.isCancelled }
    do { try await sleep(.seconds(max(seconds, 0))) } catch { return false }
    return !Task.isCancelled
  }
}

/// The delivery rate of frames that do not come from a camera.
public enum FramePace: Sendable {
  /// Like a camera, at a multiple of the recorded speed; a slow consumer loses frames.
  case live(speed: Double)
  /// As fast as the consumer accepts frames; no frame is lost.
  case asFastAsPossible
}
