import PlumblineIO
internal import PlumblineModel
import PlumblineStreams

/// The pure state machine of a stream that is sent: every decision, without a network and without a clock.
///
/// Frames get their numbers here. What has a number is kept until the server has it; what finds no room
/// stays with the camera's bounded buffer, which counts it as lost. While the connection is there, few
/// frames may wait for it, so that viewers see the present; after a break all that is kept goes
/// out first, and the limit holds again once the stream has caught up or the room is used up.
///
/// - Source: `Documentation/formats/stream.md`, *Sending captures*.
struct PublishingStateMachine: Sendable {
  /// A message or frame for the server.
  enum Outgoing: Sendable {
    case message(StreamMessage)
    case frame(sequence: Int, bytes: [UInt8])
  }

  /// The reply that a message of the server requests.
  enum Reply: Sendable {
    case nothing
    /// The clock is to be sent at once.
    case clock(id: Int)
    /// The server closes; the stream is over for good where it would end so each time.
    case refused(PublishingFailure, isFinal: Bool)
    /// The server says what cannot be.
    case violation(String)
  }

  /// Half of what the numbers of a session are below, so that none ever reaches it.
  private static let sequenceLimit = 1 << 52

  let settings: PublishingSettings
  private(set) var window: ResendWindow
  private(set) var status = PublishingStatus()
  /// Whether a server has ever taken the session: before that nothing is taken from the camera.
  private(set) var hasBegun = false
  private(set) var isFarewellSent = false
  private(set) var isSourceOver = false
  private var isWelcome = false
  private var isCatchingUp = false
  private var wasFrameRefused = false
  /// The number of the next frame to be sent.
  private var cursor = 0
  /// The losses before the frame at the cursor that are reported already.
  private var reportedLosses: Set<DroppedFrame.Reason> = []
  private var pendingLosses: [DroppedFrame.Reason: Int] = [:]
  private var thermal: ThermalState?
  private var reportedThermal: ThermalState?
  private var meter = SendingMeter()

  init(_ settings: PublishingSettings) {
    self.settings = settings
    window = ResendWindow(frameLimit: settings.keptFrames, byteLimit: settings.keptBytes)
  }

  /// Frames that were not sent over the present connection.
  private var waitingCount: Int { window.entries.count { $0.sequence >= cursor } }

  /// Rises with everything that reaches the network or the server.
  var progressCount: Int {
    status.sentFrames + status.resentFrames + status.acknowledgedFrames
  }

  // MARK: - From the camera

  /// Whether the next event of the camera may be taken.
  var canTake: Bool {
    guard hasBegun, window.hasRoom else { return false }
    return !isWelcome || isCatchingUp || waitingCount < settings.waitingFrames
  }

  /// Takes a frame that was encoded with the number that was the next one at that time.
  ///
  /// - Throws: ``CaptureReadingError`` where it has to be numbered anew and cannot be.
  mutating func append(
    _ bytes: [UInt8], sequence: Int, takenAt: Double
  ) throws(CaptureReadingError) {
    let next = window.nextSequence
    let message = sequence == next ? bytes : try StreamFrame.renumbered(bytes, to: next)
    window.append(message, losses: pendingLosses, takenAt: takenAt)
    pendingLosses = [:]
    if !window.hasRoom { isCatchingUp = false }
  }

  /// Frames that the camera or its buffer lost.
  mutating func lose(_ frames: DroppedFrame) {
    pendingLosses[frames.reason, default: 0] += frames.count
    status.drops[frames.reason, default: 0] += frames.count
  }

  mutating func set(thermal state: ThermalState) { thermal = state }

  mutating func countFrameWithoutColor() { status.framesWithoutColor += 1 }

  /// Nothing more comes from the camera.
  mutating func endSource() { isSourceOver = true }

  // MARK: - To the server

  /// What goes out next; `nil` where there is nothing, or no server to take it.
  var next: Outgoing? {
    guard isWelcome, !isFarewellSent else { return nil }
    if let thermal, thermal != reportedThermal { return .message(.thermal(thermal)) }
    if let entry = window.entry(cursor) ?? window.entries.first(where: { $0.sequence > cursor }) {
      if let loss = nextLoss(of: entry.losses) { return loss }
      return .frame(sequence: entry.sequence, bytes: entry.bytes)
    }
    guard isSourceOver else { return nil }
    if let loss = nextLoss(of: pendingLosses) { return loss }
    // What the system took may still be lost; after the end message nothing could be sent again.
    return window.entries.isEmpty ? .message(.bye) : nil
  }

  private func nextLoss(of losses: [DroppedFrame.Reason: Int]) -> Outgoing? {
    let reason = DroppedFrame.Reason.allCases.first {
      losses[$0] != nil && !reportedLosses.contains($0)
    }
    guard let reason, let count = losses[reason] else { return nil }
    return .message(.dropped(reason: reason.rawValue, count: count))
  }

  /// The system has taken it.
  mutating func sent(_ outgoing: Outgoing, at now: Double) {
    switch outgoing {
    case .message(.thermal(let state)): reportedThermal = state
    case .message(.dropped(let reason, _)):
      if let reason = DroppedFrame.Reason(rawValue: reason) { reportedLosses.insert(reason) }
    case .message(.bye): isFarewellSent = true
    case .message: break
    case .frame(let sequence, let bytes):
      let takenAt = window.entry(sequence)?.takenAt
      // An acknowledged frame may be gone already; it was sent for the first time then, or again.
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

  /// A connection is there; nothing of it is known yet.
  mutating func begin() {
    isWelcome = false
    status.phase = .connecting
  }

  /// The connection is gone.
  mutating func disconnect(waitingSeconds: Double, reason: String) {
    isWelcome = false
    status.phase = .waiting(seconds: waitingSeconds, reason: reason)
  }

  /// The stream is over.
  mutating func end() {
    isWelcome = false
    status.phase = .ended
  }

  /// Takes a message.
  mutating func take(_ message: StreamMessage, session: String) -> Reply {
    switch message {
    case .welcome(let name, let next, let stored):
      guard name == session, !isWelcome else { return .violation("a welcome of another session") }
      guard next <= Self.sequenceLimit else { return .violation("a welcome at frame \(next)") }
      return welcome(next: next, stored: stored)
    case .received(let sequence, let stored):
      // A frame may be acknowledged before the system says that it was sent.
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
      // A hello that was too late for the server's patience may be in time the next time.
      case "busy", "hello": return .refused(failure, isFinal: false)
      default: return .refused(failure, isFinal: true)
      }
    default: return .nothing
    }
  }

  private mutating func welcome(next: Int, stored: Int?) -> Reply {
    let first = window.firstSequence
    if !hasBegun || next > window.nextSequence || next == 0 && first > 0 {
      // Its first word, or it knows nothing of what was acknowledged before: that was another session.
      do throws(CaptureReadingError) { try window.renumber(from: next) } catch {
        return .violation("frames that cannot be numbered anew: \(error)")
      }
      if hasBegun { status.newBeginnings += 1 }
    } else {
      acknowledge(below: next)
      // What it refused to read is the first that it lacks; again it would refuse it for ever.
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

  /// The status; numbers of the last second at a time of the publisher's own clock.
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
