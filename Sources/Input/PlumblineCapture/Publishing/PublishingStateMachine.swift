import PlumblineIO
internal import PlumblineModel
import PlumblineStreams

/// The state machine of a sent stream: it makes every decision, without network and clock.
///
/// It assigns the numbers of frames. A numbered frame is kept until the server has acknowledged it.
/// Frames that do not fit stay in the camera's bounded buffer, which counts them as lost. While
/// connected, only a few frames may wait for the network, so that viewers see recent frames. After
/// a disconnection all cached frames are sent first; the limit applies again once the stream has
/// caught up or its buffer is full.
///
/// - Source: `Documentation/formats/stream.md`, *Sending captures*.
struct PublishingStateMachine: Sendable {
  /// A message or frame for the server.
  enum Outgoing: Sendable {
    case message(StreamMessage)
    case frame(sequence: Int, bytes: [UInt8])
  }

  /// The response that a message of the server requires.
  enum Reply: Sendable {
    case nothing
    /// The clock must be sent at once.
    case clock(id: Int)
    /// The server closes the connection; final if every further attempt would end in the same way.
    case refused(PublishingFailure, isFinal: Bool)
    /// The server sent a message that violates the protocol.
    case violation(String)
  }

  /// Half of the upper bound for the numbers of a session, so that none ever reaches that bound.
  private static let sequenceLimit = 1 << 52

  let settings: PublishingSettings
  private(set) var window: ResendWindow
  private(set) var status = PublishingStatus()
  /// Whether a server has ever accepted the session; before that, no frame is taken from the
  /// camera.
  private(set) var hasBegun = false
  private(set) var isFarewellSent = false
  private(set) var isSourceOver = false
  private var isWelcome = false
  private var isCatchingUp = false
  private var wasFrameRefused = false
  /// The number of the next frame to send.
  private var cursor = 0
  /// The losses before the frame at the cursor that were already reported.
  private var reportedLosses: Set<DroppedFrame.Reason> = []
  private var pendingLosses: [DroppedFrame.Reason: Int] = [:]
  private var thermal: ThermalState?
  private var reportedThermal: ThermalState?
  private var meter = SendingMeter()

  init(_ settings: PublishingSettings) {
    self.settings = settings
    window = ResendWindow(frameLimit: settings.keptFrames, byteLimit: settings.keptBytes)
  }

  /// The number of frames that were not sent over the current connection.
  private var waitingCount: Int { window.entries.count { $0.sequence >= cursor } }

  /// A counter of everything that reached the network or the server.
  var progressCount: Int {
    status.sentFrames + status.resentFrames + status.acknowledgedFrames
  }

  // MARK: - From the camera

  /// Whether the next event of the camera may be taken.
  var canTake: Bool {
    guard hasBegun, window.hasRoom else { return false }
    return !isWelcome || isCatchingUp || waitingCount < settings.waitingFrames
  }

  /// Adds a frame that was encoded with the number that was the next one at that time.
  ///
  /// - Throws: ``CaptureReadingError`` if the frame must be renumbered and cannot be.
  mutating func append(
    _ bytes: [UInt8], sequence: Int, takenAt: Double
  ) throws(CaptureReadingError) {
    let next = window.nextSequence
    let message = sequence == next ? bytes : try StreamFrame.renumbered(bytes, to: next)
    window.append(message, losses: pendingLosses, takenAt: takenAt)
    pendingLosses = [:]
    if !window.hasRoom { isCatchingUp = false }
  }

  /// Adds frames that the camera or its buffer lost.
  mutating func lose(_ frames: DroppedFrame) {
    pendingLosses[frames.reason, default: 0] += frames.count
    status.drops[frames.reason, default: 0] += frames.count
  }

  mutating func set(thermal state: ThermalState) { thermal = state }

  mutating func countFrameWithoutColor() { status.framesWithoutColor += 1 }

  /// Notes that the camera has ended.
  mutating func endSource() { isSourceOver = true }

  // MARK: - To the server

  /// The next message or frame to send; `nil` if there is none, or no server that accepts it.
  var next: Outgoing? {
    guard isWelcome, !isFarewellSent else { return nil }
    if let thermal, thermal != reportedThermal { return .message(.thermal(thermal)) }
    if let entry = window.entry(cursor) ?? window.entries.first(where: { $0.sequence > cursor }) {
      if let loss = nextLoss(of: entry.losses) { return loss }
      return .frame(sequence: entry.sequence, bytes: entry.bytes)
    }
    guard isSourceOver else { return nil }
    if let loss = nextLoss(of: pendingLosses) { return loss }
    // Frames that the system accepted may still be lost, and after the end message no frame could
    // be sent again.
    return window.entries.isEmpty ? .message(.bye) : nil
  }

