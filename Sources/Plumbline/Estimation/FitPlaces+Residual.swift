import PlumblineEstimation
import PlumblineModel

extension FitPlaces {
  /// Distances and corners are put on a grid of at most so many columns and rows: on the image's own
  /// grid a single pixel would not be visible.
  static let maximumGridSide = 256

  /// What a fit leaves at every position that was measured and took part in it, before edges are
  /// sharpened.
  ///
  /// Of a sensor's map it has the grid; distances and corners are one pixel each of a coarser one, and
  /// of several in one pixel the last counts. O(*n*) of the sensor's map.
  func residual(of estimate: DepthEstimate, by fit: EstimateFit) -> DepthResidual {
    let image = estimate.grid.placement.imageSize
    if let map {
      let scale = Self.scale(from: map.size, to: image)
      let own = Raster(size: map.size) { x, y in
        Float(
          estimate.meters(at: (SIMD2(Double(x), Double(y)) + 0.5) * scale - 0.5, by: fit))
      }
      return DepthResidual(estimate: DepthMap(meters: own), measured: map) { [mapSigma] in
        mapSigma.sigmaMeters(atDepth: $0)
      }
    }
    let share = min(1, Double(Self.maximumGridSide) / Double(max(image.width, image.height)))
    let size = RasterSize(
      width: max(1, Int(Double(image.width) * share)),
      height: max(1, Int(Double(image.height) * share)))
    let scale = Self.scale(from: size, to: image)
    var meters = Raster(size: size, repeating: Float.nan)
    var sigmas = meters
    for sample in samples {
      let own = estimate.meters(at: sample.pixel, by: fit)
      guard own.isFinite else { continue }
      let place = (sample.pixel + 0.5) / scale
      let x = min(max(Int(place.x), 0), size.width - 1)
      let y = min(max(Int(place.y), 0), size.height - 1)
      meters[x, y] = Float(own - sample.meters)
      sigmas[x, y] = Float(sample.sigmaMeters)
    }
    return DepthResidual(meters: meters, sigmaMeters: sigmas)
  }

  private static func scale(from size: RasterSize, to image: RasterSize) -> SIMD2<Double> {
    SIMD2(
      Double(image.width) / Double(max(size.width, 1)),
      Double(image.height) / Double(max(size.height, 1)))
  }
}
