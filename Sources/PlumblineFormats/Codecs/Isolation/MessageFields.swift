#if os(Linux)
  /// A message between a program and its decoder worker: fields, each with a number, a length and
  /// bytes.
  ///
  /// Fields of unknown numbers are stepped over, so that either side can come to say more.
  struct MessageFields: Sendable, Hashable {
    /// What a field holds.
    enum Tag: UInt16, Sendable {
      // From the program.
      case job = 1
      case regionBytes = 2
      case partLengths = 3
      case outputBytes = 4
      case width = 5
      case height = 6
      case scale = 7
      // From the worker.
      case hello = 32
      case done = 33
      case note = 34
      case failure = 35
      // Inside `note` and `failure`.
      case code = 64
      case text = 65
      case offset = 66
      case place = 67
      case expected = 68
      case found = 69
    }

    /// Bytes of the longest message; a picture of 1,024 units takes 4 kB for their lengths.
    static let mostBytes = 64 << 10
    private static let headerBytes = 6

    /// Fields in their order.
    private var fields: [(tag: UInt16, value: ArraySlice<UInt8>)] = []

    init() {}

    /// Takes a message apart; `nil` where a field runs over its end.
    init?(_ bytes: ArraySlice<UInt8>) {
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
    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      for field in fields {
        bytes.appendLittleEndian(field.tag)
        bytes.appendLittleEndian(UInt32(field.value.count))
        bytes += field.value
      }
      return bytes
    }

    // Adding.

    mutating func add(_ tag: Tag, _ value: [UInt8] = []) {
      fields.append((tag.rawValue, value[...]))
    }

    mutating func add(_ tag: Tag, _ number: Int) {
      var value: [UInt8] = []
      value.appendLittleEndian(Int64(number))
      add(tag, value)
    }

    mutating func add(_ tag: Tag, _ text: String) {
      // A sentence; whatever is longer must not fill the message.
      add(tag, Array(text.utf8.prefix(1_000)))
    }

    // Reading.

    /// The bytes of all fields of a kind.
    func all(_ tag: Tag) -> [ArraySlice<UInt8>] {
      fields.filter { $0.tag == tag.rawValue }.map { $0.value }
    }

    func has(_ tag: Tag) -> Bool { fields.contains { $0.tag == tag.rawValue } }

    /// A number from 0; `nil` when it is absent, negative or of another width.
    func number(_ tag: Tag) -> Int? {
      guard let value = all(tag).first, value.count == 8 else { return nil }
      return Int(exactly: Int64(bitPattern: Self.number(value))).flatMap { $0 < 0 ? nil : $0 }
    }

    /// A text with nothing in it that a terminal would obey.
    func text(_ tag: Tag) -> String? { all(tag).first.map { Self.text($0) } }

    static func text(_ value: ArraySlice<UInt8>) -> String {
      printable(text: String(decoding: value.prefix(1_000), as: UTF8.self))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  }
#endif
