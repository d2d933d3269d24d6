package import PlumblineModel

/// A depth map in 16-bit integer millimeters, the usual form of depth in PNG files.
///
/// 0 means not measured. Values are rounded to the nearest millimeter, halves to the even one.
package struct MillimeterMap: Sendable {
  /// Millimeters along the optical axis; 0 where not measured or not representable.
  package let millimeters: Raster<UInt16>
  /// The number of measured pixels beyond 65.535 m, which became 0.
  package let tooFarCount: Int
  /// The number of measured pixels nearer than half a millimeter, which became 0.
  package let tooNearCount: Int

  /// Rounds a map; O(*n*).
  package init(_ depth: DepthMap) {
    let codes = DepthCodes(depth, codesPerMeter: 1000)
    millimeters = codes.codes
    tooFarCount = codes.tooFarCount
    tooNearCount = codes.tooNearCount
  }
}
