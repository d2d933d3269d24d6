import PlumblineModel
import PlumblineStreams
import PlumblineTestSupport
import Testing

@testable import PlumblineCapture

/// A stream's decisions against a slow model of a server that follows the document word by word.
@Suite("What a stream decides")
struct PublishingStateMachineTests {
  /// A server without sockets.
  struct ModelServer {
    /// The frames of each session that it knew, by their times.
    var sessions: [[Double]] = [[]]
    var next = 0
    var skipped = 0
    var toldLosses = 0
    var isOver = false

    mutating func take(_ outgoing: PublishingStateMachine.Outgoing) throws {
      switch outgoing {
      case .frame(_, let bytes):
        let header = try StreamFrameHeader(bytes)
        guard header.sequence >= next else { return }
        skipped += header.sequence - next
        next = header.sequence + 1
        sessions[sessions.count - 1].append(try #require(header.timestampSeconds))
      case .message(.dropped(_, let count)): toldLosses += count
      case .message(.bye): isOver = true
      case .message: break
      }
    }

    mutating func forget() {
      sessions.append([])
      next = 0
    }
  }

  static func settings(kept: Int = 12, waiting: Int = 2) -> PublishingSettings {
    var settings = PublishingSettings()
    (settings.keptFrames, settings.waitingFrames) = (kept, waiting)
    return settings
  }

  static func message(_ sequence: Int, _ seconds: Double) -> [UInt8] {
    var capture = Capture(source: CaptureSource())
    capture.timestampSeconds = seconds
    return StreamFrame(sequence: sequence, capture: capture).encoded()
  }

  static func offer(_ seconds: Double, to session: inout PublishingStateMachine) throws -> Bool {
    guard session.canTake else { return false }
    let sequence = session.window.nextSequence
    try session.append(message(sequence, seconds), sequence: sequence, takenAt: seconds)
    return true
  }

  static func welcome(
    _ session: inout PublishingStateMachine, _ next: Int
  ) -> PublishingStateMachine.Reply {
    session.begin()
    return session.take(.welcome(session: "s", next: next, stored: nil), session: "s")
  }

