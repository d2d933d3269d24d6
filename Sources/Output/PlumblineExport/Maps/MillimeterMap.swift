package import PlumblineModel

/// A depth map in whole millimeters of 16 bits, as many programs read depth from PNG files.
///
/// 0 means not measured. Values are rounded to the nearest millimeter, halves to the even one.
package struct MillimeterMap: Sendable {
  /// Millimeters along the optical axis; 0 where not measured or not representable.
  package let millimeters: Raster<UInt16>
  /// How many measured pixels lie beyond 65.535 m and became 0.
  package let tooFarCount: Int
  /// How many measured pixels lie within half a millimeter and became 0.
  package let tooNearCount: Int

  /// Rounds a map; O(*n*).
  package init(_ depth: DepthMap) {
    let codes = DepthCodes(depth, codesPerMeter: 1000)
    millimeters = codes.codes
    tooFarCount = codes.tooFarCount
    tooNearCount = codes.tooNearCount
  }
}
