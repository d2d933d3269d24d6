import PlumblineModel
import PlumblineNumerics

/// A box that stands on the plane of a rectangle's border: the sides of its top and its height.
///
/// The top is what is highest inside the border, as flat as its noise. Its sides are those of the
/// rectangle with the same second moments: a rectangle with sides w and h has the variances w²/12 and
/// h²/12 along them, so that all pixels count and not the outermost alone. Each pixel covers an area of
/// the plane, whose own variance is added (Sheppard's correction).
/// - Source: moments of the uniform distribution; W. F. Sheppard, Proc. London Math. Soc. 29 (1898) 353.
package struct BoxMeasurement: Sendable {
  /// The longer side of the top.
  package let width: MeasuredValue
  /// The shorter side of the top.
  package let height: MeasuredValue
  /// The height of the top above the plane.
  package let depth: MeasuredValue
  /// The area of the top's pixels over that of the rectangle: 1 for a box.
  package let fill: Double
  /// The share of pixels inside the border that were not measured.
  package let missingShare: Double

  /// Measures; `nil` where the border has no plane, or nothing stands on it.
  ///
  /// Cost: O(*n*).
  package init?(_ region: MeasuredRegion) {
    guard let plane = region.borderPlane, let top = BoxTop(region, plane) else { return nil }
    missingShare = region.missingShare
    depth = top.heightAbove(plane)
    let axes = top.axes
    width = top.side(axes[0])
    height = top.side(axes[1])
    fill = top.totalArea / (width.value * height.value)
  }
}

/// The pixels of a box's top.
private struct BoxTop {
  /// What counts as the top: this many σ about its height, of a pixel.
  static let band = 3.0

  let region: MeasuredRegion
  let direction: SIMD3<Double>
  /// The points with the area of the plane that each covers.
  let points: [(point: MeasurementPoint, area: Double, pitch: SIMD2<Double>)]
  let center: SIMD3<Double>
  let totalArea: Double
  private let growth: Double

  /// Finds the top: from the median of the upper half, the mean of what is within the band, repeated.
  init?(_ region: MeasuredRegion, _ plane: PlaneMeasurement) {
    var inside: [(index: Int, point: MeasurementPoint, height: Double, sigma: Double)] = []
    let direction = plane.direction
    region.forEachInside { index in
      guard let point = region.points[index] else { return }
      let along = direction.dot(point.ray)
      let sigma = max((point.sensorSigma ?? 0) * along, 1e-6)
      inside.append((index, point, plane.height(of: point.position), sigma))
    }
    guard let high = inside.map(\.height).max(), high > 0 else { return nil }
    let sorted = inside.map(\.height).sorted()
    let nearTop = sorted[min(sorted.count - 1, sorted.count * 98 / 100)]
    let upper = sorted.filter { $0 > nearTop / 2 }
    guard let middle = upper.middleOfSorted else { return nil }
    var level = middle
    for _ in 0..<10 {
      let band = inside.filter { abs($0.height - level) < Self.band * $0.sigma }
      guard !band.isEmpty else { break }
      level = band.reduce(0) { $0 + $1.height } / Double(band.count)
    }
    let top = inside.filter { abs($0.height - level) < Self.band * $0.sigma }
    guard top.count >= 16, top.allSatisfy({ level > 2 * Self.band * $0.sigma }) else { return nil }
    self.region = region
    self.direction = direction
    points = top.map { index, point, _, _ in
      let along = max(direction.dot(point.ray), 1e-9)
      let square = point.position.z * point.position.z
      let steps = region.raySteps(index)
      return (
        point, square * region.rayArea(index) / along,
        SIMD2(steps.x.length, steps.y.length) * point.position.z
      )
    }
    let area = points.reduce(0) { $0 + $1.area }
    totalArea = area
    guard area > 0 else { return nil }
    center = points.reduce(SIMD3<Double>.zero) { $0 + $1.point.position * $1.area } / area
    growth = region.region.growth(count: points.count, area: Double(points.count))
  }

  /// The directions on the plane along the longer and the shorter side: the axes of the second moments.
  var axes: [SIMD3<Double>] {
    let helper: SIMD3<Double> = abs(direction.x) < 0.9 ? [1, 0, 0] : [0, 1, 0]
    let first = helper - direction * helper.dot(direction)
    let a = first / first.dot(first).squareRoot()
    let b = direction.cross(a)
    var (aa, ab, bb) = (0.0, 0.0, 0.0)
    for (point, area, _) in points {
      let offset = point.position - center
      let (x, y) = (offset.dot(a), offset.dot(b))
      aa += area * x * x
      ab += area * x * y
      bb += area * y * y
    }
    let half = (aa - bb) / 2
    let root = (half * half + ab * ab).squareRoot()
    // The eigenvector of the larger eigenvalue, from whichever row is the longer one.
    var major = half >= 0 ? SIMD2(half + root, ab) : SIMD2(ab, root - half)
    if major.length == 0 { major = [1, 0] }
    major /= major.length
    return [a * major.x + b * major.y, b * major.x - a * major.y]
  }

  /// The side along a direction of the plane.
  ///
  /// δw = (12/w)·Σ a·u·δu/A with u the place along the direction. Each of the two edges is known to a
  /// pixel, uniformly, and is not better for its length where it runs along the rows of pixels.
  func side(_ axis: SIMD3<Double>) -> MeasuredValue {
    var (moment, pixels) = (0.0, 0.0)
    for (point, area, pitch) in points {
      let place = (point.position - center).dot(axis)
      let across = SIMD2(axis.x, axis.y) * pitch
      let pixel = across.length
      moment += area * (place * place + pixel * pixel / 12)
      pixels += area * pixel * pixel
    }
    let side = (12 * moment / totalArea).squareRoot()
    var errors = ErrorSum(region.shared)
    var (noise, isKnown) = (0.0, true)
    for (point, area, _) in points {
      let weight = 12 / side * area * (point.position - center).dot(axis) / totalArea
      if let sigma = point.sensorSigma {
        let change = weight * axis.dot(point.ray) * sigma
        noise += change * change
      } else {
        isKnown = false
      }
      for index in 0..<SharedErrors.count {
        let moved = region.shared.displacement(index, of: point.position).dot(axis)
        errors.add(change: weight * moved, byShared: index)
      }
    }
    let edges = 2 * (pixels / totalArea) / 12
    errors.add(variance: isKnown ? noise * growth + edges : nil)
    return errors.value(side, .meters)
  }

  /// The height of the mean of the top.
  func heightAbove(_ plane: PlaneMeasurement) -> MeasuredValue {
    let count = Double(points.count)
    let mean = points.reduce(SIMD3<Double>.zero) { $0 + $1.point.position } / count
    var errors = ErrorSum(region.shared)
    var (noise, isKnown) = (0.0, true)
    for (point, _, _) in points {
      if let sigma = point.sensorSigma {
        let change = direction.dot(point.ray) * sigma / count
        noise += change * change
      } else {
        isKnown = false
      }
      for index in 0..<SharedErrors.count {
        let moved = region.shared.displacement(index, of: point.position)
        errors.add(change: -direction.dot(moved) / count, byShared: index)
      }
    }
    errors.add(variance: isKnown ? noise * growth : nil)
    errors.add(plane.heightGradient(at: mean), of: plane)
    return errors.value(plane.height(of: mean), .meters)
  }
}

extension SIMD2<Double> {
  /// The Euclidean length.
  fileprivate var length: Double { (self * self).sum().squareRoot() }
}
