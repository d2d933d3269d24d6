/// Integer samples as a file stores them, without an interpretation.
public enum StoredSamples: Sendable, Equatable {
  /// Samples of up to 8 bits.
  case uint8(Raster<UInt8>)
  /// Samples of 9 to 16 bits, right-aligned; `bitDepth` says how many are used.
  case uint16(Raster<UInt16>, bitDepth: Int)

  /// The number of columns and rows.
  public var size: RasterSize {
    switch self {
    case .uint8(let raster): raster.size
    case .uint16(let raster, _): raster.size
    }
  }

  /// The maximum code that the samples can hold, such as 255.
  public var maximumCode: Int {
    switch self {
    case .uint8: 255
    case .uint16(_, let bitDepth): (1 << bitDepth) - 1
    }
  }
}

/// The linear conversion from stored integer codes to values, given by two points.
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
  package init(minimumCode: Int, maximumCode: Int, minimumValue: Double, maximumValue: Double) {
    precondition(minimumCode < maximumCode, "codes \(minimumCode)…\(maximumCode) do not ascend")
    precondition(minimumValue.isFinite && maximumValue.isFinite, "values must be finite")
    self.minimumCode = minimumCode
    self.maximumCode = maximumCode
    self.minimumValue = minimumValue
    self.maximumValue = maximumValue
  }

  /// The difference between the values of two neighboring codes.
  public var step: Double {
    // Codes come from files, and the difference of two codes may not fit an `Int`.
    (maximumValue - minimumValue) / (Double(maximumCode) - Double(minimumCode))
  }

  /// The value of a code.
  public func value(_ code: Int) -> Double {
    minimumValue + (Double(code) - Double(minimumCode)) * step
  }

  /// The code whose value is nearest, clamped to the range; the minimum code for NaN.
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
      // A damaged stream may contain more bits than it declares; such codes are clamped to the
      // maximum.
      return raster.map { table[min(Int($0), table.count - 1)] }
    }
  }
}

/// A depth map in 16-bit integer codes with a fixed number of codes per meter, as RGB-D data sets
/// use.
///
/// 0 means not measured. Values are rounded to the nearest code, halves to the even one. A value
/// that 16 bits cannot represent becomes 0 and is counted; it is never clipped.
package struct DepthCodes: Sendable {
  /// Codes along the optical axis; 0 where not measured or not representable.
  package let codes: Raster<UInt16>
  /// The number of measured pixels beyond code 65,535, which became 0.
  package let tooFarCount: Int
  /// The number of measured pixels nearer than half a code, which became 0.
  package let tooNearCount: Int
  /// The maximum measured depth in meters; `nil` when nothing was measured.
  package let farthestMeters: Float?

  /// Rounds a map to codes, for example to millimeters with 1000 codes per meter; O(*n*).
  ///
  /// - Precondition: `codesPerMeter` is finite and above 0.
  package init(_ depth: DepthMap, codesPerMeter: Double) {
    precondition(codesPerMeter > 0 && codesPerMeter < .infinity, "\(codesPerMeter) codes a meter")
    var (tooFar, tooNear) = (0, 0)
    var farthest: Float = 0
    let meters = depth.meters
    let samples = [UInt16](unsafeUninitializedCapacity: depth.size.pixelCount) { buffer, count in
      meters.samples.withUnsafeBufferPointer { source in
        for y in 0..<meters.height {
          for x in 0..<meters.width {
            let value = source[y &* meters.rowStride &+ x]
            // NaN is not larger than any number.
            if value > farthest { farthest = value }
            // The product in double precision has a rounding error far below half a code.
            let rounded = (Double(value) * codesPerMeter).rounded(.toNearestOrEven)
            let isFar = rounded > 65_535
            let isNear = rounded < 1
            tooFar &+= isFar ? 1 : 0
            tooNear &+= isNear ? 1 : 0
            buffer[count] = isFar || !(rounded >= 1) ? 0 : UInt16(rounded)
            count &+= 1
          }
        }
      }
    }
    codes = Raster(size: depth.size, samples: samples)
    tooFarCount = tooFar
    tooNearCount = tooNear
    farthestMeters = farthest > 0 ? farthest : nil
  }
}
