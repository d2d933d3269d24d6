import PlumblineIO
import PlumblineModel

extension DepthRepresentation {
  /// The bytes after the type in `auxC`: a length, then the message after its own length.
  ///
  /// As iPhones write it, a message without the bit that ends other units.
  /// - Source: ITU-T H.265 §G.14.2.3; the framing read out of real files.
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

  /// What a stored map says in its bitstream: the values of its least and maximum code.
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

  /// Writes sign, exponent and mantissa (ITU-T H.265 §G.14.3.3): 16 bits where they say the six
  /// decimals that XMP prints, as with phones, else 32.
  private static func write(_ value: Double, to bits: inout HEVCBitWriter) {
    bits.write(value < 0 ? 1 : 0, bits: 1)
    let magnitude = abs(value)
    // Below 2⁻³⁰ there are no phones' numbers: 0, with exponent 0 and mantissa 0.
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
