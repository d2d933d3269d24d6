import PlumblineIO
/// A stored tensor's name and size, after its data was found to be as long as the size says.
struct ONNXTensorHeader {
  let name: String
  let elementCount: Int

  init(_ bytes: ArraySlice<UInt8>) throws(InferenceError) {
    var lengths: [Int] = []
    var type = 0
    var name = ""
    var rawCount: Int?
    var numberCount = 0
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        try field.appendIntegers(to: &lengths, atMost: ONNXModel.Limit.rank, "dimensions")
      case 2: type = try field.integer("a type")
      case 4: numberCount += try field.countOfNumbers(width: 4, "floats")
      case 5, 7, 11: numberCount += try field.countOfNumbers(width: nil, "whole numbers")
      case 6: numberCount += 1
      case 8: name = try field.text("a tensor's name")
      case 9: rawCount = try field.bytes("a tensor's data").count
      case 10: numberCount += try field.countOfNumbers(width: 8, "floats")
      case 13, 14:
        if field.number == 14, try field.integer("a place") == 0 { break }
        throw InferenceError(
          .unsupported, printable(text: name), expected: "a model in one file",
          found: "a tensor in another file (external_data)")
      default: break
      }
    }
    self.name = name
    guard let count = lengths.countOfElements(atMost: ONNXModel.Limit.elements) else {
      throw InferenceError(
        .malformed, "tensor \(printable(text: name))",
        expected: "at most \(ONNXModel.Limit.elements) numbers", found: "the shape \(lengths)")
    }
    elementCount = count
    let needed = Self.bitsOfType[type].map { (count * $0 + 7) / 8 }
    let isSound =
      if let rawCount { needed == rawCount && numberCount == 0 } else {
        // Two numbers are kept for a complex one; small ones lie several to a number.
        switch type {
        case 14, 15: numberCount == 2 * count
        case 21, 22, 23: numberCount == (count + 1) / 2
        case 25, 26: numberCount == (count + 3) / 4
        default: numberCount == count
        }
      }
    guard type == 8 || needed != nil, isSound else {
      throw InferenceError(
        .malformed, "tensor \(printable(text: name))",
        expected: "data for the shape \(lengths) of type \(type)",
        found: rawCount.map { "\($0) bytes" } ?? "\(numberCount) numbers")
    }
  }

  /// The bits of one number; `TensorProto.DataType`.
  private static let bitsOfType: [Int: Int] = [
    1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64, 14: 64,
    15: 128, 16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4, 23: 4, 24: 8, 25: 2, 26: 2,
  ]
}
