internal import PlumblineModel

/// Parts of a capture that a correction may concern.
public struct CaptureParts: OptionSet, Hashable, Sendable {
  /// One bit for each part.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The color image.
  public static let color = CaptureParts(rawValue: 1)
  /// The depth map.
  public static let depth = CaptureParts(rawValue: 2)
  /// The camera's numbers.
  public static let calibration = CaptureParts(rawValue: 4)
  /// Everything.
  public static let all: CaptureParts = [.color, .depth, .calibration]

  /// The parts in words, such as `color, depth`.
  public var words: String {
    let names = [(Self.color, "color"), (.depth, "depth"), (.calibration, "calibration")]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

extension Capture {
  /// Leaves out what is drawn on the color image's grid and is not moved along with it, and says so
  /// in a finding.
  ///
  /// - Returns: What the provenance says of it; empty when there was nothing.
  mutating func leaveOutCompanions() -> String {
    guard !mattes.isEmpty || gainMap != nil else { return "" }
    let names = mattes.map(\.kind.rawValue) + (gainMap == nil ? [] : ["gain map"])
    findings.append(
      Finding(
        .imageCompanionsLeftOut, .note,
        "the pixels of the color image were moved; mattes and gain map are left out of the result: "
          + names.joined(separator: ", "),
        evidence: "\(names.count) images on the color image's grid"))
    mattes = []
    gainMap = nil
    return "; mattes and gain map, which do not fit any more, are left out"
  }
}
