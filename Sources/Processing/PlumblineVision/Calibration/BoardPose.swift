package import PlumblineModel
import PlumblineNumerics

/// The pose of a board in front of a camera, with its uncertainty.
package struct BoardPose: Hashable, Sendable {
  /// The board's frame in the camera's, in meters.
  package var cameraFromBoard: RigidTransform
  /// The root mean square distance of the corners from where the pose puts them, in pixels.
  package var rmsPixels: Double
  /// How many times larger that distance is for the board leaning the other way.
  ///
  /// A flat board seen from afar looks nearly alike leaning toward or away; near 1 the choice is a
  /// guess. `nil` when the other leaning is no solution of its own.
  /// - Source: G. Schweighofer and A. Pinz, *Robust Pose Estimation from a Planar Target*, PAMI 28
  ///   (2006) 2024–2030.
  package var ambiguityRatio: Double?
  /// The covariance of a turn about (radians) and a shift along (meters) the camera's axes: 36
  /// numbers, row after row, scaled by the mean square of the residuals.
  package var covariance: [Double]

  /// One standard deviation of the turn about each camera axis, in radians.
  package var sigmaRotation: SIMD3<Double> { SIMD3(sigma(0), sigma(1), sigma(2)) }
  /// One standard deviation of the board's origin along each camera axis, in meters.
  package var sigmaTranslation: SIMD3<Double> { SIMD3(sigma(3), sigma(4), sigma(5)) }

  private func sigma(_ index: Int) -> Double { covariance[7 * index].squareRoot() }

  /// Finds the pose of a board in one view by the least squares of its corners.
  ///
  /// - Parameters:
  ///   - view: The view, not mirrored; see ``BoardView/unmirrored``.
  ///   - camera: The camera, of the view's image size.
  /// - Returns: The better one of the two leanings, refined.
  /// - Throws: ``CalibrationError`` for a mirrored view, another image size, fewer than 4 corners,
  ///   corners on one line, or when no pose in front of the camera explains them.
  package static func estimate(
    _ view: BoardView, camera: CameraModel
  ) throws(CalibrationError) -> BoardPose {
    let homography = try view.homography(through: camera)
    guard let start = RigidTransform(homography, of: view),
      let best = RefinedPose(start, of: view, camera: camera)
    else { throw view.poseless }
    let other = RefinedPose(
      best.cameraFromBoard.leaningOtherWay(of: view), of: view, camera: camera)
    guard let other, other.cameraFromBoard.rotation.angle(to: best.cameraFromBoard.rotation) > 1e-4
    else { return BoardPose(best, corners: view.corners.count, ambiguityRatio: nil) }
    let (lower, higher) = best.cost <= other.cost ? (best, other) : (other, best)
    // Without noise the better one has no residual left to divide by.
    let ratio = lower.cost > 0 ? (higher.cost / lower.cost).squareRoot() : nil
    return BoardPose(lower, corners: view.corners.count, ambiguityRatio: ratio)
  }

  private init(_ refined: RefinedPose, corners: Int, ambiguityRatio: Double?) {
    cameraFromBoard = refined.cameraFromBoard
    rmsPixels = (refined.cost / Double(corners)).squareRoot()
    self.ambiguityRatio = ambiguityRatio
    let variance = refined.cost / Double(2 * corners - 6)
    covariance = refined.inverse.scaled(by: variance).values
  }
}

