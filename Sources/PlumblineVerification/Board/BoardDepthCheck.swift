import PlumblineModel
import PlumblineNumerics
import PlumblineVision

/// The sensor's depth against the board, in one frame and through one camera.
public struct BoardDepthCheck: Sendable {
  /// The name of the frame in messages.
  public var frameName: String
  /// The median depth of the sensor at the corners, in meters.
  public var distanceMeters: Double
  /// The angle between the board's normal and the optical axis, in radians.
  public var tiltRadians: Double
  /// Sensor depth minus board depth at each corner where the sensor measured, in meters, by the
  /// number of the corner.
  public var differencesMeters: [Int: Double]
  /// The lengths between corners as the sensor and the camera have them, against the board's;
  /// `nil` where too few corners were measured.
  public var length: LengthError?
  /// The root mean square distance of the sensor's points from their own plane, in meters; `nil`
  /// where too few were measured.
  public var planeRMSMeters: Double?

  /// How the sensor's depth slopes across the board against how the board leans; `nil` where too
  /// few corners were measured.
  var slopes: DepthSlopes.Frame?
  /// How far half of the corners miss, once depth is scaled to fit the board, in meters.
  var missMeters: Double
  /// The board's pose, which separates frames of one pose from others.
  var cameraFromBoard: RigidTransform

  /// The error of lengths that are measured on the board.
  public struct LengthError: Hashable, Sendable {
    /// Measured over true length, minus 1.
    public var share: Double
    /// One standard deviation of `share` from the noise of the sensor alone.
    public var sigmaShare: Double
  }

  /// Compares one frame; `nil` where the sensor measured fewer than six corners, O(corners²).
  ///
  /// - Parameters:
  ///   - frame: A frame with depth.
  ///   - camera: From pixels to rays.
  ///   - cameraFromBoard: Where the board stands for the same camera.
  ///   - shape: Where its corners truly are; `nil` for a flat board.
  init?(
    _ frame: BoardFrame, camera: CameraModel, cameraFromBoard: RigidTransform,
    shape: BoardShape? = nil
  ) {
    guard let depth = frame.depth else { return nil }
    let board = frame.view.board
    var points: [(inCamera: SIMD3<Double>, inBoard: SIMD3<Double>)] = []
    differencesMeters = [:]
    for (corner, z) in zip(frame.view.corners, depth.cornerDepths) {
      guard let z else { continue }
      let cornerInBoard =
        shape?.corner(corner.id, of: board) ?? board.cornerInBoard(corner.id)
      differencesMeters[corner.id] = z - (cameraFromBoard * cornerInBoard).z
      points.append((SIMD3(camera.ray(through: corner.pixel) * z, z), cornerInBoard))
    }
    guard points.count >= 6, let distance = points.map(\.inCamera.z).median
    else { return nil }
    frameName = frame.name
    self.cameraFromBoard = cameraFromBoard
    // A wrong scale of depth, or a wrong side of the squares, is no map that lies wrong.
    let ratios = points.map { $0.inCamera.z / (cameraFromBoard * $0.inBoard).z }
    let spread = SampleSpread(ratios)
    missMeters =
      spread.map { distance * $0.medianAbsoluteDeviation / max(abs($0.median), 1e-9) } ?? 0
    slopes = DepthSlopes.Frame(
      rays: points.map { SIMD2($0.inCamera.x, $0.inCamera.y) / $0.inCamera.z },
      depths: points.map(\.inCamera.z), boardNormal: cameraFromBoard.rotation.z)
    distanceMeters = distance
    tiltRadians = arccosine(min(1, abs(cameraFromBoard.rotation.z.z)))
    length = LengthError(points, minimumMeters: 3 * board.squareMeters)
    let surface = depth.places.map {
      SIMD3(camera.ray(through: $0.pixel) * $0.depth, $0.depth)
    }
    planeRMSMeters = PlaneFit(surface)?.rms
  }
}

extension BoardDepthCheck.LengthError {
  /// The median over all pairs of corners that are at least a length apart; `nil` for fewer than
  /// three such pairs.
  ///
  /// Pairs share corners, so that only the number of corners, not of pairs, makes the ± smaller.
  init?(_ points: [(inCamera: SIMD3<Double>, inBoard: SIMD3<Double>)], minimumMeters: Double) {
    var shares: [Double] = []
    for (index, first) in points.enumerated() {
      for second in points[(index + 1)...] {
        let truth = (first.inBoard - second.inBoard).length
        guard truth >= minimumMeters * 0.999 else { continue }
        shares.append((first.inCamera - second.inCamera).length / truth - 1)
      }
    }
    guard shares.count >= 3, let spread = SampleSpread(shares) else { return nil }
    share = spread.median
    // The efficiency of a median is 2/π of a mean's.
    sigmaShare = spread.sigma * (Double.pi / 2 / Double(points.count)).squareRoot()
  }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  var length: Double { (self * self).sum().squareRoot() }
}
