import PlumblineIO
/// The weights of a network as `numpy.save` writes a dictionary of dictionaries of arrays.
///
/// - Source: NumPy, *NEP 1 — A simple file format for NumPy arrays*.
struct NumPyWeights {
  /// The arrays by the name of their layer and their own, such as `conv1` and `weights`.
  private(set) var layers: [String: [String: PickledArray]] = [:]

  init(_ bytes: [UInt8]) throws(InferenceError) {
    guard bytes.starts(with: [0x93] + Array("NUMPY".utf8)), bytes.count >= 12, bytes[6] <= 3 else {
      throw InferenceError(.malformed, "", expected: "an array of NumPy", found: "another file")
    }
    let size = bytes[6] == 1 ? 2 : 4
    let headerCount = (0..<size).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    let start = 8 + size
    guard headerCount <= min(bytes.count - start, 65536) else {
      throw InferenceError(
        .malformed, "header", expected: "\(headerCount) bytes", found: "the end of the file")
    }
    let header = printable(bytes[start..<(start + headerCount)])
    guard header.contains("'|O'") else {
      throw InferenceError(
        .unsupported, "header", expected: "a dictionary of weights (type '|O')", found: header)
    }
    var reader = PickleReader(bytes[(start + headerCount)...])
    let value = try reader.read()
    try collect(value, reader)
  }

  private mutating func collect(
    _ value: PickleValue, _ reader: PickleReader
  ) throws(InferenceError) {
    guard case .object(let place) = value, case .array(let outer) = reader.objects[place],
      outer.objects.count == 1, let entries = Self.dictionary(outer.objects[0], reader)
    else {
      throw InferenceError(
        .unsupported, "pickle", expected: "one dictionary of layers", found: "other values")
    }
    for (key, value) in entries {
      guard let name = reader.text(key), let parts = Self.dictionary(value, reader) else {
        throw InferenceError(
          .unsupported, "pickle", expected: "a dictionary for each layer", found: "another value")
      }
      var arrays: [String: PickledArray] = [:]
      for (key, value) in parts {
        guard let part = reader.text(key), case .object(let place) = value,
          case .array(let array) = reader.objects[place], array.objects.isEmpty
        else {
          throw InferenceError(
            .unsupported, printable(text: name), expected: "arrays of numbers",
            found: "another value")
        }
        arrays[part] = array
      }
      layers[name] = arrays
    }
  }

  private static func dictionary(
    _ value: PickleValue, _ reader: PickleReader
  ) -> [(key: PickleValue, value: PickleValue)]? {
    guard case .object(let place) = value, case .dictionary(let entries) = reader.objects[place]
    else { return nil }
    return entries
  }
}

extension PickledArray {
  /// The numbers in 32-bit floats, the last dimension fastest.
  func floats() -> [Float] {
    let count = shape.reduce(1, *)
    let width = count == 0 ? 4 : bytes.count / count
    let isSwapped = type.isBigEndian
    let values = [Float](unsafeUninitializedCapacity: count) { buffer, filled in
      bytes.withUnsafeBytes { raw in
        var index = 0
        while index < count {
          let place = index * width
          switch width {
          case 2:
            let bits = raw.loadUnaligned(fromByteOffset: place, as: UInt16.self)
            buffer[index] = Float(Float16(bitPattern: isSwapped ? bits.byteSwapped : bits))
          case 4:
            let bits = raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            buffer[index] = Float(bitPattern: isSwapped ? bits.byteSwapped : bits)
          default:
            let bits = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            buffer[index] = Float(Double(bitPattern: isSwapped ? bits.byteSwapped : bits))
          }
          index += 1
        }
      }
      filled = count
    }
    guard isFortranOrder, shape.count > 1 else { return values }
    return Tensor(shape: shape.reversed(), values: values)
      .transposed((0..<shape.count).reversed()).values
  }
}

extension Tensor {
  /// The same numbers with their dimensions in another order.
  ///
  /// - Precondition: `order` is a permutation of the dimensions.
  func transposed(_ order: [Int]) -> Tensor {
    precondition(order.sorted() == Array(shape.indices), "a permutation of the dimensions")
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    let lengths = order.map { shape[$0] }
    let steps = order.map { strides[$0] }
    var place = [Int](repeating: 0, count: order.count)
    var source = 0
    let count = values.count
    let result = [Float](unsafeUninitializedCapacity: count) { buffer, filled in
      values.withUnsafeBufferPointer { values in
        var target = 0
        while target < count {
          buffer[target] = values[source]
          target += 1
          var axis = order.count - 1
          while axis >= 0 {
            place[axis] += 1
            source += steps[axis]
            if place[axis] < lengths[axis] { break }
            source -= steps[axis] * lengths[axis]
            place[axis] = 0
            axis -= 1
          }
        }
      }
      filled = count
    }
    return Tensor(shape: lengths, values: result)
  }
}
