#if os(Linux)
  import PlumblineIO

  /// A message between a program and its worker: fields with a number, a length and bytes.
  ///
  /// Unknown fields are skipped, so that either side can be extended.
  package struct MessageFields: Sendable, Hashable {
    /// The number that identifies a field.
    package enum Tag: UInt16, Sendable {
      // From the program.
      case job = 1
      case regionBytes = 2
      case partLengths = 3
      case outputBytes = 4
      case width = 5
      case height = 6
      case scale = 7
      // From the program to the worker of a network.
      case folder = 16
      case modelName = 17
      case modelBytes = 18
      case inputShape = 19
      case threads = 20
      case isReduced = 21
      case processorSeconds = 22
      case addressSpace = 23
      // From the worker.
      case hello = 32
      case done = 33
      case note = 34
      case failure = 35
      case input = 36
      case output = 37
      case roomNeeded = 38
      // Inside `note`, `failure`, `input` and `output`.
      case code = 64
      case text = 65
      case offset = 66
      case place = 67
      case expected = 68
      case found = 69
      case shape = 70
    }

    /// The maximum size of a message; an image of 1,024 units needs 4 kB for their lengths.
    package static let mostBytes = 64 << 10
    private static let headerBytes = 6

    /// Fields in their order.
    private var fields: [(tag: UInt16, value: ArraySlice<UInt8>)] = []

    package init() {}

    /// Parses a message; `nil` if a field runs past its end.
    package init?(_ bytes: ArraySlice<UInt8>) {
      var rest = bytes
      while !rest.isEmpty {
        guard rest.count >= Self.headerBytes else { return nil }
        let tag = Self.number(rest.prefix(2))
        let count = Self.number(rest.dropFirst(2).prefix(4))
        rest = rest.dropFirst(Self.headerBytes)
        guard count <= UInt64(rest.count) else { return nil }
        fields.append((UInt16(truncatingIfNeeded: tag), rest.prefix(Int(count))))
        rest = rest.dropFirst(Int(count))
      }
    }

    /// The message.
    package var bytes: [UInt8] {
      var bytes: [UInt8] = []
      for field in fields {
        bytes.appendLittleEndian(field.tag)
        bytes.appendLittleEndian(UInt32(field.value.count))
        bytes += field.value
      }
      return bytes
    }

    // Adding.

    package mutating func add(_ tag: Tag, _ value: [UInt8] = []) {
      fields.append((tag.rawValue, value[...]))
    }

    package mutating func add(_ tag: Tag, _ number: Int) {
      var value: [UInt8] = []
      value.appendLittleEndian(Int64(number))
      add(tag, value)
    }

    package mutating func add(_ tag: Tag, _ text: String) {
      // A sentence is truncated, so that it cannot fill the message.
      add(tag, Array(text.utf8.prefix(1_000)))
    }

    /// Adds integers, which may be negative.
    package mutating func add(_ tag: Tag, numbers: [Int]) {
      var value: [UInt8] = []
      for number in numbers { value.appendLittleEndian(Int64(number)) }
      add(tag, value)
    }

    // Reading.

    /// The bytes of all fields of a kind.
    package func all(_ tag: Tag) -> [ArraySlice<UInt8>] {
      fields.filter { $0.tag == tag.rawValue }.map { $0.value }
    }

    package func has(_ tag: Tag) -> Bool { fields.contains { $0.tag == tag.rawValue } }

    /// A number of at least 0; `nil` if it is absent, negative or of another width.
    package func number(_ tag: Tag) -> Int? {
      guard let value = all(tag).first, value.count == 8 else { return nil }
      return Int(exactly: Int64(bitPattern: Self.number(value))).flatMap { $0 < 0 ? nil : $0 }
    }

    /// A text with control characters escaped.
    package func text(_ tag: Tag) -> String? { all(tag).first.map { Self.text($0) } }

    package static func text(_ value: ArraySlice<UInt8>) -> String {
      printable(text: String(decoding: value.prefix(1_000), as: UTF8.self))
    }

    /// The integers of a field; `nil` if the bytes are not such numbers.
    package static func numbers(_ value: ArraySlice<UInt8>) -> [Int]? {
      guard value.count % 8 == 0 else { return nil }
      return stride(from: value.startIndex, to: value.endIndex, by: 8).map {
        Int(truncatingIfNeeded: Int64(bitPattern: number(value[$0..<$0 + 8])))
      }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  }
#endif

#if os(Linux)
  import CDecoderSandbox

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// The worker's end of the connection: its standard input.
  package enum WorkerChannel {
    /// The version of the messages; both sides are one program, unless its files were replaced
    /// while it ran.
    package static let version = 1

    /// Sends a message without changes.
    @discardableResult
    package static func send(_ bytes: [UInt8]) -> Bool {
      plb_send_message(0, bytes, bytes.count, -1) == bytes.count
    }

    /// Receives the next message, and the descriptor sent with it (-1 for none), which the caller
    /// must close; `nil` at the end.
    package static func receive() -> (fields: MessageFields, descriptor: CInt)? {
      var bytes = [UInt8](repeating: 0, count: MessageFields.mostBytes)
      var descriptor: CInt = -1
      let count = plb_receive_message(0, &bytes, bytes.count, -1, &descriptor)
      guard count > 0, let fields = MessageFields(bytes[..<Int(count)]) else {
        if descriptor >= 0 { close(descriptor) }
        return nil
      }
      return (fields, descriptor)
    }

    /// Receives the next message and maps its memory; `nil` at the end.
    package static func receive(_ region: inout SharedRegion?) -> MessageFields? {
      guard let (fields, descriptor) = receive() else { return nil }
      defer { if descriptor >= 0 { close(descriptor) } }
      if descriptor >= 0, let byteCount = fields.number(.regionBytes) {
        region = nil
        region = SharedRegion(descriptor: descriptor, byteCount: byteCount)
      }
      return fields
    }
  }
#endif
