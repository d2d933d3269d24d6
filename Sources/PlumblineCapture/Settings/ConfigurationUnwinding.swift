extension DepthStreamConfiguration {
  /// What must still be done where a configuration ends early, by a failure or by a stop.
  ///
  /// A session that is never committed cannot be stopped: AVFoundation throws an exception, which no
  /// Swift program survives. A device that stays locked is refused to others.
  /// - Source: Apple, *AVCaptureSession.beginConfiguration()*: each has its
  ///   `commitConfiguration()`, and neither `startRunning()` nor `stopRunning()` comes between.
  /// - Parameter done: The steps that were done, in their order.
  /// - Returns: The steps that close what is open, the last opened first.
  public static func unwinding(_ done: some Sequence<ConfigurationStep>) -> [ConfigurationStep] {
    var open: [ConfigurationStep] = []
    for step in done {
      switch step {
      case .beginConfiguration: open.append(.commitConfiguration)
      case .lockDevice: open.append(.unlockDevice)
      case .commitConfiguration, .unlockDevice: open.removeAll { $0 == step }
      default: break
      }
    }
    return open.reversed()
  }
}
