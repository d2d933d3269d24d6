public import PlumblineCapture
import PlumblineModel

/// What a screen says of a warm device: that depth is slower, and what comes next.
public struct WarmthNotice: Hashable, Sendable {
  /// How much a person should care.
  public enum Grade: Hashable, Sendable {
    /// Worth knowing.
    case note
    /// The camera is about to stop.
    case warning
  }

  /// How much a person should care.
  public let grade: Grade
  /// One or two sentences.
  public let text: String

  /// Words for the warmth of a camera; `nil` where there is nothing to say.
  public init?(_ status: CaptureStatus) {
    let next: String?
    switch status.thermal.state {
    case .nominal: next = nil
    case .fair: next = nil
    case .serious: next = "If it gets warmer, depth stops."
    case .critical: next = "Depth stops until the device has cooled down."
    case .shutdown: next = "The system takes the camera away."
    }
    let isSlower = status.depthRate.map { $0.framesPerSecond < $0.fullFramesPerSecond } ?? false
    guard isSlower || next != nil else { return nil }
    let what =
      isSlower
      ? status.depthRate?.description ?? status.warmthText
      : "the device is \(status.thermal.state.rawValue)"
    text = [Self.sentence(what), next].compactMap(\.self).joined(separator: " ")
    grade = next == nil ? .note : .warning
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }
}
