/// How far the sensor itself trusts each pixel, in whole levels from 0 (least) up.
public struct ConfidenceMap: Sendable {
  /// The levels, pixel by pixel of the depth map.
  public var levels: Raster<UInt8>
  /// The level of full confidence: 2 for ARKit.
  public var maximumLevel: UInt8

  /// Creates a map; levels above the maximum are taken as the maximum.
  public init(levels: Raster<UInt8>, maximumLevel: UInt8) {
    self.levels = levels.map { min($0, maximumLevel) }
    self.maximumLevel = maximumLevel
  }
}
