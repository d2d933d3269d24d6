package import PlumblineModel
import PlumblineNumerics
package import PlumblineVision

/// A camera as estimated from views of a board under one assumption about its lens, with its ±.
public struct LensEstimate: Sendable {
  /// The lens model that is assumed.
  package enum Lens: String, Sendable, CaseIterable {
    /// There is none left in the images.
    case focal
    /// The device's table from distorted to undistorted: what a lens that is still in the images
    /// needs.
    case tableInverse = "table-inverse"
    /// Brown's radial polynomial of two terms, estimated together with the focal length.
    case radial
    /// A cubic spline of the radius, estimated together with the focal length.
    case spline
    /// The device's table the wrong way round, for comparison.
    case tableForward = "table-forward"
  }

  /// The lens model that is assumed.
  package var lens: Lens
  /// The camera, in pixels of the images; the lens is the table that was applied, if any.
  package var camera: CameraModel
  /// The fit with all its uncertainties; in pixels of the images without the lens where a table was
  /// applied.
  package var fit: BoardFit
  /// How well it predicts frames that it was not fitted to; `nil` where that was not asked.
  package var leftOut: LeftOutFrames?
  /// What freeing the principal point adds to the focal length, in pixels, whichever of the two
  /// was taken: which is right, no scatter over views shows.
  public var centerShift = 0.0
  /// The focal lengths of the first and the second half of the views alone; `nil` where a half has
  /// too few or that was not asked.
  public var halves: SIMD2<Double>?

  /// The focal length along the columns, in pixels.
  public var focal: Double { camera.intrinsics.focalLength.x }

  /// How much of ``centerShift`` counts as one standard deviation.
  static let centerShiftShare = 0.5

  /// The ± of ``focal`` in pixels, with its degrees of freedom.
  package var sigma: BlockSigma { fit.focalSigma.adding(centerShift * Self.centerShiftShare) }

  /// The ± of ``focal`` in pixels: the half width that holds 68 % of truths.
  public var focalSigma: Double { sigma.plusMinus }

  /// The root mean square distance between corners and their projections, in pixels, of the corners
  /// that were not rejected.
  public var rmsPixels: Double { fit.rmsPixels }

  /// Where the board stands in each view.
  package var cameraFromBoard: [RigidTransform] { fit.cameraFromBoard }

  /// Corner minus projection of each corner in each view, in pixels of the image without its lens.
  package var residuals: [[SIMD2<Double>]] { fit.residuals }

  /// The difference of the halves' focal lengths in percent; `nil` without them.
  package var splitHalfPercent: Double? {
    halves.map { 100 * ($0.y - $0.x) / focal }
  }

  /// One standard deviation of ``splitHalfPercent``, in percent; `nil` without halves.
  ///
  /// Each half has twice the variance of the whole, and their difference that of both.
  package var splitHalfSigmaPercent: Double? {
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
    guard let median = sizes.median else { return [] }
    return Set(sizes.indices.filter { sizes[$0] > 3 * median })
  }

  /// Views as they would be of a flat board: each corner moved by what the shape of the board does.
  func flattened(_ views: [BoardView]) -> [BoardView] {
    guard !fit.boardOffsets.isEmpty else { return views }
    let pinhole = fit.camera
    return zip(views, cameraFromBoard).map { view, pose in
      var flat = view
      flat.corners = view.corners.map { corner in
        let place = view.board.cornerInBoard(corner.id)
        guard let bent = pinhole.project(pose * (place + fit.boardOffsets[corner.id])),
          let straight = pinhole.project(pose * place)
        else { return corner }
        // The shape moves corners by tenths of a pixel, which no lens changes by a hundredth.
        return BoardCorner(id: corner.id, pixel: corner.pixel + straight - bent)
      }
      return flat
    }
  }
}

extension LensEstimate.Lens {
  /// Whether the device must have given a table.
  var needsTable: Bool { self == .tableInverse || self == .tableForward }

  /// The lens whose `undistorted` moves points as this assumption wants; `nil` where it moves none.
  func table(of distortion: LensDistortion?) -> LensDistortion? {
    guard let distortion, !distortion.isZero, needsTable else { return nil }
    if self == .tableInverse { return distortion }
    var swapped = distortion
    swapped.undistorting = distortion.distorting
    swapped.distorting = distortion.undistorting
    return swapped
  }
}

extension BoardView {
  /// The view with every corner moved.
  func moved(by move: (SIMD2<Double>) -> SIMD2<Double>) -> BoardView {
    var view = self
    view.corners = corners.map { BoardCorner(id: $0.id, pixel: move($0.pixel)) }
    return view
  }
}
