import PlumblineModel
import PlumblineVision

/// Cameras and poses from views, with a ± that knows that neighboring views are alike.
struct BoardEstimator {
  /// The device's own camera to start from; `nil` when it gives none, and the center of the image
  /// is taken for the principal point.
  var start: PinholeIntrinsics?

  /// Where the board stands for a camera; `nil` where no pose explains the corners.
  static func pose(of view: BoardView, through camera: CameraModel) -> RigidTransform? { nil }

  /// One estimate; `nil` where the views do not determine it.
  func estimate(_ views: [BoardView], lens: CalibrationEstimate.Lens) -> CalibrationEstimate? {
    nil
  }
}
