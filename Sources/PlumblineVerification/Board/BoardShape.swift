import PlumblineModel
import PlumblineVision

/// Where the corners of a real board truly are: no sheet is flat.
///
/// A board that is bent by a tenth of a millimeter moves corners by tenths of a pixel, always the
/// same ones by the same way, which is far above the noise of a corner and does not average out.
/// - Source: K. H. Strobl, G. Hirzinger, More accurate pinhole camera calibration with imperfect
///   planar target, 2011, who estimate the corners together with the camera.
public struct BoardShape: Sendable {
  /// The fewest views, and the fewest orientations of them, that tell a bent board from a wrong
  /// camera: each corner has three numbers.
  static let minimumViews = 8
  /// See ``minimumViews``.
  static let minimumOrientations = 5

  /// How far each corner is from its place on a flat board, in meters of the board's frame, by its
  /// number.
  public let offsets: [SIMD3<Double>]
  /// The root mean square distance of the corners from the plane, in meters.
  public let flatnessMeters: Double

  /// The shape that a fit found; `nil` where the board is flat as far as the views tell, that is
  /// where its shape does not shrink the residuals decisively.
  init?(_ estimate: LensEstimate, flat: LensEstimate?) {
    guard let flat, LensComparison.decisiveRatio * estimate.rmsPixels < flat.rmsPixels else {
      return nil
    }
    offsets = estimate.fit.boardOffsets
    flatnessMeters = estimate.fit.boardFlatnessMeters
  }

  /// Where a corner truly is, in meters of the board.
  func corner(_ id: Int, of board: Board) -> SIMD3<Double> {
    board.cornerInBoard(id) + offsets[id]
  }
}
