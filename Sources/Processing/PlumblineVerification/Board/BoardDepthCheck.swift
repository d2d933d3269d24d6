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

/// How the sensor's depth slopes across the board, against how the board leans.
///
/// A plane's `1/z` is exactly linear in the ray `x/z`, `y/z`. A map that lies on its image has the
/// board's own slopes; one that shows a part of the view enlarged has them times that part; one
/// that is mirrored has one of them with the other sign.
struct DepthSlopes: Sendable, Hashable {
  /// The slopes of one frame per unit of the ray, as shares of `1/z` in its middle, so that
  /// neither the side of the squares nor the scale of depth takes part.
  struct Frame: Sendable, Hashable {
    var sensor: SIMD2<Double>
    var board: SIMD2<Double>

    /// Fits the plane of the sensor; `nil` for fewer than six positions or positions on a line.
    init?(rays: [SIMD2<Double>], depths: [Double], boardNormal: SIMD3<Double>) {
      guard rays.count >= 6 else { return nil }
      let count = Double(rays.count)
      let middle = rays.reduce(SIMD2<Double>.zero, +) / count
      let mean = depths.reduce(0) { $0 + 1 / $1 } / count
      var (xx, xy, yy, xd, yd) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for (ray, depth) in zip(rays, depths) {
        let r = ray - middle
        let d = 1 / depth - mean
        xx += r.x * r.x
        xy += r.x * r.y
        yy += r.y * r.y
        xd += r.x * d
        yd += r.y * d
      }
      let determinant = xx * yy - xy * xy
      guard determinant > 1e-6 * xx * yy, determinant > 0 else { return nil }
      sensor = SIMD2((xd * yy - yd * xy) / determinant, (yd * xx - xd * xy) / determinant) / mean
      // The board is where normal · point = offset, so 1/z = normal · ray / offset.
      let across = SIMD2(boardNormal.x, boardNormal.y)
      board = across / ((across * middle).sum() + boardNormal.z)
    }
  }

  /// The sensor's slope over the board's along columns and rows: 1 for a map that lies on its
  /// image.
  var ratio: SIMD2<Double>
  /// One standard deviation of each, from leaving out frames.
  var sigma: SIMD2<Double>

  /// Compares frames; `nil` for fewer than three, or where the board hardly leans.
  init?(_ frames: [Frame]) {
    guard frames.count >= 3 else { return nil }
    let products = frames.map { $0.sensor * $0.board }
    let squares = frames.map { $0.board * $0.board }
    let product = products.reduce(.zero, +)
    let square = squares.reduce(.zero, +)
    // A board that leans by ten degrees has a slope of 0.18.
    guard min(square.x, square.y) > 0.01 * Double(frames.count) else { return nil }
    let whole = product / square
    let left = frames.indices.map { (product - products[$0]) / (square - squares[$0]) }
    let count = Double(frames.count)
    let mean = left.reduce(SIMD2<Double>.zero, +) / count
    let variance =
      left.reduce(SIMD2<Double>.zero) { $0 + ($1 - mean) * ($1 - mean) } * ((count - 1) / count)
    ratio = whole
    sigma = SIMD2(variance.x.squareRoot(), variance.y.squareRoot())
  }

  /// What is wrong with how the map lies on its image.
  enum Fault: Hashable, Sendable {
    case mirroredLeftRight, mirroredTopBottom, upsideDown
    /// The map shows this share of the view, enlarged.
    case enlarged(share: Double)
  }

  /// How far ratios of sound devices may be from 1: depth whose scale is off by 0.6 % changes them
  /// by as much, and the local planes of filtered maps by 1 to 2 %.
  static let tolerance = 0.03

  /// `nil` where both ratios are 1 as far as the frames tell.
  var fault: Fault? {
    let isMirrored = (x: ratio.x + 4 * sigma.x < 0, y: ratio.y + 4 * sigma.y < 0)
    switch isMirrored {
    case (true, true): return .upsideDown
    case (true, false): return .mirroredLeftRight
    case (false, true): return .mirroredTopBottom
    case (false, false): break
    }
    let weights = SIMD2(1 / max(sigma.x * sigma.x, 1e-8), 1 / max(sigma.y * sigma.y, 1e-8))
    let mean = (ratio * weights).sum() / weights.sum()
    let deviation = (1 / weights.sum()).squareRoot()
    // Both axes must tell the same story: a single one is a bad map, not an enlarged one.
    let differ = abs(ratio.x - ratio.y) - 4 * (sigma * sigma).sum().squareRoot()
    guard differ < Self.tolerance, abs(mean - 1) > max(Self.tolerance, 4 * deviation) else {
      return nil
    }
    return .enlarged(share: mean)
  }
}
