/// The moment at which a source took a frame, on this machine's clock.
public struct LiveMoment: Hashable, Sendable {
  /// The moment.
  public var instant: ContinuousClock.Instant
  /// By how much it may be off, in seconds; 0 for a source on this machine.
  public var plusMinusSeconds: Double

  /// A moment, such as now.
  public init(_ instant: ContinuousClock.Instant = .now, plusMinusSeconds: Double = 0) {
    self.instant = instant
    self.plusMinusSeconds = plusMinusSeconds
  }
}

/// What waits for a viewer: a frame and the scene that it belongs to.
struct LiveFrame: Sendable {
  let message: WebSocketMessage
  let sequence: Int
  let moment: LiveMoment?
  let scene: LiveScene?
}

/// A scene, identified by its number.
struct LiveScene: Sendable {
  let message: WebSocketMessage
  let number: Int
}
