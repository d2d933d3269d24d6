/// The fields of one message of a Core ML model by their numbers; messages inside stay bytes.
struct CoreMLMessage {
  private var fields: [Int: [ProtobufReader.Field]] = [:]

  /// A message without fields.
  static let empty = CoreMLMessage()

  private init() {}

  init(_ bytes: ArraySlice<UInt8>) throws(InferenceError) {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() { fields[field.number, default: []].append(field) }
  }

  /// Whether a field is there.
  func has(_ number: Int) -> Bool { fields[number] != nil }

  /// The numbers of all fields.
  var numbers: [Int] { fields.keys.sorted() }

  /// A message inside; the last where there are several, as protobuf has it.
  func message(_ number: Int) throws(InferenceError) -> CoreMLMessage? {
    guard let field = fields[number]?.last else { return nil }
    return try CoreMLMessage(try field.bytes("a message"))
  }

  /// The messages of a repeated field.
  func messages(_ number: Int) throws(InferenceError) -> [CoreMLMessage] {
    var messages: [CoreMLMessage] = []
    for field in fields[number] ?? [] {
      messages.append(try CoreMLMessage(try field.bytes("a message")))
    }
    return messages
  }

  /// The texts of a repeated field.
  func texts(_ number: Int) throws(InferenceError) -> [String] {
    var texts: [String] = []
    for field in fields[number] ?? [] { texts.append(try field.text("a name")) }
    return texts
  }

  /// Whole numbers of a repeated field.
  func integers(_ number: Int) throws(InferenceError) -> [Int] {
    var list: [Int] = []
    for field in fields[number] ?? [] {
      try field.appendIntegers(to: &list, atMost: 64, "whole numbers")
    }
    return list
  }

  /// A whole number; 0 where it is left out.
  func integer(_ number: Int) throws(InferenceError) -> Int {
    try fields[number]?.last?.integer("a whole number") ?? 0
  }

  /// A float; 0 where it is left out.
  func float(_ number: Int) throws(InferenceError) -> Float {
    try fields[number]?.last?.float("a float") ?? 0
  }

  /// The weights of a field.
  func weights(_ number: Int) throws(InferenceError) -> CoreMLWeights? {
    guard let field = fields[number]?.last else { return nil }
    return try CoreMLWeights(try field.bytes("weights"))
  }
}
