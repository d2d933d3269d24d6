/// A depth map in whole numbers of 16 bits, so many to a meter, as RGB-D data sets keep it.
///
/// 0 means not measured. Values are rounded to the nearest code, halves to the even one. What 16
/// bits cannot say becomes 0 and is counted, never clipped.
public struct DepthCodes: Sendable {
  /// Codes along the optical axis; 0 where not measured or not representable.
  public let codes: Raster<UInt16>
  /// The number of measured pixels beyond the code 65,535, which became 0.
  public let tooFarCount: Int
  /// The number of measured pixels within half a code, which became 0.
  public let tooNearCount: Int
  /// The largest measured depth in meters; `nil` when nothing was measured.
  public let farthestMeters: Float?

  /// Rounds a map, 1000 codes per meter for millimeters; O(*n*).
  ///
  /// - Precondition: `codesPerMeter` is finite and above 0.
  public init(_ depth: DepthMap, codesPerMeter: Double) {
    precondition(codesPerMeter > 0 && codesPerMeter < .infinity, "\(codesPerMeter) codes a meter")
    var (tooFar, tooNear) = (0, 0)
    var farthest: Float = 0
    let meters = depth.meters
    let samples = [UInt16](unsafeUninitializedCapacity: depth.size.pixelCount) { buffer, count in
      meters.samples.withUnsafeBufferPointer { source in
        for y in 0..<meters.height {
          for x in 0..<meters.width {
            let value = source[y &* meters.rowStride &+ x]
            // NaN is not larger than anything.
            if value > farthest { farthest = value }
            // The product is exact in double precision up to rounding far below a half.
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