  private func nextLoss(of losses: [DroppedFrame.Reason: Int]) -> Outgoing? {
    let reason = DroppedFrame.Reason.allCases.first {
      losses[$0] != nil && !reportedLosses.contains($0)
    }
    guard let reason, let count = losses[reason] else { return nil }
    return .message(.dropped(reason: reason.rawValue, count: count))
  }

  /// Notes that the system has accepted a message or frame for sending.
  mutating func sent(_ outgoing: Outgoing, at now: Double) {
    switch outgoing {
    case .message(.thermal(let state)): reportedThermal = state
    case .message(.dropped(let reason, _)):
      if let reason = DroppedFrame.Reason(rawValue: reason) { reportedLosses.insert(reason) }
    case .message(.bye): isFarewellSent = true
    case .message: break
    case .frame(let sequence, let bytes):
      let takenAt = window.entry(sequence)?.takenAt
      // An acknowledged frame may already be removed; it was then sent for the first time, or
      // again.
      if window.markSent(sequence) == false {
        status.resentFrames += 1
      } else if takenAt != nil {
        status.sentFrames += 1
      }
      meter.add(at: now, byteCount: bytes.count, delaySeconds: now - (takenAt ?? now))
      cursor = max(cursor, sequence + 1)
      reportedLosses = []
      if waitingCount < settings.waitingFrames { isCatchingUp = false }
    }
  }

  // MARK: - From the server

  /// Notes that there is a new connection, in an unknown state.
  mutating func begin() {
    isWelcome = false
    status.phase = .connecting
  }

  /// Notes that the connection has ended.
  mutating func disconnect(waitingSeconds: Double, reason: String) {
    isWelcome = false
    status.phase = .waiting(seconds: waitingSeconds, reason: reason)
  }

  /// Notes that the stream has ended.
  mutating func end() {
    isWelcome = false
    status.phase = .ended
  }

  /// Handles a message of the server.
  mutating func take(_ message: StreamMessage, session: String) -> Reply {
    switch message {
    case .welcome(let name, let next, let stored):
      guard name == session, !isWelcome else { return .violation("a welcome of another session") }
      guard next <= Self.sequenceLimit else { return .violation("a welcome at frame \(next)") }
      return welcome(next: next, stored: stored)
    case .received(let sequence, let stored):
      // A frame may be acknowledged before the system reports that it was sent.
      guard isWelcome, sequence <= cursor, sequence < window.nextSequence else {
        return .violation("an acknowledgement of frame \(sequence), which was not sent")
      }
      acknowledge(below: sequence + 1)
      status.storedFrames = stored
      return .nothing
    case .clock(let id, nil): return .clock(id: id)
    case .error(let code, let words):
      let failure = PublishingFailure.refused(code: code, message: words)
      switch code {
      case "frame":
        wasFrameRefused = true
        return .refused(failure, isFinal: false)
      // A hello that came too late for the server may be in time at the next attempt.
      case "busy", "hello": return .refused(failure, isFinal: false)
      default: return .refused(failure, isFinal: true)
      }
    default: return .nothing
    }
  }

  private mutating func welcome(next: Int, stored: Int?) -> Reply {
    let first = window.firstSequence
    if !hasBegun || next > window.nextSequence || next == 0 && first > 0 {
      // The first welcome, or the server does not know the acknowledged frames: it is a new
      // session.
      do throws(CaptureReadingError) { try window.renumber(from: next) } catch {
        return .violation("frames that cannot be numbered anew: \(error)")
      }
      if hasBegun { status.newBeginnings += 1 }
    } else {
      acknowledge(below: next)
      // The refused frame is the first one that the server lacks; it would be refused each time.
      if wasFrameRefused, window.remove(next) { status.refusedFrames += 1 }
    }
    if hasBegun { status.reconnects += 1 }
    (hasBegun, isWelcome, wasFrameRefused) = (true, true, false)
    cursor = max(next, window.firstSequence)
    (reportedLosses, reportedThermal) = ([], nil)
    status.storedFrames = stored
    isCatchingUp = window.hasRoom && waitingCount >= settings.waitingFrames
    return .nothing
  }

  private mutating func acknowledge(below sequence: Int) {
    for entry in window.release(below: sequence) {
      status.acknowledgedFrames += 1
      if !entry.wasSent { status.sentFrames += 1 }
    }
    if cursor < sequence {
      cursor = sequence
      reportedLosses = []
    }
  }

  /// The status, with rates of the last second before a time on the publisher's own clock.
  mutating func status(at now: Double) -> PublishingStatus {
    status.keptFrames = window.entries.count
    status.waitingFrames = waitingCount
    if isWelcome { status.phase = isCatchingUp ? .catchingUp : .connected }
    status.framesPerSecond = meter.framesPerSecond(at: now)
    status.bytesPerSecond = meter.bytesPerSecond(at: now)
    status.delayMilliseconds = meter.medianDelaySeconds(at: now).map { $0 * 1000 }
    return status
  }
}
