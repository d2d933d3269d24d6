/// A step of a configuration, of which some have to be closed by another step.
protocol PairedStep: Hashable {
  /// The step that closes what this one opens; `nil` for a step that opens nothing.
  var closing: Self? { get }
}

extension Sequence where Element: PairedStep {
  /// The steps that close what these steps opened and did not close, the last opened first.
  var closingSteps: [Element] {
    var open: [Element] = []
    for step in self {
      if let closing = step.closing { open.append(closing) } else { open.removeAll { $0 == step } }
    }
    return open.reversed()
  }
}

extension ConfigurationStep: PairedStep {
  var closing: ConfigurationStep? {
    switch self {
    case .beginConfiguration: .commitConfiguration
    case .lockDevice: .unlockDevice
    default: nil
    }
  }
}

extension PhotoStep: PairedStep {
  var closing: PhotoStep? {
    switch self {
    case .beginConfiguration: .commitConfiguration
    case .lockDevice: .unlockDevice
    default: nil
    }
  }
}
