import PlumblineCorrection
package import PlumblineModel

extension DepthEstimate {
  /// Meters on the image's own grid after a fit, and the ± of each.
  ///
  /// - Parameters:
  ///   - fit: A fit of this estimate.
  ///   - image: The image as stored, along whose edges the depth is sharpened; `nil` to leave it.
  /// - Returns: Depths and their ± in meters, NaN where missing. Cost: O(*n*) of the image.
  package func fitted(
    by fit: EstimateFit, sharpenedAlong image: Raster<RGB8>? = nil
  ) -> (depth: DepthMap, sigmaMeters: Raster<Float>) {
    let depth = depth(fit.rule, sharpenedAlong: image)
    return (depth, fit.sigma.sigmas(of: depth))
  }

  /// Meters on the image's own grid as estimated, sharpened along the image's edges; `nil` for a
  /// relative estimate.
  package func estimatedMeters(sharpenedAlong image: Raster<RGB8>?) -> DepthMap? {
    isMetric ? depth(.reciprocal(a: 1, b: 0), sharpenedAlong: image) : nil
  }

  /// The network's own numbers on the image's own grid, sharpened along the image's edges.
  ///
  /// Values that are not above 0 are missing in a sharpened map.
  package func relativeValues(sharpenedAlong image: Raster<RGB8>?) -> Raster<Float> {
    guard image != nil else { return relativeValues }
    if meaning == .relativeDepth {
      return depth(.line(a: 1, b: 0), sharpenedAlong: image).meters
    }
    return depth(.inverseLine(a: 1, b: 0), sharpenedAlong: image).meters.map { 1 / $0 }
  }

  /// Depths by a rule.
  func depth(_ rule: OutputRule, sharpenedAlong image: Raster<RGB8>?) -> DepthMap {
    guard let image else { return DepthMap(spread: values, rule, on: grid) }
    let placement = grid.placement
    precondition(
      image.size == placement.imageSize,
      "an image of \(image.size) for an estimate of \(placement.imageSize)")
    let seen = placement.seen
    let input = placement.orientation.inverse.uprightSize(of: placement.inputSize)
    let filled = placement.storedFilledSize
    // The output's own pixels, or nearly so where a border takes a part of them.
    func side(_ output: Int, _ filled: Int, _ input: Int, _ seen: Int) -> Int {
      min(max(Int((Double(output * filled) / Double(input)).rounded()), 2), seen)
    }
    let coarse = RasterSize(
      width: side(grid.size.width, filled.width, input.width, seen.size.width),
      height: side(grid.size.height, filled.height, input.height, seen.size.height))
    let step = SIMD2(
      Double(seen.size.width) / Double(coarse.width),
      Double(seen.size.height) / Double(coarse.height))
    let origin = SIMD2(Double(seen.x), Double(seen.y))
    let small = Raster(size: coarse) { x, y in
      let pixel = origin + (SIMD2(Double(x), Double(y)) + 0.5) * step - 0.5
      return Float(rule(Double(grid.value(at: pixel, in: values))))
    }
    let sharp = EdgeSharpening().sharpened(
      DepthMap(meters: small), along: image.cropped(to: seen)
    ).meters
    guard seen.size != image.size else { return DepthMap(meters: sharp) }
    var whole = Raster(size: image.size, repeating: DepthMap.missing)
    for y in 0..<seen.size.height {
      for x in 0..<seen.size.width { whole[seen.x + x, seen.y + y] = sharp[x, y] }
    }
    return DepthMap(meters: whole)
  }

  /// The fitted depth at a position of the image, in meters; NaN where there is none.
  ///
  /// - Parameters:
  ///   - pixel: A position in the image as stored.
  ///   - fit: A fit of this estimate.
  /// - Returns: Meters. Cost: O(1).
  public func meters(at pixel: SIMD2<Double>, by fit: EstimateFit) -> Double {
    fit.rule(Double(grid.value(at: pixel, in: values)))
  }
}

/// Draws the edges of an estimate where the image has them.
///
/// A network's output is coarser than the image and blurs over edges. Each of its pixels is first
/// averaged, twice, with neighbors of like color, then brought to the image's grid by
/// ``GuidedUpsampling``, where it takes the surface whose color it has.
/// - Source: Kopf et al., *Joint bilateral upsampling*, SIGGRAPH 2007.
struct EdgeSharpening: Sendable, Hashable {
  /// The radius of the averaging, in pixels of the output.
  var radiusPixels: Int
  /// The σ of a color's difference, in codes.
  var sigmaCodes: Float
  /// How far neighbors may be apart in depth to lie on one surface, as a share.
  var surfaceShare: Float

  /// Creates the step.
  init(radiusPixels: Int = 3, sigmaCodes: Float = 16, surfaceShare: Float = 0.05) {
    self.radiusPixels = radiusPixels
    self.sigmaCodes = sigmaCodes
    self.surfaceShare = surfaceShare
  }

  /// How often neighbors are averaged: twice reaches over an edge that is blurred over six pixels.
  private static let rounds = 2

  /// Depths on the image's grid with sharper edges; O(*n*) of the image.
  ///
  /// - Parameters:
  ///   - depth: Depths on a grid whose pixels cover the image's seen part evenly.
  ///   - image: The seen part of the image, at least as large.
  /// - Returns: Depths of the image's size.
  func sharpened(_ depth: DepthMap, along image: Raster<RGB8>) -> DepthMap {
    var frame = DepthFrame(
      depth: depth, sigma: SigmaCurve(perMeter: Double(surfaceShare) / 5), color: image)
    let filter = JointBilateralFilter(
      radiusPixels: radiusPixels, sigmaPixels: Float(radiusPixels) / 2 + 0.5,
      sigmaCodes: sigmaCodes, sigmas: nil)
    for _ in 0..<Self.rounds { _ = filter.apply(to: &frame) }
    _ = GuidedUpsampling(sigmaCodes: sigmaCodes, sigmas: 5, size: image.size).apply(to: &frame)
    return frame.depth
  }
}
