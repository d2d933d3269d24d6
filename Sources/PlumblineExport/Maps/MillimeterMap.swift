public import PlumblineModel

/// A depth map in whole millimeters of 16 bits, as many programs read depth from PNG files.
///
/// 0 means not measured. Values are rounded to the nearest millimeter, halves to the even one.
public struct MillimeterMap: Sendable {
  /// Millimeters along the optical axis; 0 where not measured or not representable.
  public let millimeters: Raster<UInt16>
  /// How many measured pixels lie beyond 65.535 m and became 0.
  public let tooFarCount: Int
  /// How many measured pixels lie within half a millimeter and became 0.
  public let tooNearCount: Int

  /// Rounds a map; O(*n*).
  public init(_ depth: DepthMap) {
    var (tooFar, tooNear) = (0, 0)
    let meters = depth.meters
    let samples = [UInt16](unsafeUninitializedCapacity: depth.size.pixelCount) { buffer, count in
      meters.samples.withUnsafeBufferPointer { source in
        for y in 0..<meters.height {
          for x in 0..<meters.width {
            let value = source[y &* meters.rowStride &+ x]
            // The product is exact in double precision up to rounding far below a half.
            let rounded = (Double(value) * 1000).rounded(.toNearestOrEven)
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
    millimeters = Raster(size: depth.size, samples: samples)
    tooFarCount = tooFar
    tooNearCount = tooNear
  }
}
