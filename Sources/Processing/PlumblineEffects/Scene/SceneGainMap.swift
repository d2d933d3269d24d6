#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
package import PlumblineModel

/// The gain map of a scene: by how much each of its pixels is brighter where a display has the range.
///
/// The gain of a code is `least + range · share(code)`, as a factor of linear light.
package struct SceneGainMap: Sendable {
  /// The codes, of the image's shape, any size.
  package var codes: Raster<UInt8>
  /// The share of the range of gains that each of 256 codes is, 0 to 1, never falling.
  let shares: [Float]
  /// The gain of a share of 0.
  let least: Float
  /// By how much a share of 1 is more; `nil` where the file does not say.
  let range: Float?

  /// Reads a gain map of 8 bits.
  ///
  /// - Source: of the producer's form, Apple, *Applying Apple HDR effect to your photos*: a factor of
  ///   1 + (headroom − 1) · light of the code. Of the other, ISO 21496-1:2025: the binary logarithm of
  ///   the gain is a linear function of code^(1/gamma); its offsets, a 64th of white or less, are left
  ///   out.
  /// - Returns: `nil` for more than 8 bits, and for numbers that make the image the brighter one.
  package init?(_ map: GainMap) {
    guard case .uint8(let codes) = map.samples, codes.size.pixelCount > 0 else { return nil }
    self.codes = codes
    if let bytes = map.toneMapping {
      guard let numbers = ToneMappingNumbers(bytes) else { return nil }
      let (low, high) = (pow(2, numbers.least), pow(2, numbers.most))
      guard low.isFinite, high.isFinite, high > low, numbers.gamma > 0 else { return nil }
      least = Float(low)
      range = Float(high - low)
      shares = (0..<256).map { code in
        let place = pow(Double(code) / 255, 1 / numbers.gamma)
        let gain = pow(2, numbers.least + (numbers.most - numbers.least) * place)
        return Float((gain - low) / (high - low))
      }
    } else {
      least = 1
      range = map.headroom.flatMap { $0 > 1 && $0 < 1000 ? Float($0 - 1) : nil }
      shares = LinearLight.shared.linear.map { Float($0) / 65535 }
    }
  }

  /// The code whose share is nearest.
  func code(of share: Float) -> UInt8 {
    var (low, high) = (0, 255)
    while low < high {
      let middle = (low + high) / 2
      // Halfway to the next code.
      if (shares[middle] + shares[middle + 1]) / 2 < share {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return UInt8(low)
  }
}

/// The numbers of ISO 21496-1 that say what a gain map's codes mean.
struct ToneMappingNumbers: Hashable {
  /// The binary logarithms of the gains of the least and the largest code.
  var least: Double
  var most: Double
  /// The exponent that codes were made with.
  var gamma: Double

  /// Reads a gain map of one channel; `nil` for any other, and for what does not hold together.
  ///
  /// - Parameter bytes: From the versions on, big-endian: both versions, flags (128 three channels, 8 a
  ///   common denominator, 4 the image is the brighter one), then fractions.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 5, bytes[0] == 0, bytes[1] == 0, bytes[4] & 0x84 == 0 else { return nil }
    func word(_ index: Int) -> UInt32? {
      let place = 5 + 4 * index
      guard place + 4 <= bytes.count else { return nil }
      return bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func fraction(_ numerator: Int, _ denominator: Int, isSigned: Bool) -> Double? {
      guard let top = word(numerator), let bottom = word(denominator), bottom > 0 else {
        return nil
      }
      return (isSigned ? Double(Int32(bitPattern: top)) : Double(top)) / Double(bottom)
    }
    // The headrooms of both images come first.
    let isCommon = bytes[4] & 8 != 0
    let least = isCommon ? fraction(3, 0, isSigned: true) : fraction(4, 5, isSigned: true)
    let most = isCommon ? fraction(4, 0, isSigned: true) : fraction(6, 7, isSigned: true)
    let gamma = isCommon ? fraction(5, 0, isSigned: false) : fraction(8, 9, isSigned: false)
    guard let least, let most, let gamma, abs(least) < 30, abs(most) < 30, gamma > 0 else {
      return nil
    }
    (self.least, self.most, self.gamma) = (least, most, gamma)
  }
}