extension BoardView {
  /// The map from the board to rays of the camera.
  func homography(through camera: CameraModel) throws(CalibrationError) -> PlaneHomography {
    guard !isMirrored else {
      throw CalibrationError(
        .mirroredView, expected: "an image that is not mirrored", found: "a mirror image")
    }
    guard imageSize == camera.intrinsics.size else {
      throw CalibrationError(
        .unequalSizes, expected: "an image of the camera's \(camera.intrinsics.size)",
        found: "\(imageSize)")
    }
    guard corners.count >= 4 else {
      throw CalibrationError(
        .tooFewCorners, expected: "at least 4 corners", found: "\(corners.count)")
    }
    var boardPoints: [SIMD2<Double>] = []
    var rays: [SIMD2<Double>] = []
    for corner in corners {
      guard let ray = camera.unproject(corner.pixel) else { continue }
      let point = board.cornerInBoard(corner.id)
      boardPoints.append(SIMD2(point.x, point.y))
      rays.append(ray)
    }
    guard let homography = PlaneHomography(from: boardPoints, to: rays) else {
      throw CalibrationError(
        .cornersOnLine, expected: "corners in two directions",
        found: "\(corners.count) corners of which all but one lie on a line")
    }
    return homography
  }

  fileprivate var poseless: CalibrationError {
    CalibrationError(
      .noPose, expected: "corners of one board in front of the camera",
      found: "\(corners.count) corners that no pose explains")
  }
}

extension RigidTransform {
  /// The pose that a map from a board to rays means, in front of the camera.
  ///
  /// - Source: Z. Zhang, *A Flexible New Technique for Camera Calibration*, PAMI 22 (2000), 3.1.
  fileprivate init?(_ homography: PlaneHomography, of view: BoardView) {
    var (x, y, origin) = homography.columns
    let length = ((x * x).sum().squareRoot() * (y * y).sum().squareRoot()).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    let middle = view.middleOfCorners
    let depth = x.z * middle.x + y.z * middle.y + origin.z
    let scale = (depth < 0 ? -1 : 1) / length
    x *= scale
    y *= scale
    origin *= scale
    guard let rotation = Rotation(nearX: x, nearY: y) else { return nil }
    self.init(rotation: rotation, translation: origin)
  }

  /// The board turned about its middle to lean the other way and look alike from afar: its normal
  /// mirrored at the line of sight, which is a half turn about that line after one about the normal.
  fileprivate func leaningOtherWay(of view: BoardView) -> RigidTransform {
    let middle = view.middleOfCorners
    let middleInCamera = self * middle
    guard let sight = middleInCamera.unit else { return self }
    func halfTurn(_ vector: SIMD3<Double>) -> SIMD3<Double> {
      sight * (2 * (sight * vector).sum()) - vector
    }
    let turned = Rotation(
      x: halfTurn(-rotation.x), y: halfTurn(-rotation.y), z: halfTurn(rotation.z))
    return RigidTransform(rotation: turned, translation: middleInCamera - turned * middle)
  }
}

extension BoardPose {
  /// The pose of a camera in each view; a view without one is named by its number.
  static func poses(
    of views: [BoardView], numbers: [Int], camera: CameraModel
  ) throws(CalibrationError) -> [RigidTransform] {
    var poses: [RigidTransform] = []
    for (view, number) in zip(views, numbers) {
      do throws(CalibrationError) {
        poses.append(try BoardPose.estimate(view, camera: camera).cameraFromBoard)
      } catch {
        throw error.inView(number)
      }
    }
    return poses
  }
}

extension BoardView {
  fileprivate var middleOfCorners: SIMD3<Double> {
    corners.reduce(SIMD3<Double>.zero) { $0 + board.cornerInBoard($1.id) } / Double(corners.count)
  }
}

/// A pose at the end of its descent.
private struct RefinedPose {
  var cameraFromBoard: RigidTransform
  var cost: Double
  /// The inverse of the normal equations, per px² of variance.
  var inverse: SymmetricMatrix

  init?(_ start: RigidTransform, of view: BoardView, camera: CameraModel) {
    var problem = ReprojectionProblem(
      camera: camera, parameters: [], views: [ObservedView(view)], poses: [start])
    guard case .converged = problem.minimize(), let equations = problem.equations?.first,
      let factor = equations.matrix.cholesky
    else { return nil }
    cameraFromBoard = problem.poses[0]
    cost = equations.cost
    inverse = factor.inverse
  }
}
