/// The processors that a device's runtime may use for a network.
///
/// - Source: the choices of Apple, *MLComputeUnits*.
public enum ComputeUnits: String, Sendable, CaseIterable {
  /// All that the device has; the system decides for each layer.
  case all
  /// The processor alone, whose numbers repeat from run to run.
  case cpuOnly
  /// The processor and the graphics processor.
  case cpuAndGPU
  /// The processor and the neural engine.
  case cpuAndNeuralEngine

  /// The choice in a few words, such as for a menu.
  public var name: String {
    switch self {
    case .all: "all processors"
    case .cpuOnly: "CPU alone"
    case .cpuAndGPU: "CPU and GPU"
    case .cpuAndNeuralEngine: "CPU and neural engine"
    }
  }
}

/// Who brings an image to the size of a network's input.
public enum ImageScaling: String, Sendable, CaseIterable {
  /// Plumbline, by the mean of the covered pixels: the same numbers on every platform.
  case plumbline
  /// The system, by Vision: with less work on the CPU, and by a filter that Apple does not describe.
  case system
}
