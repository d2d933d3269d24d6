/// The numbers of one field of a Core ML layer, in whichever of the forms they are stored.
///
/// - Source: apple/coremltools, `mlmodel/format/NeuralNetwork.proto`, `WeightParams`.
struct CoreMLWeights {
  /// The storage of the weights.
  enum Form {
    case float32
    case float16
    /// Codes of so many bits.
    case codes(bits: Int)
  }

  /// The rule from a stored code to a value.
  enum Quantization {
    /// `code·scale + bias`, each one number or one for each channel.
    case linear(scale: [Float], bias: [Float])
    /// The entry of a table.
    case table([Float])
  }

  let form: Form
  let bytes: ArraySlice<UInt8>
  private let quantization: Quantization?

  init(_ bytes: ArraySlice<UInt8>) throws(InferenceError) {
    var form = Form.float32
    var found: ArraySlice<UInt8>?
    var codes: ArraySlice<UInt8>?
    var quantization: ArraySlice<UInt8>?
    var single: [UInt8] = []
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        // One by one, as an old writer may have it.
        if case .fixed32(let number) = field.value {
          withUnsafeBytes(of: number.littleEndian) { single += $0 }
        } else {
          (form, found) = (.float32, try field.bytes("floats"))
        }
      case 2: (form, found) = (.float16, try field.bytes("half floats"))
      case 30: codes = try field.bytes("codes")
      case 31:
        throw InferenceError(
          .unsupported, "int8RawValue", expected: "weights without dynamic quantization",
          found: "8-bit dynamic ones")
      case 40: quantization = try field.bytes("a quantization")
      default: break
      }
    }
    if !single.isEmpty { (form, found) = (.float32, single[...]) }
    var meaning: Quantization?
    // A description without codes is left behind where a tool has expanded them.
    if let codes, !codes.isEmpty, let quantization {
      let quantized = try Self.quantization(quantization)
      (form, found) = (.codes(bits: quantized.bits), codes)
      meaning = quantized.meaning
    }
    guard let found else {
      throw InferenceError(.malformed, "weights", expected: "numbers", found: "none")
    }
    self.form = form
    self.bytes = found
    self.quantization = meaning
  }

  private static func quantization(
    _ bytes: ArraySlice<UInt8>
  ) throws(InferenceError) -> (bits: Int, meaning: Quantization) {
    var bits = 0
    var result: Quantization?
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1: bits = try field.integer("a count of bits")
      case 101:
        let lists = try floatLists(try field.bytes("a linear quantization"))
        result = .linear(scale: lists[1] ?? [], bias: lists[2] ?? [])
      case 102: result = .table(try floatLists(try field.bytes("a table"))[1] ?? [])
      default: break
      }
    }
    guard (1...8).contains(bits), let result else {
      throw InferenceError(
        .unsupported, "quantization", expected: "1 to 8 bits, linear or with a table",
        found: "\(bits) bits")
    }
    if case .table(let table) = result, table.count != 1 << bits {
      throw InferenceError(
        .malformed, "quantization", expected: "a table of \(1 << bits)", found: "\(table.count)")
    }
    return (bits, result)
  }

  /// The lists of floats of a message, by the number of their field.
  static func floatLists(_ bytes: ArraySlice<UInt8>) throws(InferenceError) -> [Int: [Float]] {
    var lists: [Int: [Float]] = [:]
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      if case .fixed32(let number) = field.value {
        lists[field.number, default: []].append(Float(bitPattern: number))
        continue
      }
      // Matched apart: a throw inside `case .bytes(let data)` kept the data for ever (Swift 6.3.1, -O),
      // as the address sanitizer showed.
      let data = try field.bytes("floats")
      guard data.count.isMultiple(of: 4) else {
        throw InferenceError(
          .malformed, "byte \(field.offset)", expected: "floats", found: "\(data.count) bytes")
      }
      let floats = data.withUnsafeBytes { raw in
        (0..<raw.count / 4).map { place in
          Float(
            bitPattern: UInt32(
              littleEndian: raw.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)))
        }
      }
      lists[field.number, default: []] += floats
    }
    return lists
  }

  /// Stores the numbers in a graph, and gives the name to use them by; along `channelAxis` each channel
  /// may have a scale of its own.
  func store(
    in graph: inout ONNXGraphWriter, _ name: String, shape: [Int], channelAxis: Int = 0
  ) throws(InferenceError) -> String {
    guard let count = shape.countOfElements(atMost: ONNXModel.Limit.elements), count > 0 else {
      throw InferenceError(
        .malformed, name, expected: "a count of weights from 1", found: "the shape \(shape)")
    }
    switch form {
    case .float32:
      if bytes.count == 4 * count { return graph.store(name, shape: shape, bytes: bytes) }
    case .float16:
      if bytes.count == 2 * count { return graph.store(name, shape: shape, .float16, bytes: bytes) }
    case .codes(let bits):
      if bytes.count == (count * bits + 7) / 8, let quantization {
        return graph.store(
          name, shape: shape,
          try Self.expanded(bytes, bits, quantization, shape, channelAxis, name))
      }
    }
    throw InferenceError(
      .malformed, name, expected: "\(count) weights for the shape \(shape)", found: "\(self.count)")
  }

  /// The numbers that codes mean; codes follow each other from the highest bit of each byte on.
  private static func expanded(
    _ codes: ArraySlice<UInt8>, _ bits: Int, _ quantization: Quantization, _ shape: [Int],
    _ channelAxis: Int, _ name: String
  ) throws(InferenceError) -> [Float] {
    let count = shape.reduce(1, *)
    let channels = shape[channelAxis]
    let inner = shape[(channelAxis + 1)...].reduce(1, *)
    var (scale, bias, table): ([Float], [Float], [Float]) = ([], [], [])
    switch quantization {
    case .table(let entries): table = entries
    case .linear(let scales, let biases):
      guard [1, channels].contains(scales.count), [0, 1, channels].contains(biases.count) else {
        throw InferenceError(
          .malformed, name, expected: "1 or \(channels) scales", found: "\(scales.count)")
      }
      scale = scales.count == 1 ? Array(repeating: scales[0], count: channels) : scales
      bias =
        switch biases.count {
        case 0: Array(repeating: 0, count: channels)
        case 1: Array(repeating: biases[0], count: channels)
        default: biases
        }
    }
    return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
      codes.withUnsafeBufferPointer { codes in
        let mask = UInt16((1 << bits) - 1)
        var index = 0
        while index < count {
          let place = index * bits
          let byte = place >> 3
          // A code may lie across two bytes.
          let next = byte + 1 < codes.count ? UInt16(codes[byte + 1]) : 0
          let pair = UInt16(codes[byte]) << 8 | next
          let code = Int(pair >> UInt16(16 - (place & 7) - bits) & mask)
          if table.isEmpty {
            let channel = index / inner % channels
            buffer[index] = Float(code) * scale[channel] + bias[channel]
          } else {
            buffer[index] = table[code]
          }
          index += 1
        }
      }
      filled = count
    }
  }
}
