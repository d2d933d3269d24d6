import Plumbline
import Synchronization

/// A network that adds up how long its runs take.
final class TimedNetwork: NeuralNetwork {
  private let network: any NeuralNetwork
  private let total = Mutex(Duration.zero)

  var inputs: [TensorDescription] { network.inputs }
  var outputs: [TensorDescription] { network.outputs }

  init(_ network: any NeuralNetwork) { self.network = network }

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    let start = ContinuousClock.now
    let result = try network.run(tensors)
    let time = ContinuousClock.now - start
    total.withLock { $0 += time }
    return result
  }

  /// The milliseconds since the last call.
  func taken() -> Double {
    total.withLock { total in
      defer { total = .zero }
      return total / .milliseconds(1)
    }
  }
}
