/// An array of numbers with a shape, as networks take and give them.
public struct Tensor: Sendable, Hashable {
  /// The length of each dimension, outermost first.
  public let shape: [Int]
  /// The numbers, the last dimension fastest.
  public var values: [Float]

  /// Wraps numbers.
  ///
  /// - Precondition: No length is negative, and their product is the count of `values`.
  public init(shape: [Int], values: [Float]) {
    precondition(shape.allSatisfy { $0 >= 0 }, "a shape has no negative length")
    precondition(
      shape.reduce(1, *) == values.count, "the shape \(shape) needs other than \(values.count)")
    self.shape = shape
    self.values = values
  }
}

/// The description of one input or output of a network.
public struct TensorDescription: Sendable, Hashable {
  /// The name inside the model.
  public var name: String
  /// The length of each dimension, outermost first; `nil` where the model leaves it open.
  public var shape: [Int?]

  /// Creates a description from its parts.
  public init(name: String, shape: [Int?]) {
    self.name = name
    self.shape = shape
  }
}
