internal import CKernels

extension DepthMap {
  /// Converts IEEE half-precision depths (`hdep`, meters) given as bit patterns; O(*n*).
  ///
  /// Zero, negative, infinite and NaN samples become missing. Half precision has steps of 0.49 mm
  /// at half a meter and 1.95 mm at two meters.
  public init(halfPrecisionMeters bits: Raster<UInt16>) {
    self.init(
      trusted: DepthConversion.convert(bits) { source, count, result in
        plb_depth_from_half(source, count, result)
      })
  }

  /// Converts IEEE half-precision disparities (`hdis`, 1/m) to depth in one pass; O(*n*).
  ///
  /// Equal to `DisparityMap(halfPrecisionInverseMeters:)` followed by `depthMap`, bit for bit.
  public init(halfPrecisionInverseMeters bits: Raster<UInt16>) {
    self.init(
      trusted: DepthConversion.convert(bits) { source, count, result in
        plb_depth_from_half_disparity(source, count, result)
      })
  }

  /// Converts half-precision disparities into the map's own memory, frame after frame; O(*n*).
  ///
  /// New memory costs more than the conversion, since the system provides it page by page.
  ///
  /// - Parameter bits: Half-precision bit patterns, 1/m; the map takes their size.
  public mutating func replace(withHalfPrecisionInverseMeters bits: Raster<UInt16>) {
    guard bits.size == size, meters.rowStride == size.width else {
      self = DepthMap(halfPrecisionInverseMeters: bits)
      return
    }
    meters.samples.withUnsafeMutableBufferPointer { result in
      DepthConversion.convert(bits, into: result) { source, count, result in
        plb_depth_from_half_disparity(source, count, result)
      }
    }
  }

  /// The depths as IEEE half-precision bit patterns, rounded to nearest even; O(*n*).
  ///
  /// Missing becomes the quiet NaN 0x7E00; depths over 65504 m become infinity.
  public var halfPrecisionMeters: Raster<UInt16> { meters.map(HalfPrecision.bits) }
}

extension DisparityMap {
  /// Converts IEEE half-precision disparities (`hdis`, 1/m) given as bit patterns; O(*n*).
  public init(halfPrecisionInverseMeters bits: Raster<UInt16>) {
    self.init(
      trusted: DepthConversion.convert(bits) { source, count, result in
        plb_depth_from_half(source, count, result)
      })
  }

  /// The disparities as IEEE half-precision bit patterns, rounded to nearest even; O(*n*).
  public var halfPrecisionInverseMeters: Raster<UInt16> { inverseMeters.map(HalfPrecision.bits) }
}

/// Conversions of half precision as bit patterns, since `Float16` does not exist on Intel Macs.
package enum HalfPrecision {
  /// The exact value of a bit pattern; NaN keeps its payload.
  package static func value(_ bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) << 16
    let magnitude = UInt32(bits & 0x7FFF)
    if magnitude >= 0x7C00 {
      return Float(bitPattern: sign | 0x7F80_0000 | (magnitude & 0x3FF) << 13)
    }
    // Multiplying by 2^112 re-biases the exponent and normalizes subnormals in one exact step.
    let scaled = Float(bitPattern: magnitude << 13) * Float(bitPattern: 0x7780_0000)
    return Float(bitPattern: scaled.bitPattern | sign)
  }

  /// The nearest bit pattern, ties to even; NaN becomes 0x7E00.
  static func bits(_ value: Float) -> UInt16 {
    if value.isNaN { return 0x7E00 }
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    let magnitude = value.magnitude
    // 65520 is the midpoint between the maximum half and the next power of two: it rounds to
    // infinity.
    if magnitude >= 65520 { return sign | 0x7C00 }
    if magnitude < 0x1p-14 {
      // Subnormal halves are multiples of 2^-24; the result 1024 is the smallest normal one.
      return sign | UInt16((magnitude * 0x1p24).rounded(.toNearestOrEven))
    }
    let pattern = magnitude.bitPattern
    let rounded = pattern + 0xFFF + (pattern >> 13 & 1)
    return sign | UInt16((rounded >> 13) - (112 << 10))
  }
}
