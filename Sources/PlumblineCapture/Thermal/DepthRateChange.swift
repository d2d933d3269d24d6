internal import PlumblineModel

/// A change of the rate of depth because of warmth, to be made and to be shown.
public struct DepthRateChange: Hashable, Sendable, CustomStringConvertible {
  /// The rate from now on, in frames per second; 0 means that the camera is to be stopped.
  public var framesPerSecond: Double
  /// The rate without any warmth.
  public var fullFramesPerSecond: Double
  /// The reading that caused the change.
  public var reading: ThermalReading

  /// Creates a change.
  public init(framesPerSecond: Double, fullFramesPerSecond: Double, reading: ThermalReading) {
    self.framesPerSecond = framesPerSecond
    self.fullFramesPerSecond = fullFramesPerSecond
    self.reading = reading
  }

  /// Whether the camera is to be stopped.
  public var isStop: Bool { framesPerSecond == 0 }

  /// One sentence for the user.
  public var description: String {
    let warmth =
      reading.factors.contains(.depthModuleTemperature)
      ? "the depth module is warm (\(reading.state.rawValue))"
      : "the device is \(reading.state.rawValue)"
    if isStop { return "depth is stopped: \(warmth)" }
    if framesPerSecond == fullFramesPerSecond {
      return "depth runs at \(rateText(framesPerSecond)) fps again: \(warmth)"
    }
    return
      "depth runs at \(rateText(framesPerSecond)) instead of \(rateText(fullFramesPerSecond)) fps: "
      + warmth
  }
}
