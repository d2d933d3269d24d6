/// How far the triangles of a flat face are along a direction, with its ±.
///
/// Triangles far from the middle take no part: those beyond three times the scatter about the weighted median.
struct SurfaceFace: Sendable {
  /// The mean offset along the direction, in meters.
  let offset: Double
  /// The area of the triangles that took part, in square meters.
  let area: Double
  /// The root of the mean square of the distances from the mean, in meters.
  let scatter: Double
  /// What the offset depends on; with the variance that its parts differ by more than their ± say.
  let sum: SurfaceSum

  /// The least band about the median, in meters: what a voxel rounds.
  private static let leastBand = 0.002
  /// The face is compared in this many parts each way.
  private static let parts = 4

  private struct Element {
    let triangle: Int
    let offset: Double
    let area: Double
    let place: SIMD2<Double>
  }

  /// Fits a face; `nil` for triangles without area.
  ///
  /// - Parameters:
  ///   - surface: The surface.
  ///   - triangles: Places in its triangles.
  ///   - direction: A unit vector.
  /// - Returns: The face. Cost: O(*n* log *n*).
  static func fit(
    _ surface: MeasurableMesh, _ triangles: [Int], along direction: SIMD3<Double>
  ) -> SurfaceFace? {
    let axes = direction.axesAcross
    var elements = triangles.compactMap { triangle -> Element? in
      let (a, b, c) = surface.corners(triangle)
      let area = surface.doubledArea(triangle).norm / 2
      guard area > 0 else { return nil }
      let center = (a + b + c) / 3
      return Element(
        triangle: triangle, offset: center.dot(direction), area: area,
        place: [center.dot(axes.0), center.dot(axes.1)])
    }
    guard let middle = weightedMedian(elements.map { ($0.offset, $0.area) }) else { return nil }
    guard let spread = weightedMedian(elements.map { (abs($0.offset - middle), $0.area) }) else {
      return nil
    }
    // 1.4826: from the median of distances to σ of a normal distribution.
    let band = max(leastBand, 3 * 1.4826 * spread)
    elements.removeAll { abs($0.offset - middle) > band }
    let area = elements.reduce(0) { $0 + $1.area }
    guard area > 0 else { return nil }
    let mean = elements.reduce(0) { $0 + $1.area * $1.offset } / area
    let square = elements.reduce(0) { sum, element in
      sum + element.area * (element.offset - mean) * (element.offset - mean)
    }
    var sum = SurfaceSum(surface)
    for element in elements {
      let corners = surface.triangles[element.triangle]
      for corner in 0..<3 {
        let vertex = corners[corner]
        let turned = surface.normals[Int(vertex)].dot(direction)
        sum.add(element.area / area / 3 * turned, at: vertex)
      }
    }
    let law = sum.value(mean, .meters, power: 0)
    let known =
      (law.sensor ?? 0) * (law.sensor ?? 0) + (law.calibration ?? 0) * (law.calibration ?? 0)
    sum.add(variance: max(0, varianceOfParts(elements, mean) - known))
    return SurfaceFace(
      offset: mean, area: area, scatter: (square / area).squareRoot(), sum: sum)
  }

  /// The variance of the mean as the scatter of the means of 4 × 4 parts shows it, in m²; 0 of one part.
  private static func varianceOfParts(_ elements: [Element], _ mean: Double) -> Double {
    var (low, high) = (elements[0].place, elements[0].place)
    for element in elements {
      low = pointwiseMin(low, element.place)
      high = pointwiseMax(high, element.place)
    }
    let size = pointwiseMax(high - low, SIMD2(repeating: 1e-9))
    var sums = [(area: Double, moment: Double)](repeating: (0, 0), count: parts * parts)
    for element in elements {
      let place = (element.place - low) / size * Double(parts)
      let column = min(parts - 1, Int(place.x))
      let row = min(parts - 1, Int(place.y))
      sums[row * parts + column].area += element.area
      sums[row * parts + column].moment += element.area * (element.offset - mean)
    }
    let seen = sums.filter { $0.area > 0 }
    guard seen.count > 1 else { return 0 }
    let whole = seen.reduce(0) { $0 + $1.area }
    let square = seen.reduce(0) { $0 + $1.moment * $1.moment / (whole * whole) }
    return square * Double(seen.count) / Double(seen.count - 1)
  }

  /// The number with half of the weights at or below it; `nil` without weights.
  static func weightedMedian(_ values: [(value: Double, weight: Double)]) -> Double? {
    let sorted = values.enumerated().sorted {
      ($0.element.value, $0.offset) < ($1.element.value, $1.offset)
    }
    let half = values.reduce(0) { $0 + $1.weight } / 2
    guard half > 0 else { return nil }
    var sum = 0.0
    for (_, element) in sorted {
      sum += element.weight
      if sum >= half { return element.value }
    }
    return sorted.last?.element.value
  }
}

extension SIMD3<Double> {
  /// Two unit vectors across this one, a right-handed frame with it as the third; it is not zero.
  var axesAcross: (SIMD3, SIMD3) {
    let sizes = [abs(x), abs(y), abs(z)]
    let helper: SIMD3 =
      sizes[0] <= sizes[1] && sizes[0] <= sizes[2]
      ? [1, 0, 0] : sizes[1] <= sizes[2] ? [0, 1, 0] : [0, 0, 1]
    let first = helper.cross(self).unit
    return (first, self.cross(first).unit)
  }
}
