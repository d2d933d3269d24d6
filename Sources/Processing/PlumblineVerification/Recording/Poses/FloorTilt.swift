import PlumblineModel

/// How far the lowest level surface of a recording is from level by the world's own up.
///
/// The surface is the lowest one on which a tenth of all upward points lie: a floor, where one is seen,
/// else a table. A tilt is an error of the world's up, of the poses, or a floor that is not level.
public struct FloorTilt: Sendable, Hashable {
  /// The angle between the surface's normal and up, in degrees.
  public var degrees: Double
  /// One standard deviation, from the scatter of the frames.
  public var sigmaDegrees: Double
  /// The frames that see the surface.
  public var frameCount: Int

  /// Whether the tilt is more than chance and more than floors have: a degree and a half.
  ///
  /// A choice: ARKit's up is within some tenths of a degree, floors of houses within a few tenths.
  var isDoubtful: Bool { degrees > max(1.5, 3 * sigmaDegrees) }
}

/// Finds the lowest level surface in frames with poses.
struct FloorFinder {
  /// A surface within this angle of level counts as level: its cosine, of 15°.
  private static let levelCosine = 0.966
  /// The thickness of a layer of the height histogram, in meters.
  private static let layerMeters = 0.02
  /// Points within this of the surface belong to it, in meters.
  private static let reachMeters = 0.04
  /// The share of the upward points that makes a surface.
  private static let leastShare = 0.1
  /// The number of points that are examined in each frame, about.
  private static let pointCount = 15_000
  /// The least number of points in a frame, and of frames.
  private static let leastPoints = 200
  private static let leastFrames = 3

  /// The points of one frame that look up: two horizontal coordinates and the height, in meters.
  typealias LevelPoints = [SIMD3<Double>]

  /// The upward unit vector of a world, with two horizontal ones; `nil` where up is not known.
  static func axes(of world: WorldAxes) -> Rotation? {
    switch world {
    case .yUp: Rotation(x: [1, 0, 0], y: [0, 0, -1], z: [0, 1, 0])
    case .zUp: Rotation(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1])
    case .unknown: nil
    }
  }

  /// The points of a frame whose surface looks up; O(*n*).
  static func levelPoints(of frame: PosedDepth, axes: Rotation) -> LevelPoints {
    let horizonFromCamera = axes.inverse * frame.worldFromCamera.rotation
    let position = axes.inverse * frame.worldFromCamera.translation
    let share = Double(frame.inverse.size.pixelCount) / Double(pointCount)
    let stride = max(1, Int(share.squareRoot().rounded(.up)))
    return frame.flatPoints(stride: stride).compactMap { point, normal in
      let length = (normal * normal).sum().squareRoot()
      // The plane's normal points away from the camera; the surface looks back.
      let up = -(horizonFromCamera * normal).z / length
      return up >= levelCosine ? horizonFromCamera * point + position : nil
    }
  }

  /// The tilt of the surface; `nil` where no frame, or too few, see one.
  static func tilt(of frames: [LevelPoints]) -> FloorTilt? {
    guard let height = height(in: frames) else { return nil }
    let slopes = frames.compactMap { slope(of: $0, near: height) }
    guard slopes.count >= leastFrames else { return nil }
    let mean = slopes.reduce(SIMD2.zero, +) / Double(slopes.count)
    let squares = slopes.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
    let variance = squares / Double(slopes.count - 1) / Double(slopes.count)
    let tilt = (mean * mean).sum().squareRoot()
    return FloorTilt(
      degrees: arccosine(1 / (1 + tilt * tilt).squareRoot()) * 180 / .pi,
      // Of a small slope the angle is the slope.
      sigmaDegrees: variance.squareRoot() * 180 / .pi, frameCount: slopes.count)
  }

  /// The height of the lowest layer that holds enough of all points, in meters.
  private static func height(in frames: [LevelPoints]) -> Double? {
    let heights = frames.flatMap { $0.map(\.z) }
    guard heights.count >= leastPoints, let lowest = heights.min() else { return nil }
    var layers: [Int: Int] = [:]
    for height in heights {
      layers[Int(min((height - lowest) / layerMeters, 1e9)), default: 0] += 1
    }
    // Three layers together, since a surface may lie on the border of two.
    let found = layers.keys.sorted().first { layer in
      let count = (layer - 1...layer + 1).reduce(0) { $0 + layers[$1, default: 0] }
      return Double(count) >= leastShare * Double(heights.count)
    }
    return found.map { lowest + (Double($0) + 0.5) * layerMeters }
  }

  /// The slope of the surface in one frame: its rise along both horizontal axes; `nil` where the frame
  /// does not see it.
  ///
  /// A regression of the height, repeated with the points near the surface that was found.
  private static func slope(of points: LevelPoints, near height: Double) -> SIMD2<Double>? {
    var (slope, middle) = (SIMD2<Double>.zero, SIMD3<Double>(0, 0, height))
    for round in 0..<4 {
      // At first a wide layer, since a tilted surface leaves a thin one.
      let reach = round == 0 ? 3 * reachMeters : reachMeters
      let near = points.filter { point in
        let offset = point - middle
        return abs(offset.z - slope.x * offset.x - slope.y * offset.y) < reach
      }
      guard near.count >= leastPoints else { return nil }
      let fit = PlaneRegression(near)
      middle = fit.mean
      // A surface as narrow as a hand has no slope across it.
      guard fit.determinant > 0,
        fit.determinant > (1e-3 * Double(near.count)) * (fit.xx + fit.yy)
      else { return nil }
      slope = fit.slope
    }
    return slope
  }
}
