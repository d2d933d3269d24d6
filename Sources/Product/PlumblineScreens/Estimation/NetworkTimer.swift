public import PlumblineInference
import PlumblineModel
import Synchronization

/// Measures how long a network runs, without the work before and after it.
public final class NetworkTimer: Sendable {
  private let latestRun = Mutex<Duration?>(nil)

  /// Creates a timer that has measured nothing.
  public init() {}

  /// The duration of the latest run; `nil` before the first.
  public var latest: Duration? { latestRun.withLock { $0 } }

  /// The same network, of which this timer measures each run; one that takes images still does.
  public func timed(_ network: any NeuralNetwork) -> any NeuralNetwork {
    if let network = network as? any ImageNetwork {
      return TimedImageNetwork(network: network, timer: self)
    }
    return TimedNetwork(network: network, timer: self)
  }

  fileprivate func measure(
    _ run: () throws(InferenceError) -> [Tensor]
  ) throws(InferenceError) -> [Tensor] {
    let start = ContinuousClock.now
    let outputs = try run()
    let duration = ContinuousClock.now - start
    latestRun.withLock { $0 = duration }
    return outputs
  }
}

private struct TimedNetwork: NeuralNetwork {
  let network: any NeuralNetwork
  let timer: NetworkTimer
  var inputs: [TensorDescription] { network.inputs }
  var outputs: [TensorDescription] { network.outputs }

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    try timer.measure { () throws(InferenceError) in try network.run(tensors) }
  }
}

private struct TimedImageNetwork: ImageNetwork {
  let network: any ImageNetwork
  let timer: NetworkTimer
  var inputs: [TensorDescription] { network.inputs }
  var outputs: [TensorDescription] { network.outputs }
  var scaling: ImageScaling { network.scaling }

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    try timer.measure { () throws(InferenceError) in try network.run(tensors) }
  }

  func run(
    on image: Raster<RGB8>, orientation: ImageOrientation
  ) throws(InferenceError) -> [Tensor] {
    try timer.measure { () throws(InferenceError) in
      try network.run(on: image, orientation: orientation)
    }
  }
}
