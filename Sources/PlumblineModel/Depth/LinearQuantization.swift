/// The rule that turns stored integer codes into values: a straight line through two points.
///
/// - Source: Apple's `pixeldatainfo/1.0` XMP keys `IntMinValue`, `IntMaxValue`, `FloatMinValue`,
///   `FloatMaxValue`; see `Documentation/formats/xmp-apple-depth.md`. The unit is that of the
///   values: 1/m for disparity, m for depth.
public struct LinearQuantization: Hashable, Sendable {
  /// The code that means `minimumValue`.
  public var minimumCode: Int
  /// The code that means `maximumValue`.
  public var maximumCode: Int
  /// The value of `minimumCode`.
  public var minimumValue: Double
  /// The value of `maximumCode`.
  public var maximumValue: Double

  /// Creates a rule.
  ///
  /// - Precondition: The codes ascend and both values are finite.
  public init(minimumCode: Int, maximumCode: Int, minimumValue: Double, maximumValue: Double) {
    precondition(minimumCode < maximumCode, "codes \(minimumCode)…\(maximumCode) do not ascend")
    precondition(minimumValue.isFinite && maximumValue.isFinite, "values must be finite")
    self.minimumCode = minimumCode
    self.maximumCode = maximumCode
    self.minimumValue = minimumValue
    self.maximumValue = maximumValue
  }

  /// The difference between the values of two neighboring codes.
  public var step: Double {
    // Codes come out of files, and the difference of two of them may not fit an `Int`.
    (maximumValue - minimumValue) / (Double(maximumCode) - Double(minimumCode))
  }

  /// The value of a code.
  public func value(_ code: Int) -> Double {
    minimumValue + (Double(code) - Double(minimumCode)) * step
  }

  /// The code whose value is nearest, clamped to the range; the lowest code for NaN.
  public func code(_ value: Double) -> Int {
    guard !value.isNaN, step != 0 else { return minimumCode }
    let code = (Double(minimumCode) + (value - minimumValue) / step).rounded()
    guard code > Double(minimumCode) else { return minimumCode }
    guard code < Double(maximumCode) else { return maximumCode }
    return Int(code)
  }

  /// The values of a raster of codes, through a table of all codes; O(*n* + codes).
  public func values(of samples: StoredSamples) -> Raster<Float> {
    let table = (0...samples.maximumCode).map { Float(value($0)) }
    switch samples {
    case .uint8(let raster): return raster.map { table[Int($0)] }
    case .uint16(let raster, _):
      // A damaged stream may carry more bits than it declares; such codes are the maximum.
      return raster.map { table[min(Int($0), table.count - 1)] }
    }
  }
}
