import PlumblineIO

/// What the numbers of a depth map mean, as the HEVC message in its `auxC` subtype says.
///
/// The depth representation information message of ITU-T H.265 §G.14.2.3. iPhones store the range
/// of disparities in it a second time, so it survives when a program strips XMP.
struct DepthRepresentation: Sendable, Hashable {
  /// How codes map to depth, ITU-T H.265 table G.2: 1 and 0 are uniform in disparity (inverse
  /// depth), 2 is uniform in depth, 3 goes through a table.
  let type: Int
  /// The nearest depth.
  let nearestZ: Double?
  /// The farthest depth.
  let farthestZ: Double?
  /// The disparity of code 0, per meter in Apple's files.
  let minimumDisparity: Double?
  /// The disparity of the largest code, per meter in Apple's files.
  let maximumDisparity: Double?

  /// Reads a subtype: its length, then messages that each follow their own length.
  ///
  /// - Returns: The first depth representation, or `nil` when there is none.
  /// - Throws: `.malformed` when lengths or codes leave the bytes.
  static func read(auxiliarySubtype: [UInt8]) throws(CaptureReadingError) -> DepthRepresentation? {
    guard !auxiliarySubtype.isEmpty else { return nil }
    var reader = ByteReader(auxiliarySubtype[...], path: ["auxC", "subtype"])
    let total = Int(try reader.readUInt32("a length"))
    var messages = ByteReader(try reader.readBytes(total, as: "messages"), path: reader.path)
    while !messages.isAtEnd {
      let length = Int(try messages.readUInt32("a length"))
      let unit = try messages.readBytes(length, as: "a message")
      if let found = try read(unit: unit, path: reader.path) { return found }
    }
    return nil
  }

  private static func read(
    unit: ArraySlice<UInt8>, path: [String]
  ) throws(CaptureReadingError) -> DepthRepresentation? {
    guard let header = HEVCUnitHeader(unit), header.type == .prefixMessage else { return nil }
    let payload = removingEmulationPrevention(unit.dropFirst(2))
    var reader = ByteReader(payload[...], path: path)
    guard try readMessageNumber(&reader) == 177 else { return nil }
    let size = try readMessageNumber(&reader)
    let body = try reader.readBytes(size, as: "a depth representation")
    var bits = BitReader([UInt8](body), path: path + ["depth representation"])
    return try read(&bits)
  }

  /// Reads a message's type or size: bytes of 255 add up with the first smaller one.
  private static func readMessageNumber(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> Int {
    var sum = 0
    while true {
      let byte = try reader.readUInt8("a message's type or size")
      sum += Int(byte)
      if byte != 255 { return sum }
    }
  }

  private static func read(
    _ bits: inout BitReader
  ) throws(CaptureReadingError) -> DepthRepresentation {
    let hasNearestZ = try bits.readFlag("a flag")
    let hasFarthestZ = try bits.readFlag("a flag")
    let hasMinimum = try bits.readFlag("a flag")
    let hasMaximum = try bits.readFlag("a flag")
    let type = Int(try bits.readGolomb("a representation type", atMost: 15))
    if hasMinimum || hasMaximum { _ = try bits.readGolomb("a reference view", atMost: 1023) }
    return DepthRepresentation(
      type: type,
      nearestZ: hasNearestZ ? try readElement(&bits) : nil,
      farthestZ: hasFarthestZ ? try readElement(&bits) : nil,
      minimumDisparity: hasMinimum ? try readElement(&bits) : nil,
      maximumDisparity: hasMaximum ? try readElement(&bits) : nil)
  }

  /// Reads sign, exponent and mantissa (ITU-T H.265 §G.14.3.3); exponent 127 is unspecified.
  private static func readElement(_ bits: inout BitReader) throws(CaptureReadingError) -> Double? {
    let sign: Double = try bits.readFlag("a sign") ? -1 : 1
    let exponent = Int(try bits.readBits(7, as: "an exponent"))
    let length = Int(try bits.readBits(5, as: "a mantissa length")) + 1
    let mantissa = Double(try bits.readBits(length, as: "a mantissa"))
    guard exponent < 127 else { return nil }
    let power = exponent == 0 ? -(30 + length) : exponent - 31
    let significand = exponent == 0 ? mantissa : 1 + mantissa / Double(UInt64(1) << UInt64(length))
    return sign * Double(sign: .plus, exponent: power, significand: significand)
  }
}
