import Foundation
package import PlumblineFaces
import PlumblineGeometry
import PlumblineModel

/// A morphable model that is made of formulas alone, so that every checkout has one.
///
/// It is half an ellipsoid with a nose, brows, sockets, lips and a chin as bumps of `z`, on a grid of
/// longitude and latitude. Identity is size, three proportions and eight bumps of some millimeters;
/// expressions move skin as their names say. It resembles no real person and is used for its laws.
package struct SyntheticFace: Sendable {
  /// The grid's columns of vertices.
  package let columns: Int
  /// The grid's rows of vertices.
  package let rows: Int
  /// The model.
  package let model: MorphableModel

  /// The half axes of the ellipsoid, meters.
  static let axes = SIMD3(0.075, 0.105, 0.095)
  /// How far the grid reaches to each side and up, radians.
  static let reach = SIMD2(1.36, 1.15)

  /// Makes the model; some 10 ms for the usual 41 × 45 vertices.
  ///
  /// - Throws: `MorphableModelError`, which would be a fault of these formulas.
  package init(columns: Int = 41, rows: Int = 45) throws {
    precondition(columns > 2 && rows > 2, "a grid of \(columns) × \(rows)")
    self.columns = columns
    self.rows = rows
    var mean: [PackedPoint] = []
    var coordinates: [SIMD2<Float>] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let share = SIMD2(
          Double(column) / Double(columns - 1), Double(row) / Double(rows - 1))
        let point = Self.point((2 * share - 1) * Self.reach)
        mean.append(PackedPoint(x: Float(point.x), y: Float(point.y), z: Float(point.z)))
        coordinates.append(SIMD2<Float>(SIMD2(share.x, 1 - share.y)))
      }
    }
    var triangles: [TriangleIndices] = []
    for row in 0..<rows - 1 {
      for column in 0..<columns - 1 {
        let a = UInt32(row * columns + column)
        let (b, c, d) = (a + 1, a + 1 + UInt32(columns), a + UInt32(columns))
        triangles += [TriangleIndices(a, b, c), TriangleIndices(a, c, d)]
      }
    }
    func mode(_ move: (SIMD3<Double>) -> SIMD3<Double>) -> [PackedPoint] {
      mean.map { point in
        let way = move(SIMD3<Double>(point.vector))
        return PackedPoint(x: Float(way.x), y: Float(way.y), z: Float(way.z))
      }
    }
    var identity = [
      mode { 0.03 * $0 }, mode { [0.03 * $0.x, 0, 0] }, mode { [0, 0.025 * $0.y, 0] },
      mode { [0, 0, 0.03 * $0.z] },
    ]
    identity += Self.identityBumps.map { bump in mode { bump.move($0) } }
    let (grid, placed) = (SIMD2(columns, rows), mean.count)
    model = try MorphableModel(
      name: "synthetic", license: "made of formulas", mean: mean, identity: identity,
      expressions: Self.expressions.map { (name: $0.name, deltas: mode($0.move)) },
      triangles: triangles,
      texture: TextureLayout(coordinates: coordinates, triangles: triangles),
      anchors: SyntheticLandmarks.places.map { Self.anchor(at: $0, grid: grid, count: placed) })
  }

  /// The position of a longitude and latitude.
  static func point(_ angles: SIMD2<Double>) -> SIMD3<Double> {
    let base = SIMD3(
      axes.x * sin(angles.x) * cos(angles.y), axes.y * sin(angles.y),
      axes.z * cos(angles.x) * cos(angles.y))
    return base + features.reduce(SIMD3<Double>.zero) { $0 + $1.move(base) }
  }

  /// The anchor above a position of the plane x, y: bumps move along `z` alone, so it stays above.
  private static func anchor(
    at place: SIMD2<Double>, grid: SIMD2<Int>, count: Int
  ) -> LandmarkAnchor {
    let latitude = asin(min(0.9, max(-0.9, place.y / axes.y)))
    let longitude = asin(min(0.97, max(-0.97, place.x / axes.x / cos(latitude))))
    let last = SIMD2(Double(grid.x - 1), Double(grid.y - 1))
    let at = (SIMD2(longitude, latitude) / reach + 1) / 2 * last
    let (column, row) = (
      min(grid.x - 2, max(0, Int(at.x))), min(grid.y - 2, max(0, Int(at.y)))
    )
    let (u, v) = (at.x - Double(column), at.y - Double(row))
    let a = row * grid.x + column
    let c = a + 1 + grid.x
    // The diagonal goes from the lower left to the upper right corner.
    return u > v
      ? LandmarkAnchor(
        vertices: [a, a + 1, c], shares: SIMD3<Float>(SIMD3(1 - u, u - v, v)))
      : LandmarkAnchor(
        vertices: [a, c, a + grid.x], shares: SIMD3<Float>(SIMD3(1 - v, u, v - u)))
  }
}

