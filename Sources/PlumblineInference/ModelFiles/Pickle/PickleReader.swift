import PlumblineIO

/// Reads the part of pickle that NumPy's arrays in dictionaries need; nothing of it is run.
///
/// The only functions that are known are those that make an array, a number type and bytes; any other
/// stops the reading with its name.
///
/// - Source: CPython, `Lib/pickletools.py` (opcodes of protocols 0 to 5); NumPy, `ndarray.__reduce__`.
struct PickleReader {
  /// The most containers; the weights of FCRN have some 5,000.
  static let maximumObjectCount = 200_000

  let bytes: ArraySlice<UInt8>
  var index: Int
  var stack: [PickleValue] = []
  private var marks: [Int] = []
  private var memo: [Int: PickleValue] = [:]
  var objects: [PickleObject] = []

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// Reads the pickle to its end and gives its one value.
  mutating func read() throws(InferenceError) -> PickleValue {
    while true {
      let place = index
      let code = try byte()
      if code == 0x2E { break }
      if try readValue(code) { continue }
      if try readContainer(code) { continue }
      guard try readMemo(code) else {
        throw InferenceError(
          .unsupported, "byte \(place)", expected: "a pickle of NumPy arrays in dictionaries",
          found: "the opcode 0x\(String(code, radix: 16))")
      }
    }
    guard stack.count == 1, let value = stack.last, marks.isEmpty else {
      throw malformed("one value at the end", "\(stack.count)")
    }
    return value
  }

