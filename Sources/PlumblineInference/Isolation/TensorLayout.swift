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
