import PlumblineModel
import PlumblineVision

/// Cameras and poses from views, as the judgement of a calibration needs them.
struct BoardEstimator {
  /// The device's own camera; `nil` when it gives none, and the middle of the image is taken for
  /// the principal point.
  var start: PinholeIntrinsics?
  /// How corners that are far off count.
  var loss = RobustLoss.huber

  /// Where the board stands for a camera; `nil` where no pose explains the corners.
  ///
  /// The corners are freed from the lens first, so that the lens works as ``CameraModel/ray(through:)``
  /// says, in the one direction that the device's table has.
  static func pose(of view: BoardView, through camera: CameraModel) -> BoardPose? {
    let pinhole = CameraModel(intrinsics: camera.intrinsics)
    let intrinsics = camera.intrinsics
    let ideal = view.moved {
      camera.ray(through: $0) * intrinsics.focalLength + intrinsics.principalPoint
    }
    do throws(CalibrationError) {
      return try BoardPose.estimate(ideal, camera: pinhole)
    } catch {
      return nil
    }
  }

  /// One estimate with the halves of the views beside it; `nil` where the views do not determine it.
  ///
  /// Halves are the first and the second half in time: neighbors are so alike that every other view
  /// would confirm anything.
  func estimate(
    _ views: [BoardView], lens: LensEstimate.Lens, comparesHalves: Bool = false
  ) -> LensEstimate? {
    guard let whole = calibrated(views, lens), let sigma = whole.focalSigma else { return nil }
    let middle = views.count / 2
    let first = comparesHalves ? calibrated(Array(views[..<middle]), lens)?.focal : nil
    let second = comparesHalves ? calibrated(Array(views[middle...]), lens)?.focal : nil
    return LensEstimate(
      lens: lens, camera: whole.camera, focalSigma: sigma, rmsPixels: whole.rmsPixels,
      halves: first.flatMap { first in second.map { SIMD2(first, $0) } },
      cameraFromBoard: whole.views.map(\.cameraFromBoard),
      residuals: whole.views.map { $0.corners.map(\.residual) })
  }

  private func calibrated(_ views: [BoardView], _ lens: LensEstimate.Lens) -> CalibrationEstimate? {
    let free: FreeParameters =
      lens == .radial ? [.focal, .radial1, .radial2, .radial3] : .focal
    do throws(CalibrationError) {
      return try CameraCalibrator(
        free: free, loss: loss, minimumCorners: CalibrationVerification.minimumCorners
      ).calibrate(views, initial: start.map { CameraModel(intrinsics: $0) })
    } catch {
      return nil
    }
  }
}
