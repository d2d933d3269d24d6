public import PlumblineModel
public import PlumblineVision

/// A camera as estimated from views of a board, with its ±.
public struct LensEstimate: Sendable {
  /// What is assumed of the lens.
  public enum Lens: String, Sendable, CaseIterable {
    /// There is none left in the images.
    case focal
    /// Brown's radial polynomial, estimated together with the focal length.
    case radial
    /// The device's table from distorted to undistorted: what a lens that is still in the images
    /// needs.
    case tableInverse = "table-inverse"
    /// The device's table the wrong way round, for comparison.
    case tableForward = "table-forward"
  }

  /// What is assumed of the lens.
  public var lens: Lens
  /// The camera, in pixels of the images; the lens is the table that was applied, if any.
  public var camera: CameraModel
  /// One standard deviation of the focal length, in pixels of the images: that of the corners, and
  /// half of what the shape of the board changed.
  public var focalSigma: Double
  /// The root mean square distance between corners and their projections, in pixels.
  public var rmsPixels: Double
  /// The focal lengths of the first and the second half of the views alone; `nil` where a half has
  /// too few.
  public var halves: SIMD2<Double>?
  /// Where the board stands in each view.
  public var cameraFromBoard: [RigidTransform]
  /// Corner minus projection of each corner in each view, in pixels of the image without its lens.
  public var residuals: [[SIMD2<Double>]]

  /// The focal length along the columns, in pixels.
  public var focal: Double { camera.intrinsics.focalLength.x }

  /// The difference of the halves' focal lengths in percent; `nil` without them.
  public var splitHalfPercent: Double? {
    halves.map { 100 * ($0.y - $0.x) / focal }
  }

  /// One standard deviation of ``splitHalfPercent``, in percent; `nil` without halves.
  ///
  /// Each half has twice the variance of the whole, and their difference that of both.
  public var splitHalfSigmaPercent: Double? {
    halves.map { _ in 200 * focalSigma / focal }
  }

  /// The numbers of views whose corners miss three times as far as in the view in the middle.
  ///
  /// Corners of a moving board are off all together, by as much as it moves while the rows of the
  /// image are read; corners of a board at rest are not, whatever its distance.
  var movingViews: Set<Int> {
    let sizes = residuals.map { misses in
      (misses.reduce(0) { $0 + ($1 * $1).sum() } / Double(max(misses.count, 1))).squareRoot()
    }
    guard let median = SampleSpread.median(of: sizes) else { return [] }
    return Set(sizes.indices.filter { sizes[$0] > 3 * median })
  }

  /// Views freed from the lens of this estimate.
  func freed(_ views: [BoardView]) -> [BoardView] {
    let intrinsics = camera.intrinsics
    return views.map { view in
      view.moved {
        camera.ray(through: $0) * intrinsics.focalLength + intrinsics.principalPoint
      }
    }
  }
}