/// A displacement with its maximum at one position of the plane x, y and fades like a normal distribution.
struct SkinMove: Sendable {
  var center: SIMD2<Double>
  var reach: SIMD2<Double>
  var way: SIMD3<Double>
  /// Whether the same happens on the other side of the head, mirrored.
  var isMirrored = false

  func move(_ point: SIMD3<Double>) -> SIMD3<Double> {
    func share(_ center: SIMD2<Double>) -> Double {
      let ratio = (SIMD2(point.x, point.y) - center) / reach
      return exp(-(ratio * ratio).sum() / 2)
    }
    let own = way * share(center)
    guard isMirrored else { return own }
    return own + SIMD3(-way.x, way.y, way.z) * share([-center.x, center.y])
  }
}

extension SyntheticFace {
  /// What makes an ellipsoid a face; along `z` alone.
  static let features = [
    SkinMove(center: [0, -0.005], reach: [0.009, 0.017], way: [0, 0, 0.018]),
    SkinMove(center: [0.03, 0.036], reach: [0.016, 0.006], way: [0, 0, 0.003], isMirrored: true),
    SkinMove(
      center: [0.031, 0.022], reach: [0.011, 0.007], way: [0, 0, -0.005], isMirrored: true),
    SkinMove(center: [0, -0.042], reach: [0.018, 0.006], way: [0, 0, 0.005]),
    SkinMove(center: [0, -0.072], reach: [0.015, 0.01], way: [0, 0, 0.006]),
  ]

  /// The modes of identity beside size and proportions, each as far as one standard deviation.
  static let identityBumps = [
    SkinMove(center: [0, -0.01], reach: [0.01, 0.014], way: [0, 0, 0.003]),
    SkinMove(
      center: [0.012, -0.014], reach: [0.01, 0.01], way: [0.0015, 0, 0], isMirrored: true),
    SkinMove(center: [0.03, 0.036], reach: [0.02, 0.01], way: [0, 0, 0.002], isMirrored: true),
    SkinMove(center: [0.04, -0.02], reach: [0.016, 0.02], way: [0, 0, 0.003], isMirrored: true),
    SkinMove(center: [0, -0.075], reach: [0.016, 0.014], way: [0, -0.002, 0.003]),
    SkinMove(center: [0.05, -0.05], reach: [0.016, 0.02], way: [0.003, 0, 0], isMirrored: true),
    SkinMove(center: [0, 0.065], reach: [0.03, 0.018], way: [0, 0, 0.003]),
    SkinMove(center: [0.032, 0.022], reach: [0.014, 0.01], way: [0.002, 0, 0], isMirrored: true),
  ]

  /// The expressions; `_L` is the head's left, where `x` is positive.
  static let expressions: [(name: String, move: @Sendable (SIMD3<Double>) -> SIMD3<Double>)] = [
    (
      "browInnerUp_L",
      SkinMove(center: [0.015, 0.036], reach: [0.01, 0.01], way: [0, 0.008, 0]).move
    ),
    (
      "browInnerUp_R",
      SkinMove(center: [-0.015, 0.036], reach: [0.01, 0.01], way: [0, 0.008, 0]).move
    ),
    // ARKit has no shape of this name.
    (
      "cheekRaiser_L",
      SkinMove(center: [0.04, 0], reach: [0.012, 0.01], way: [0, 0.005, 0.002]).move
    ),
    (
      "eyeBlink_L",
      SkinMove(center: [0.032, 0.026], reach: [0.01, 0.004], way: [0, -0.007, 0.002]).move
    ),
    (
      "eyeBlink_R",
      SkinMove(center: [-0.032, 0.026], reach: [0.01, 0.004], way: [0, -0.007, 0.002]).move
    ),
    (
      "jawOpen",
      { point in
        let share = 1 / (1 + exp((point.y + 0.046) / 0.004))
        return SIMD3(0, -0.018, -0.006) * share * exp(-point.x * point.x / 0.005)
      }
    ),
    (
      "mouthPucker",
      SkinMove(
        center: [0.02, -0.042], reach: [0.01, 0.008], way: [-0.008, 0, 0.005], isMirrored: true
      )
      .move
    ),
    (
      "mouthSmile_L",
      SkinMove(center: [0.026, -0.042], reach: [0.012, 0.01], way: [0.006, 0.006, -0.002]).move
    ),
    (
      "mouthSmile_R",
      SkinMove(center: [-0.026, -0.042], reach: [0.012, 0.01], way: [-0.006, 0.006, -0.002]).move
    ),
  ]
}
