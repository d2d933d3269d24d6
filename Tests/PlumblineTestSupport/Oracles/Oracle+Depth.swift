package import PlumblineModel

extension Oracle {
  /// `1/x` where x is finite and above 0 and the result is finite; NaN elsewhere.
  ///
  /// - Returns: The double-precision quotient rounded once to single precision.
  package static func reciprocal(_ raster: Raster<Float>) -> Raster<Float> {
    raster.map { value in
      guard value > 0, value < .infinity else { return .nan }
      let quotient = Float(1 / Double(value))
      return quotient < .infinity ? quotient : .nan
    }
  }

  /// The values of stored codes by the straight line through both ends.
  package static func values(
    of codes: Raster<UInt8>, quantization rule: LinearQuantization
  ) -> Raster<Float> {
    codes.map { code in
      let share =
        Double(Int(code) - rule.minimumCode) / Double(rule.maximumCode - rule.minimumCode)
      return Float(rule.minimumValue + share * (rule.maximumValue - rule.minimumValue))
    }
  }

  /// The value of an IEEE half-precision bit pattern, from sign, exponent and fraction.
  ///
  /// - Source: IEEE 754-2019, binary16.
  package static func halfPrecisionValue(_ bits: UInt16) -> Double {
    let sign = bits & 0x8000 == 0 ? 1.0 : -1.0
    let exponent = Int(bits >> 10 & 0x1F)
    let fraction = Double(bits & 0x3FF) / 1024
    switch exponent {
    case 0: return sign * fraction * 0x1p-14
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default: return sign * Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
    }
  }
}
