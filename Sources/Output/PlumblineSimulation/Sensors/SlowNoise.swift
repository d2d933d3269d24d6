internal import PlumblineModel

/// An error of depth that neighboring pixels and successive frames share, so that no mean of them lowers it.
///
/// A share of the depth that depends on the direction of the ray in the scene and on time, normally
/// distributed at each: what a surface does to the light, or a network makes of it, stays with the surface
/// when the camera turns. Random values lie on a grid of ``spacing`` in the coordinates of unit directions
/// and at every second, mixed between by weights whose squares add up to 1; directions 16° apart and moments
/// two seconds apart are independent.
package struct SlowNoise: Hashable, Sendable {
  /// One standard deviation, as a share of the depth; 0.004 was measured of LiDAR.
  ///
  /// - Source: Where frames of one recording overlap; `Documentation/scan.md`.
  package var share: Double
  /// The seed of the recording.
  package var seed: UInt64

  /// The distance of knots in the coordinates of unit vectors: 8°.
  static let spacing = 0.14
  /// Seconds between knots in time.
  static let seconds = 1.0

  /// Creates the noise of a recording.
  package init(share: Double, seed: UInt64) {
    self.share = share
    self.seed = seed
  }

  /// The map of a moment with this error; O(*n*).
  ///
  /// - Parameters:
  ///   - map: A camera's map.
  ///   - rays: The camera's rays, of the map's size.
  ///   - sceneFromCamera: The camera's axes in the scene.
  ///   - seconds: The moment; equal moments give equal errors.
  /// - Returns: The map of the same size.
  func applied(
    to map: DisparityMap, rays: CameraRayGrid, sceneFromCamera: Rotation, atSeconds seconds: Double
  ) -> DisparityMap {
    let field = field(atSeconds: seconds)
    return DisparityMap(
      inverseMeters: Raster(size: map.size) { x, y in
        let slope = rays.slopes[rays.index(x, y)]
        let direction = normalized(turned(SIMD3(slope, 1), by: sceneFromCamera))
        return map.inverseMeters[x, y] / Float(1 + share * field.value(along: direction))
      })
  }

  /// The errors of a moment in standard deviations.
  func field(atSeconds seconds: Double) -> Field {
    let knot = (seconds / Self.seconds).rounded(.down)
    let later = seconds / Self.seconds - knot
    let whole = (later * later + (1 - later) * (1 - later)).squareRoot()
    var (first, second) = (generator(atKnot: Int64(knot)), generator(atKnot: Int64(knot) + 1))
    let count = Field.side * Field.side * Field.side
    return Field(
      knots: (0..<count).map { _ in
        (first.gaussian() * (1 - later) + second.gaussian() * later) / whole
      })
  }

  private func generator(atKnot knot: Int64) -> SeededGenerator {
    SeededGenerator(seed: seed ^ 0x5107 &+ UInt64(bitPattern: knot) &* 0xd134_2543_de82_ef95)
  }

  /// Errors by direction, in standard deviations.
  struct Field {
    /// Knots along an axis, for coordinates from −1 to 1.
    static let side = 17
    /// Values, `x` fastest.
    let knots: [Double]

    /// The error along a unit vector.
    func value(along direction: SIMD3<Double>) -> Double {
      let place = direction / SlowNoise.spacing + 8
      let cell = place.rounded(.down)
      let (u, v) = (place - cell, 1 - (place - cell))
      let start = Int(cell.x) + Self.side * (Int(cell.y) + Self.side * Int(cell.z))
      func row(_ place: Int) -> Double { knots[place] * v.x + knots[place + 1] * u.x }
      func face(_ place: Int) -> Double { row(place) * v.y + row(place + Self.side) * u.y }
      let whole = u * u + v * v
      let value = face(start) * v.z + face(start + Self.side * Self.side) * u.z
      return value / (whole.x * whole.y * whole.z).squareRoot()
    }
  }
}
