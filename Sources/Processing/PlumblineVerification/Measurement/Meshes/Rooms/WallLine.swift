/// A line of a plan that upright triangles fit: a wall seen from above.
struct WallLine: Sendable {
  /// A triangle seen from above.
  struct Element: Sendable {
    let triangle: Int
    let center: SIMD2<Double>
    /// The unit normal, level, to the side from which it was seen.
    let normal: SIMD2<Double>
    /// In square meters.
    let area: Double
    /// Where its corners are least and most along the directions of the plan.
    let low: SIMD2<Double>
    let high: SIMD2<Double>
  }

  /// The unit normal to the side of the room.
  let normal: SIMD2<Double>
  /// The distance of the line from the plan's origin along the normal, in meters.
  let offset: Double
  /// The place along ``direction`` about which shift and turn are independent.
  let middle: Double
  /// The triangles that took part.
  let elements: [Element]
  /// The root of the mean square of the distances from the line, in meters.
  let scatter: Double
  /// Σ a·(s − middle)²/Σ a: the second moment of the places along the line, in m².
  let moment: Double

  /// The direction along the line that has the room on its left.
  var direction: SIMD2<Double> { [normal.y, -normal.x] }

  /// Fits a line by least squares of the distances, weighted by area; `nil` for triangles at one place.
  ///
  /// - Source: the axes of the second moments, as in any text on total least squares.
  static func fit(_ elements: [Element]) -> WallLine? {
    let area = elements.reduce(0) { $0 + $1.area }
    guard area > 0 else { return nil }
    let mean = elements.reduce(SIMD2<Double>.zero) { $0 + $1.center * $1.area } / area
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    var facing = SIMD2<Double>.zero
    for element in elements {
      let offset = element.center - mean
      xx += element.area * offset.x * offset.x
      xy += element.area * offset.x * offset.y
      yy += element.area * offset.y * offset.y
      facing += element.normal * element.area
    }
    guard xx + yy > 0 else { return nil }
    let along = SurfaceFunctions.direction(arctangent(2 * xy, xx - yy) / 2)
    var normal = along.turnedLeft
    if normal.dot(facing) < 0 { normal = -normal }
    let direction = SIMD2(normal.y, -normal.x)
    let across = max(
      0,
      xx * normal.x * normal.x + 2 * xy * normal.x * normal.y
        + yy * normal.y * normal.y)
    let moment =
      xx * direction.x * direction.x + 2 * xy * direction.x * direction.y
      + yy * direction.y * direction.y
    return WallLine(
      normal: normal, offset: mean.dot(normal), middle: mean.dot(direction), elements: elements,
      scatter: (across / area).squareRoot(), moment: moment / area)
  }

  /// How far a place is from the line, above 0 on the side of the room, in meters.
  func distance(of place: SIMD2<Double>) -> Double { place.dot(normal) - offset }

  /// The point of the line at a place along it.
  func point(at along: Double) -> SIMD2<Double> { normal * offset + direction * along }

  /// What shift and turn of the line depend on: at the place s it moves by shift + turn·(s − middle) along
  /// its normal.
  ///
  /// The shift has the variance by which the means of 16 parts of the line differ more than their ± say; the
  /// turn has 1/moment of it.
  ///
  /// - Parameters:
  ///   - surface: The surface.
  ///   - frame: The plan's axes.
  /// - Returns: Two sums. Cost: O(*n* log *n*).
  func sums(_ surface: MeasurableMesh, _ frame: PlanFrame) -> (shift: SurfaceSum, turn: SurfaceSum)
  {
    let area = elements.reduce(0) { $0 + $1.area }
    let normal = frame.x * self.normal.x + frame.y * self.normal.y
    var (shift, turn) = (SurfaceSum(surface), SurfaceSum(surface))
    for element in elements {
      let along = element.center.dot(direction) - middle
      let corners = surface.triangles[element.triangle]
      for corner in 0..<3 {
        let vertex = corners[corner]
        let weight = element.area / area / 3 * surface.normals[Int(vertex)].dot(normal)
        shift.add(weight, at: vertex)
        if moment > 0 { turn.add(weight * along / moment, at: vertex) }
      }
    }
    let law = shift.value(0, .meters, power: 0)
    let known = [law.sensor, law.calibration].reduce(0) { $0 + ($1 ?? 0) * ($1 ?? 0) }
    let extra = max(0, varianceOfParts(area) - known)
    shift.add(variance: extra)
    if moment > 0 { turn.add(variance: extra / moment) }
    return (shift, turn)
  }

  private func varianceOfParts(_ area: Double) -> Double {
    let places = elements.map { $0.center.dot(direction) }
    guard let low = places.min(), let high = places.max(), high > low else { return 0 }
    var sums = [(area: Double, moment: Double)](repeating: (0, 0), count: 16)
    for (element, place) in zip(elements, places) {
      let part = min(15, Int((place - low) / (high - low) * 16))
      sums[part].area += element.area
      sums[part].moment += element.area * distance(of: element.center)
    }
    let seen = sums.filter { $0.area > 0 }
    guard seen.count > 2 else { return 0 }
    let square = seen.reduce(0) { $0 + $1.moment * $1.moment / (area * area) }
    return square * Double(seen.count) / Double(seen.count - 2)
  }
}
