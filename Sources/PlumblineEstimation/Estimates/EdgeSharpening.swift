import PlumblineCorrection
import PlumblineModel

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
