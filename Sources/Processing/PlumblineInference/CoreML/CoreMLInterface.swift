public import PlumblineModel

/// The inputs and outputs of a Core ML model, as its description states them.
public struct CoreMLInterface: Sendable, Hashable {
  /// The type of an input or output.
  public enum Kind: Sendable, Hashable {
    /// Numbers; lengths are `nil` where the model leaves them open, and none are known for an empty list.
    case array([Int?])
    /// An image in color.
    case colorImage(RasterSize)
    /// An image of one channel.
    case grayImage(RasterSize)
    /// Anything else, in words.
    case other(String)
  }

  /// One input or output.
  public struct Port: Sendable, Hashable {
    /// The name inside the model.
    public var name: String
    /// Its type.
    public var kind: Kind

    /// Creates a port from its parts.
    public init(name: String, kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  /// The inputs in the order of their names, since Core ML has no other order.
  public let inputs: [Port]
  /// The outputs in the order of their names.
  public let outputs: [Port]

  /// Sorts the ports by name.
  public init(inputs: [Port], outputs: [Port]) {
    self.inputs = inputs.sorted { $0.name < $1.name }
    self.outputs = outputs.sorted { $0.name < $1.name }
  }

  /// The size of the only input, where that is an image in color; `nil` for other models.
  public var imageSize: RasterSize? {
    guard inputs.count == 1, case .colorImage(let size) = inputs[0].kind else { return nil }
    return size
  }
}

extension CoreMLInterface.Port {
  /// The port as a tensor: an image in color is 1 × 3 × rows × columns of codes from 0 to 255, one of one
  /// channel is rows × columns.
  ///
  /// - Parameters:
  ///   - isInput: Whether it is an input; gray images are outputs only.
  ///   - model: The model's name, for errors.
  /// - Returns: The description of the tensor.
  /// - Throws: `.unsupported` for other types.
  func tensor(
    isInput: Bool, of model: String
  ) throws(InferenceError) -> TensorDescription {
    switch kind {
    case .array(let shape): return TensorDescription(name: name, shape: shape)
    case .colorImage(let size) where isInput && size.pixelCount > 0:
      return TensorDescription(name: name, shape: [1, 3, size.height, size.width])
    case .grayImage(let size) where !isInput && size.pixelCount > 0:
      return TensorDescription(name: name, shape: [size.height, size.width])
    case .colorImage, .grayImage, .other:
      throw InferenceError(
        .unsupported, model,
        expected: isInput
          ? "inputs that are arrays of numbers or an image in color"
          : "outputs that are arrays of numbers or images of one channel",
        found: "\(name): \(kind.words)")
    }
  }
}

extension CoreMLInterface {
  /// The inputs as tensors.
  ///
  /// - Throws: `.unsupported` for an input of another type, and an image beside other inputs.
  package func inputTensors(of model: String) throws(InferenceError) -> [TensorDescription] {
    var tensors: [TensorDescription] = []
    for port in inputs { tensors.append(try port.tensor(isInput: true, of: model)) }
    if inputs.count > 1, inputs.contains(where: { $0.kind.isImage }) {
      throw InferenceError(
        .unsupported, model, expected: "an image as the only input",
        found: inputs.map { "\($0.name): \($0.kind.words)" }.joined(separator: ", "))
    }
    return tensors
  }

  /// The outputs as tensors.
  ///
  /// - Throws: `.unsupported` for an output of another type.
  package func outputTensors(of model: String) throws(InferenceError) -> [TensorDescription] {
    var tensors: [TensorDescription] = []
    for port in outputs { tensors.append(try port.tensor(isInput: false, of: model)) }
    return tensors
  }

  /// The names of the outputs that can be a map of rows and columns.
  package var mapNames: [String] {
    outputs.filter { port in
      switch port.kind {
      case .grayImage: true
      // Axes of length 1 do not count; open ones may have any length.
      case .array(let shape): shape.isEmpty || shape.count { $0 != 1 } == 2
      case .colorImage, .other: false
      }
    }.map(\.name)
  }
}

extension CoreMLInterface.Kind {
  var isImage: Bool {
    switch self {
    case .colorImage, .grayImage: true
    case .array, .other: false
    }
  }

  /// The type in words, such as `an image in color of 304×228`.
  package var words: String {
    switch self {
    case .array(let shape):
      "an array of \(TensorDescription(name: "", shape: shape).shapeText)"
    case .colorImage(let size): "an image in color of \(size)"
    case .grayImage(let size): "an image of one channel of \(size)"
    case .other(let words): words
    }
  }
}
