/// What every runtime asks of the inputs and outputs of a network.
extension [TensorDescription] {
  /// Compares shapes with inputs whose dimensions may be open.
  ///
  /// - Parameters:
  ///   - shapes: A shape for each input.
  ///   - name: The model, for errors.
  /// - Throws: `.mismatch` for another number of inputs, and for a shape that an input does not take.
  func requireAllowing(_ shapes: [[Int]], _ name: String) throws(InferenceError) {
    guard count == shapes.count else {
      throw InferenceError(.mismatch, name, expected: "\(shapes.count) inputs", found: "\(count)")
    }
    for (input, shape) in zip(self, shapes) where !input.allows(shape) {
      throw InferenceError(
        .mismatch, name,
        expected: "an input that takes \(TensorDescription(name: "", shape: shape).shapeText)",
        found: "\(input.name) of \(input.shapeText)")
    }
  }

  /// Refuses inputs with an open dimension, and those of more numbers than a tensor may have.
  ///
  /// - Throws: `.mismatch`.
  func requireFixed(_ name: String) throws(InferenceError) {
    for input in self {
      guard let shape = input.fixedShape else {
        throw InferenceError(
          .mismatch, name, expected: "a fixed shape of the input \(input.name)",
          found: "\(input.shapeText); a model card can fix it")
      }
      guard shape.countOfElements(atMost: Tensor.maximumCount) != nil else {
        throw InferenceError(
          .mismatch, name, expected: "inputs of at most \(Tensor.maximumCount) numbers",
          found: "\(input.name) of \(input.shapeText)")
      }
    }
  }
}

extension Tensor {
  /// An output that a runtime gives, once its shape is known to fit its numbers.
  ///
  /// - Parameters:
  ///   - lengths: Its shape, as the runtime says; an open length counts as 0.
  ///   - count: How many numbers it has, as the runtime says.
  ///   - name: The model, for errors.
  ///   - copy: Copies the numbers into a buffer of that count; throws where it cannot.
  /// - Returns: The tensor.
  /// - Throws: `.mismatch` for another count than that of the shape, and for more than a tensor may have.
  static func output(
    _ lengths: [Int?], count: Int, _ name: String,
    copy: (UnsafeMutablePointer<Float>?) throws(InferenceError) -> Void
  ) throws(InferenceError) -> Tensor {
    let shape = lengths.map { Swift.max(0, $0 ?? 0) }
    guard shape.countOfElements(atMost: maximumCount) == count else {
      throw InferenceError(
        .mismatch, name, expected: "an output of at most \(maximumCount) numbers",
        found: "the shape \(shape)")
    }
    var failure: InferenceError?
    let values = [Float](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(InferenceError) {
        try copy(buffer.baseAddress)
        filled = count
      } catch { failure = error }
    }
    if let failure { throw failure }
    return Tensor(shape: shape, values: values)
  }
}
