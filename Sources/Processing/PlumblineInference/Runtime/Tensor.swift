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

extension TensorDescription {
  /// The shape where no dimension is open.
  package var fixedShape: [Int]? {
    let lengths = shape.compactMap { $0 }
    return lengths.count == shape.count ? lengths : nil
  }

  /// Whether a tensor of a shape can be given, open dimensions taking any length from 1 on.
  package func allows(_ lengths: [Int]) -> Bool {
    lengths.count == shape.count && zip(shape, lengths).allSatisfy { $0 == nil ? $1 > 0 : $0 == $1 }
  }

  /// The shape in words, such as `1×3×?×?`.
  var shapeText: String {
    shape.isEmpty ? "one number" : shape.map { $0.map { "\($0)" } ?? "?" }.joined(separator: "×")
  }
}

extension [Int] {
  /// The product of lengths; `nil` where one is negative or the product is over a limit.
  func countOfElements(atMost limit: Int) -> Int? {
    var count = 1
    for length in self {
      let (product, overflow) = count.multipliedReportingOverflow(by: length)
      guard length >= 0, !overflow, product <= limit else { return nil }
      count = product
    }
    return count
  }
}

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

/// How the numbers of several tensors lie in one piece of memory: one after the other, each at a whole
/// line of the processor's cache.
struct TensorLayout: Sendable, Hashable {
  /// The bytes of each.
  let places: [Range<Int>]
  /// The bytes of all of them.
  let byteCount: Int

  /// Lays shapes out; `nil` where one is over ``Tensor/maximumCount``.
  init?(_ shapes: [[Int]]) {
    var places: [Range<Int>] = []
    var start = 0
    for shape in shapes {
      guard let count = shape.countOfElements(atMost: Tensor.maximumCount) else { return nil }
      let end = start + count * MemoryLayout<Float>.stride
      places.append(start..<end)
      start = (end + 63) / 64 * 64
    }
    self.places = places
    byteCount = start
  }

  /// Copies numbers to their positions.
  ///
  /// - Precondition: The tensors have the shapes, and the memory has room for them.
  func write(_ tensors: [Tensor], to memory: UnsafeMutableRawBufferPointer) {
    for (place, tensor) in zip(places, tensors) {
      tensor.values.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: memory[place]).copyMemory(from: source)
      }
    }
  }

  /// Copies the numbers out, which may change meanwhile.
  ///
  /// - Precondition: The shapes are those of the layout, and the memory has room for them.
  func tensors(_ shapes: [[Int]], in memory: UnsafeRawBufferPointer) -> [Tensor] {
    zip(places, shapes).map { place, shape in
      let count = place.count / MemoryLayout<Float>.stride
      let values = [Float](unsafeUninitializedCapacity: count) { buffer, filled in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: memory[place]))
        filled = count
      }
      return Tensor(shape: shape, values: values)
    }
  }
}
