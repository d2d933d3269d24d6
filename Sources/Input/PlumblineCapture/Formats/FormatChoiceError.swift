/// Why no formats could be chosen.
public enum FormatChoiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device streams depth only on a later system version.
  case deviceTooNew(DepthDevice, needs: SystemVersion, has: SystemVersion)
  /// Every format was rejected.
  case nothingFits([FormatRejection])

  /// One sentence, and a line for each rejection.
  public var description: String {
    switch self {
    case .deviceTooNew(let device, let needs, let has):
      "\(device.rawValue) streams depth from \(needs) on, this is \(has)"
    case .nothingFits(let rejections):
      (["no format fits"] + rejections.map(\.description)).joined(separator: "\n")
    }
  }
}
