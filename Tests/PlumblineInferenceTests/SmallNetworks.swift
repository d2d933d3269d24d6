import PlumblineTestSupport

@testable import PlumblineInference

/// Networks of one or two nodes.
enum SmallNetworks {
  /// A 1 × 1 convolution of three channels into one, then a square root, which makes NaN of what is
  /// negative.
  static func weighted(_ weights: [Float] = [0.5, 0.25, 0.125], shape: [Int] = [1, 3, 4, 5])
    -> ModelFile
  {
    var graph = ONNXGraphWriter()
    graph.input("image", shape: shape)
    let kernel = graph.store("weights", shape: [1, 3, 1, 1], weights)
    let sum = graph.node("Conv", ["image", kernel])
    graph.node("Sqrt", [sum], output: "depth")
    graph.outputOfOpenShape("depth")
    return ModelFile(name: "small.onnx", bytes: graph.bytes(name: "small"))
  }
}