  @Test(
    "Whatever breaks, each frame with a number arrives once in a session, in order, within the bounds",
    arguments: 0..<60 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let settings = Self.settings(
      kept: .random(in: 1...20, using: &generator),
      waiting: .random(in: 1...3, using: &generator))
    var session = PublishingStateMachine(settings)
    var server = ModelServer()
    var (taken, lost, breaks, forgotten) = ([Double](), 0, 0, 0)
    var (isConnected, seconds) = (false, 0.0)
    for _ in 0..<600 {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<8:
        seconds += 1
        if try Self.offer(seconds, to: &session) {
          taken.append(seconds)
        } else if session.hasBegun {
          lost += 1
          session.lose(DroppedFrame(timestampSeconds: seconds, reason: .slowConsumer))
        }
      case 8..<15:
        guard isConnected, let next = session.next else { continue }
        try server.take(next)
        session.sent(next, at: seconds)
      case 15, 16:
        guard isConnected, server.next > 0 else { continue }
        let reply = session.take(.received(sequence: server.next - 1, stored: nil), session: "s")
        guard case .nothing = reply else { throw Failure(what: "\(reply)") }
      case 17:
        guard isConnected else { continue }
        // Broken off, with or without what was on its way.
        if Bool.random(using: &generator), let next = session.next { try server.take(next) }
        session.disconnect(waitingSeconds: 1, reason: "cut")
        (isConnected, breaks) = (false, breaks + 1)
      case 18:
        guard !isConnected, session.hasBegun else { continue }
        if Int.random(in: 0..<4, using: &generator) == 0 {
          server.forget()
          forgotten += 1
        }
      default:
        guard !isConnected else { continue }
        let reply = Self.welcome(&session, server.next)
        guard case .nothing = reply else { throw Failure(what: "\(reply)") }
        isConnected = true
      }
      #expect(session.window.entries.count <= settings.keptFrames)
      let kept = session.window.entries.map(\.sequence)
      #expect(kept == kept.sorted() && Set(kept).count == kept.count)
    }
    if !isConnected { _ = Self.welcome(&session, server.next) }
    session.endSource()
    for _ in 0..<2 {
      while let next = session.next {
        try server.take(next)
        session.sent(next, at: seconds)
      }
      // The end message comes after the last acknowledgement alone.
      if !taken.isEmpty {
        #expect(server.isOver == session.window.entries.isEmpty)
        _ = session.take(.received(sequence: server.next - 1, stored: nil), session: "s")
      }
    }
    #expect(server.isOver && session.isFarewellSent)
    for times in server.sessions { #expect(times == times.sorted()) }
    let arrived = server.sessions.flatMap(\.self)
    #expect(Set(arrived) == Set(taken))
    // Only a server that forgot gets again what it had and did not acknowledge.
    if forgotten == 0 { #expect(arrived == taken) }
    #expect(server.skipped == 0)
    // A loss is reported again if its arrival is unknown: never too few.
    #expect(server.toldLosses >= lost)
    if breaks == 0 { #expect(server.toldLosses == lost) }
    #expect(session.status.drops[.slowConsumer] ?? 0 == lost)
  }

  struct Failure: Error { let what: String }

  @Test("A slow network makes the camera wait at few frames; a break lets it fill the room")
  func room() throws {
    var session = PublishingStateMachine(Self.settings(kept: 6))
    #expect(!session.canTake)
    _ = Self.welcome(&session, 0)
    #expect(try Self.offer(0, to: &session))
    #expect(try Self.offer(1, to: &session))
    #expect(try !Self.offer(2, to: &session))
    session.disconnect(waitingSeconds: 1, reason: "")
    for second in 2..<6 { #expect(try Self.offer(Double(second), to: &session)) }
    #expect(try !Self.offer(6, to: &session))
    // It has three: there is room again, and all that is kept goes first.
    _ = Self.welcome(&session, 3)
    #expect(session.status(at: 0).phase == .catchingUp)
    #expect(try Self.offer(7, to: &session))
    for sequence in 3...5 {
      let next = try #require(session.next)
      guard case .frame(sequence, _) = next else { throw Failure(what: "\(next)") }
      session.sent(next, at: 0)
    }
    #expect(session.status(at: 0).phase == .connected)
    #expect(session.status(at: 0).waitingFrames == 1)
  }

  @Test("A frame that the server cannot read is not sent for ever, and its number stays unused")
  func refused() throws {
    var session = PublishingStateMachine(Self.settings())
    _ = Self.welcome(&session, 0)
    for second in 0..<2 { #expect(try Self.offer(Double(second), to: &session)) }
    session.sent(try #require(session.next), at: 0)
    guard
      case .refused(_, isFinal: false) = session.take(
        .error(code: "frame", message: "no"), session: "s")
    else { throw Failure(what: "a frame's refusal ends nothing") }
    for (code, isFinal) in [("busy", false), ("hello", false), ("schema", true), ("session", true)]
    {
      guard case .refused(_, isFinal) = session.take(.error(code: code, message: ""), session: "s")
      else { throw Failure(what: code) }
    }
    session.disconnect(waitingSeconds: 0, reason: "")
    _ = Self.welcome(&session, 0)
    guard case .frame(1, _) = session.next else { throw Failure(what: "\(session.next as Any)") }
    #expect(session.status.refusedFrames == 1)
  }

  @Test("A session that goes on elsewhere goes on at its number; what cannot be is a violation")
  func numbers() throws {
    var session = PublishingStateMachine(Self.settings())
    _ = Self.welcome(&session, 40)
    #expect(try Self.offer(0, to: &session))
    guard case .frame(40, _) = session.next else { throw Failure(what: "\(session.next as Any)") }
    #expect(session.status.newBeginnings == 0)
    for sequence in [41, 1000, Int.max] {
      guard case .violation = session.take(.received(sequence: sequence, stored: nil), session: "s")
      else { throw Failure(what: "\(sequence) was not sent") }
    }
    for message in [
      StreamMessage.welcome(session: "t", next: 0, stored: nil),
      .welcome(session: "s", next: 0, stored: nil),
    ] {
      guard case .violation = session.take(message, session: "s") else {
        throw Failure(what: "\(message) is no welcome")
      }
    }
    session.begin()
    guard
      case .violation = session.take(
        .welcome(session: "s", next: Int.max, stored: nil), session: "s")
    else { throw Failure(what: "no number behind it") }
  }
}