  /// Plain values.
  private mutating func readValue(_ code: UInt8) throws(InferenceError) -> Bool {
    switch code {
    case 0x80: _ = try byte()  // PROTO
    case 0x95: _ = try bytes(8)  // FRAME
    case 0x4E: stack.append(.none)
    case 0x88: stack.append(.flag(true))
    case 0x89: stack.append(.flag(false))
    case 0x4B: stack.append(.integer(try number(1)))
    case 0x4D: stack.append(.integer(try number(2)))
    case 0x4A: stack.append(.integer(Int(Int32(truncatingIfNeeded: try number(4)))))
    case 0x8A:  // LONG1
      let size = try number(1)
      guard size <= 8 else { throw malformed("a whole number of 64 bits", "\(size) bytes") }
      let raw = try number(size)
      let shift = 64 - 8 * size
      stack.append(.integer(size == 0 ? 0 : (raw << shift) >> shift))
    case 0x47:  // BINFLOAT, big-endian
      stack.append(
        .float(Double(bitPattern: try bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })))
    case 0x58: stack.append(.text(try text(try number(4))))
    case 0x8C: stack.append(.text(try text(try number(1))))
    case 0x8D: stack.append(.text(try text(try number(8))))
    case 0x42, 0x54: stack.append(.bytes(try bytes(try number(4))))
    case 0x43, 0x55: stack.append(.bytes(try bytes(try number(1))))
    case 0x8E: stack.append(.bytes(try bytes(try number(8))))
    case 0x63:  // GLOBAL: two lines
      let module = try line()
      stack.append(.function("\(module) \(try line())"))
    case 0x93:  // STACK_GLOBAL
      guard case .text(let name)? = stack.popLast(), case .text(let module)? = stack.popLast()
      else { throw malformed("the name of a function", "another value") }
      stack.append(.function("\(module) \(name)"))
    default: return false
    }
    return true
  }

  /// Tuples, lists, dictionaries, and what is made of them.
  private mutating func readContainer(_ code: UInt8) throws(InferenceError) -> Bool {
    switch code {
    case 0x28: marks.append(stack.count)
    case 0x29: try add(.tuple([]))
    case 0x74: try add(.tuple(try sinceMark()))
    case 0x85: try add(.tuple(try pop(1)))
    case 0x86: try add(.tuple(try pop(2)))
    case 0x87: try add(.tuple(try pop(3)))
    case 0x5D: try add(.list([]))
    case 0x7D: try add(.dictionary([]))
    case 0x61: try append(try pop(1))
    case 0x65: try append(try sinceMark())
    case 0x73: try set(try pop(2))
    case 0x75: try set(try sinceMark())
    case 0x52: try reduce()
    case 0x62: try build()
    case 0x30: _ = try pop(1)
    default: return false
    }
    return true
  }

  private mutating func readMemo(_ code: UInt8) throws(InferenceError) -> Bool {
    switch code {
    case 0x71: try keep(at: try number(1))
    case 0x72: try keep(at: try number(4))
    case 0x94: try keep(at: memo.count)
    case 0x68: try recall(try number(1))
    case 0x6A: try recall(try number(4))
    default: return false
    }
    return true
  }

  private mutating func keep(at place: Int) throws(InferenceError) {
    guard let value = stack.last else { throw malformed("a value to keep", "none") }
    memo[place] = value
  }

  private mutating func recall(_ place: Int) throws(InferenceError) {
    guard let value = memo[place] else { throw malformed("a value kept before", "none") }
    stack.append(value)
  }

  mutating func add(_ object: PickleObject) throws(InferenceError) {
    guard objects.count < Self.maximumObjectCount else {
      throw malformed("at most \(Self.maximumObjectCount) containers", "more")
    }
    objects.append(object)
    stack.append(.object(objects.count - 1))
  }

  mutating func pop(_ count: Int) throws(InferenceError) -> [PickleValue] {
    guard stack.count - (marks.last ?? 0) >= count else {
      throw malformed("\(count) values", "fewer")
    }
    let values = Array(stack.suffix(count))
    stack.removeLast(count)
    return values
  }

  private mutating func sinceMark() throws(InferenceError) -> [PickleValue] {
    guard let mark = marks.popLast(), mark <= stack.count else {
      throw malformed("a mark before", "none")
    }
    let values = Array(stack[mark...])
    stack.removeLast(stack.count - mark)
    return values
  }

  private mutating func append(_ values: [PickleValue]) throws(InferenceError) {
    guard case .object(let place)? = stack.last, case .list(var list) = objects[place] else {
      throw malformed("a list to append to", "another value")
    }
    // Taken out, so that it grows in place.
    objects[place] = .tuple([])
    list += values
    objects[place] = .list(list)
  }

  private mutating func set(_ values: [PickleValue]) throws(InferenceError) {
    guard values.count.isMultiple(of: 2), case .object(let place)? = stack.last,
      case .dictionary(var entries) = objects[place]
    else { throw malformed("a dictionary and its pairs", "another value") }
    objects[place] = .tuple([])
    for pair in stride(from: 0, to: values.count, by: 2) {
      entries.append((values[pair], values[pair + 1]))
    }
    objects[place] = .dictionary(entries)
  }
}

extension PickleReader {
  mutating func byte() throws(InferenceError) -> UInt8 {
    guard index < bytes.endIndex else { throw malformed("an opcode", "the end of the file") }
    defer { index += 1 }
    return bytes[index]
  }

  mutating func bytes(_ count: Int) throws(InferenceError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.endIndex - index else {
      throw malformed("\(count) bytes", "\(bytes.endIndex - index)")
    }
    defer { index += count }
    return bytes[index..<(index + count)]
  }

  /// A little-endian number of up to 8 bytes; its sign only where it has all of them.
  mutating func number(_ count: Int) throws(InferenceError) -> Int {
    Int(
      truncatingIfNeeded: try bytes(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  mutating func text(_ count: Int) throws(InferenceError) -> String {
    guard let text = String(validating: try bytes(count), as: UTF8.self) else {
      throw malformed("a text in UTF-8", "other bytes")
    }
    return text
  }

  mutating func line() throws(InferenceError) -> String {
    guard let end = bytes[index...].prefix(257).firstIndex(of: 0x0A) else {
      throw malformed("a name of at most 256 bytes", "a longer one")
    }
    defer { index = end + 1 }
    return printable(bytes[index..<end])
  }

  func malformed(_ expected: String, _ found: String) -> InferenceError {
    InferenceError(.malformed, "pickle/byte \(index)", expected: expected, found: found)
  }
}
