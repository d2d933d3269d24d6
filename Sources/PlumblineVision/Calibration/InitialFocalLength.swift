import PlumblineModel

/// A first focal length from the shapes of flat boards alone, for square pixels and a known center.
///
/// - Source: Z. Zhang, *A Flexible New Technique for Camera Calibration*, PAMI 22 (2000), equations
///   3 and 4, with the principal point known: each map gives two linear equations for 1/f².
struct InitialFocalLength {
  /// The focal length in pixels, or `nil` when no board leans enough to tell.
  let pixels: Double?

  init(_ views: [BoardView], principalPoint: SIMD2<Double>, size: RasterSize) {
    // In units of the image's longer side all terms are near 1.
    let unit = Double(max(size.width, size.height))
    var square = 0.0
    var product = 0.0
    for view in views {
      let points = view.corners.map { view.board.cornerInBoard($0.id) }
      guard
        let map = PlaneHomography(
          from: points.map { SIMD2($0.x, $0.y) },
          to: view.corners.map { ($0.pixel - principalPoint) / unit })
      else { continue }
      var (x, y, _) = map.columns
      let length = ((x * x).sum() + (y * y).sum()).squareRoot()
      x /= length
      y /= length
      let orthogonal = (x.x * y.x + x.y * y.y, x.z * y.z)
      let equal = (
        x.x * x.x + x.y * x.y - y.x * y.x - y.y * y.y, x.z * x.z - y.z * y.z
      )
      for (image, depth) in [orthogonal, equal] {
        square += image * image
        product -= image * depth
      }
    }
    // With a = image terms, b = depth terms: minimize Σ(w·a + b)², so w = −Σab/Σa².
    let inverseSquare = product / square
    let focal = unit / inverseSquare.squareRoot()
    pixels = focal.isFinite && focal > unit / 20 && focal < unit * 50 ? focal : nil
  }
}
