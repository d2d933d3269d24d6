extension Tensor {
  /// The most numbers of one tensor; an input of 4096 × 4096 pixels has a fifth of it.
  static let maximumCount = 1 << 28
}

extension [TensorDescription] {
  /// Compares tensors with the inputs of a network.
  ///
  /// - Throws: `.mismatch` about the network of that name.
  func check(_ tensors: [Tensor], _ name: String) throws(InferenceError) {
    guard tensors.count == count else {
      throw InferenceError(.mismatch, name, expected: "\(count) inputs", found: "\(tensors.count)")
    }
    for (tensor, input) in zip(tensors, self) where tensor.shape != input.fixedShape {
      throw InferenceError(
        .mismatch, name, expected: "\(input.shapeText) for the input \(input.name)",
        found: TensorDescription(name: "", shape: tensor.shape).shapeText)
    }
  }
}
