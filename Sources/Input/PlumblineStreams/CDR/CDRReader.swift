package import PlumblineIO

/// A cursor over one serialized ROS message.
///
/// A message of ROS 2 is in Common Data Representation with its four-byte encapsulation header, one
/// of ROS 1 little-endian without a header and without padding. Every count is checked before memory
/// is allocated.
///
/// - Source: OMG DDSI-RTPS 2.5, §10 *Serialized payload representation* (the encapsulation);
///   OMG DDS-XTypes 1.3, §7.4.1 and §7.4.2 (alignment of XCDR1 to 8 and of XCDR2 to 4 bytes); for
///   ROS 1 wiki.ros.org/msg and wiki.ros.org/ROS/Technical Overview.
package struct CDRReader {
  /// The default maximum number of items in a sequence.
  static let maximumItems = 1 << 20
  /// The maximum size of a string in bytes; names and messages have fewer than a thousand.
  static let maximumStringBytes = 1 << 20

  private var reader: ByteReader
  private let start: Int
  private let maximumAlignment: Int
  /// The serialization, which decides whether a header has a sequence number.
  let serialization: ROSSerialization

  /// Reads the encapsulation header of a message.
  ///
  /// - Parameters:
  ///   - bytes: The whole message; indices are offsets for errors.
  ///   - path: The enclosing structures, for errors.
  /// - Throws: `.malformed` for fewer than four bytes; `.unsupported` for parameter lists and
  ///   delimited structures, which ROS messages do not use.
  package init(_ bytes: ArraySlice<UInt8>, path: [String]) throws(CaptureReadingError) {
    reader = ByteReader(bytes, path: path)
    let encapsulation = try reader.readUInt16("the encapsulation")
    try reader.skip(2, as: "the encapsulation's options")
    switch encapsulation {
    case 0x0000, 0x0001: maximumAlignment = 8
    case 0x0006, 0x0007: maximumAlignment = 4
    default:
      throw CaptureReadingError(
        .unsupported, path: path, offset: bytes.startIndex,
        expected: "a plain CDR message (encapsulation 0, 1, 6 or 7)", found: "\(encapsulation)")
    }
    reader.endianness = encapsulation & 1 == 1 ? .little : .big
    start = reader.offset
    serialization = .cdr
  }

  /// Starts at the first field of a message of either serialization.
  ///
  /// - Throws: As ``init(_:path:)`` for CDR.
  package init(_ payload: ROSPayload, path: [String]) throws(CaptureReadingError) {
    switch payload.serialization {
    case .cdr: try self.init(payload.bytes, path: path)
    case .ros1: self.init(plain: payload.bytes, path: path)
    }
  }

  /// Starts at the first field of a message of ROS 1.
  private init(plain bytes: ArraySlice<UInt8>, path: [String]) {
    reader = ByteReader(bytes, endianness: .little, path: path)
    maximumAlignment = 1
    start = bytes.startIndex
    serialization = .ros1
  }

  /// Whether numbers are little-endian.
  var isLittleEndian: Bool { reader.endianness == .little }

  /// The number of bytes left, including padding.
  package var remaining: Int { reader.remaining }

  private mutating func align(to size: Int, _ what: String) throws(CaptureReadingError) {
    let alignment = min(size, maximumAlignment)
    let past = (reader.offset - start) % alignment
    if past > 0 { try reader.skip(alignment - past, as: "padding before \(what)") }
  }

  /// Reads one byte.
  package mutating func readUInt8(_ what: String) throws(CaptureReadingError) -> UInt8 {
    try reader.readUInt8(what)
  }

  /// Reads a Boolean; every byte except 0 is true.
  mutating func readBool(_ what: String) throws(CaptureReadingError) -> Bool {
    try reader.readUInt8(what) != 0
  }

  /// Reads a signed byte.
  mutating func readInt8(_ what: String) throws(CaptureReadingError) -> Int8 {
    Int8(bitPattern: try reader.readUInt8(what))
  }

  /// Reads an unsigned 16-bit number.
  package mutating func readUInt16(_ what: String) throws(CaptureReadingError) -> UInt16 {
    try align(to: 2, what)
    return try reader.readUInt16(what)
  }

  /// Reads an unsigned 32-bit number.
  package mutating func readUInt32(_ what: String) throws(CaptureReadingError) -> UInt32 {
    try align(to: 4, what)
    return try reader.readUInt32(what)
  }

  /// Reads a signed 32-bit number.
  package mutating func readInt32(_ what: String) throws(CaptureReadingError) -> Int32 {
    Int32(bitPattern: try readUInt32(what))
  }

  /// Reads a signed 64-bit number.
  mutating func readInt64(_ what: String) throws(CaptureReadingError) -> Int64 {
    try align(to: 8, what)
    return Int64(bitPattern: try reader.readUInt64(what))
  }

  /// Reads a number in double precision with its exact bits.
  mutating func readDouble(_ what: String) throws(CaptureReadingError) -> Double {
    try align(to: 8, what)
    return Double(bitPattern: try reader.readUInt64(what))
  }

  /// Reads a UTF-8 string, which ends with NUL in CDR only; invalid UTF-8 becomes replacement
  /// characters.
  ///
  /// - Throws: `.malformed` for a string that runs past the end; `.limitExceeded` for one longer
  ///   than ``maximumStringBytes``.
  mutating func readString(_ what: String) throws(CaptureReadingError) -> String {
    let count = Int(try readUInt32("the length of \(what)"))
    // Some writers omit the NUL of an empty string.
    guard count > 0 else { return "" }
    // A damaged length is damage of one message, not a string over the limit.
    guard count <= remaining else {
      throw reader.malformed(
        expected: "\(count) bytes of \(what)", found: "\(remaining) bytes left")
    }
    try require(count, atMost: Self.maximumStringBytes, "bytes of \(what)")
    let bytes = try reader.readBytes(count, as: what)
    return String(decoding: bytes.last == 0 ? bytes.dropLast() : bytes, as: UTF8.self)
  }

  /// Reads the count of a sequence and checks it against the bytes left.
  ///
  /// - Parameters:
  ///   - what: The sequence, for errors.
  ///   - minimumBytes: The minimum size of one item in bytes.
  ///   - limit: The maximum number of items that the message's definition allows.
  /// - Returns: The count.
  /// - Throws: `.malformed` if the bytes left are too few; `.limitExceeded`.
  mutating func readCount(
    _ what: String, minimumBytes: Int, atMost limit: Int = maximumItems
  ) throws(CaptureReadingError) -> Int {
    let count = Int(try readUInt32("the count of \(what)"))
    guard count <= remaining / minimumBytes else {
      throw reader.malformed(
        expected: "at most \(remaining / minimumBytes) of \(what), for which bytes are left",
        found: "\(count)")
    }
    try require(count, atMost: limit, "of \(what)")
    return count
  }

  /// Reads a sequence of bytes.
  package mutating func readBytes(_ what: String) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let count = try readCount(what, minimumBytes: 1, atMost: .max)
    return try reader.readBytes(count, as: what)
  }

  /// Reads a sequence of numbers in single precision; O(*n*).
  mutating func readFloats(_ what: String) throws(CaptureReadingError) -> [Float] {
    let count = try readCount(what, minimumBytes: 4, atMost: .max)
    if count > 0 { try align(to: 4, what) }
    return Self.floats(
      try reader.readBytes(4 * count, as: what), isLittleEndian: isLittleEndian)
  }

  /// Reads a sequence of unsigned 16-bit numbers; O(*n*).
  mutating func readUInt16s(_ what: String) throws(CaptureReadingError) -> [UInt16] {
    let count = try readCount(what, minimumBytes: 2, atMost: .max)
    return Self.uint16s(
      try reader.readBytes(2 * count, as: what), isLittleEndian: isLittleEndian)
  }

  /// Reads a sequence of numbers in double precision.
  mutating func readDoubles(
    _ what: String, atMost limit: Int = 4096
  ) throws(CaptureReadingError) -> [Double] {
    let count = try readCount(what, minimumBytes: 8, atMost: limit)
    return try readDoubles(count: count, what)
  }

  /// Reads a fixed number of numbers in double precision.
  mutating func readDoubles(
    count: Int, _ what: String
  ) throws(CaptureReadingError) -> [Double] {
    var numbers: [Double] = []
    for _ in 0..<count { numbers.append(try readDouble(what)) }
    return numbers
  }

  /// An error at this position.
  package func malformed(expected: String, found: String) -> CaptureReadingError {
    reader.malformed(expected: expected, found: found)
  }

  private func require(
    _ count: Int, atMost limit: Int, _ what: String
  ) throws(CaptureReadingError) {
    guard count <= limit else {
      throw CaptureReadingError(
        .limitExceeded, path: reader.path, offset: reader.offset,
        expected: "at most \(limit) \(what)", found: "\(count)")
    }
  }
}

