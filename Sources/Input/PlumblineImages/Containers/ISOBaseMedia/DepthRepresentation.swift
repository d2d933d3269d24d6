import PlumblineIO
import PlumblineModel

/// The meaning of a depth map's codes, from the HEVC message in its `auxC` subtype.
///
/// It is the depth representation information message of ITU-T H.265 §G.14.2.3. iPhones repeat the
/// range of disparities in it, so the range survives when a program strips the XMP.
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
  /// The disparity of the maximum code, per meter in Apple's files.
  let maximumDisparity: Double?

  /// Reads a subtype: its length, then messages, each after its own length.
  ///
  /// - Returns: The first depth representation, or `nil` when there is none.
  /// - Throws: `.malformed` when lengths or codes run past the bytes.
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

  /// Reads a message's type or size: bytes of 255 are summed up to and including the first smaller
  /// byte.
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

extension DepthRepresentation {
  /// The bytes after the type in `auxC`: a length, then the message after its own length.
  ///
  /// Like iPhones, it writes the message without the trailing bit of other units.
  /// - Source: ITU-T H.265 §G.14.2.3; the framing was found in real files.
  var auxiliarySubtype: [UInt8] {
    var bits = HEVCBitWriter()
    let elements = [nearestZ, farthestZ, minimumDisparity, maximumDisparity]
    for element in elements { bits.write(element == nil ? 0 : 1, bits: 1) }
    bits.writeGolomb(type)
    if minimumDisparity != nil || maximumDisparity != nil { bits.writeGolomb(0) }
    for element in elements.compactMap(\.self) { Self.write(element, to: &bits) }
    if !bits.isAligned { bits.writeTrailingBits() }
    let message = [177, UInt8(bits.bytes.count)] + bits.bytes
    let unit = HEVCUnitWriting.unit(.prefixMessage, message)
    return [UInt8](bigEndian: unit.count + 4, bytes: 4) + [UInt8](bigEndian: unit.count, bytes: 4)
      + unit
  }

  /// The message for a stored map: the values of its minimum and maximum codes.
  init(_ depth: PhotoDepth) {
    let rule = depth.quantization
    let last = depth.codes.maximumCode
    let low = rule.minimumCode == 0 ? rule.minimumValue : rule.value(0)
    let high = rule.maximumCode == last ? rule.maximumValue : rule.value(last)
    switch depth.quantity {
    case .disparity:
      self.init(
        type: 1, nearestZ: nil, farthestZ: nil, minimumDisparity: low, maximumDisparity: high)
    case .depth:
      self.init(
        type: 2, nearestZ: low, farthestZ: high, minimumDisparity: nil, maximumDisparity: nil)
    }
  }

  /// Writes sign, exponent and mantissa (ITU-T H.265 §G.14.3.3).
  ///
  /// The mantissa has 16 bits if they keep the six decimals that XMP prints, as phones write it, or
  /// else 32.
  private static func write(_ value: Double, to bits: inout HEVCBitWriter) {
    bits.write(value < 0 ? 1 : 0, bits: 1)
    let magnitude = abs(value)
    // No phone writes a number below 2⁻³⁰; it becomes 0, with exponent 0 and mantissa 0.
    guard magnitude.isFinite, magnitude >= 0x1p-30, magnitude < 0x1p95 else {
      bits.write(magnitude.isFinite && magnitude < 1 ? 0 : 127, bits: 7)
      bits.write(15, bits: 5)
      bits.write(0, bits: 16)
      return
    }
    var exponent = Int(magnitude.exponent)
    let fraction = magnitude.significand - 1
    let short = (fraction * 0x1p16).rounded() / 0x1p16
    let error = abs(short - fraction) * Double(sign: .plus, exponent: exponent, significand: 1)
    let length = error <= 5e-7 ? 16 : 32
    var mantissa = Int((fraction * (length == 16 ? 0x1p16 : 0x1p32)).rounded())
    if mantissa == 1 << length { (mantissa, exponent) = (0, exponent + 1) }
    bits.write(exponent + 31, bits: 7)
    bits.write(length - 1, bits: 5)
    bits.write(mantissa, bits: length)
  }
}
