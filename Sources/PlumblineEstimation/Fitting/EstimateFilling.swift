public import PlumblineModel

/// A sensor's depth map whose holes are filled by a fitted estimate.
///
/// What the sensor measured stays bit by bit. What was filled in is marked, has no confidence and the ±
/// of the fit, which is at least the sensor's.
public struct EstimateFilling: Sendable {
  /// The depths on the sensor's grid.
  public let depth: DepthMap
  /// One standard deviation of each, in meters; NaN where missing.
  public let sigmaMeters: Raster<Float>
  /// 1 where the estimate filled in, 0 elsewhere.
  public let inventedPixels: Raster<UInt8>
  /// The number of pixels filled in.
  public let inventedCount: Int

  /// Fills the holes; O(*n*) of the sensor's map.
  ///
  /// - Parameters:
  ///   - sensor: The sensor's map, turned as the image is stored, of the image's field of view.
  ///   - sigma: The ± of the sensor's depths.
  ///   - estimate: The estimate of the image.
  ///   - fit: Its fit.
  public init(
    _ sensor: DepthMap, sigma: SigmaCurve, by estimate: DepthEstimate, fit: EstimateFit
  ) {
    let size = sensor.size
    let image = estimate.grid.placement.imageSize
    let scale = SIMD2(
      Double(image.width) / Double(max(size.width, 1)),
      Double(image.height) / Double(max(size.height, 1)))
    var meters = sensor.meters.packed
    var sigmas = Raster(size: size, repeating: Float.nan)
    var marks = Raster<UInt8>(size: size, repeating: 0)
    var count = 0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let measured = meters[x, y]
        if measured > 0, measured < .infinity {
          sigmas[x, y] = Float(sigma.sigmaMeters(atDepth: Double(measured)))
          continue
        }
        let pixel = (SIMD2(Double(x), Double(y)) + 0.5) * scale - 0.5
        let depth = estimate.meters(at: pixel, by: fit)
        meters[x, y] = Float(depth)
        guard !depth.isNaN else { continue }
        let own = sigma.sigmaMeters(atDepth: depth)
        let fitted = fit.sigmaMeters(atDepth: depth)
        sigmas[x, y] = Float((own * own + fitted * fitted).squareRoot())
        marks[x, y] = 1
        count += 1
      }
    }
    depth = DepthMap(meters: meters)
    sigmaMeters = sigmas
    inventedPixels = marks
    inventedCount = count
  }
}