extension CDRReader {
  /// Converts bytes to single-precision numbers; `bytes.count` is a multiple of 4; O(*n*).
  package static func floats(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> [Float] {
    words(bytes, UInt32.self, isLittleEndian: isLittleEndian) { Float(bitPattern: $0) }
  }

  /// Converts bytes to unsigned 16-bit numbers; `bytes.count` is a multiple of 2; O(*n*).
  static func uint16s(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> [UInt16] {
    words(bytes, UInt16.self, isLittleEndian: isLittleEndian) { $0 }
  }

  private static func words<Word: FixedWidthInteger & BitwiseCopyable, Number>(
    _ bytes: ArraySlice<UInt8>, _ word: Word.Type, isLittleEndian: Bool,
    _ number: (Word) -> Number
  ) -> [Number] {
    let width = MemoryLayout<Word>.size
    let count = bytes.count / width
    return bytes.withUnsafeBytes { source in
      [Number](unsafeUninitializedCapacity: count) { buffer, written in
        for index in 0..<count {
          let word = source.loadUnaligned(fromByteOffset: index &* width, as: Word.self)
          buffer.initializeElement(
            at: index,
            to: number(isLittleEndian ? Word(littleEndian: word) : Word(bigEndian: word)))
        }
        written = count
      }
    }
  }
}
