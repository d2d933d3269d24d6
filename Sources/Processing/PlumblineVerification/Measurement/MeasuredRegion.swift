package import PlumblineModel

/// The measured pixels of a rectangle of a depth map, with the plane of its border.
///
/// The border is a strip of a twelfth of the shorter side, at least two pixels; what is measured within
/// it is inside.
package struct MeasuredRegion: Sendable {
  /// The shortest side that has a border with a plane and something inside, in pixels.
  package static let minimumSide = 8

  /// The columns and rows.
  package let size: RasterSize
  /// The points, row after row; `nil` where nothing was measured.
  package let points: [MeasurementPoint?]
  /// The rays (x/z, y/z) of all pixels, row after row.
  package let rays: [SIMD2<Double>]
  /// The errors that all points share.
  package let shared: SharedErrors
  /// The curve of the points' own σ; `nil` where each has its own.
  package let noise: SigmaCurve?
  /// What neighbors' noise has in common.
  package let region: RegionNoise

  /// Creates a region from its pixels.
  ///
  /// - Precondition: There is a point or `nil`, and a ray, for each pixel.
  package init(
    size: RasterSize, points: [MeasurementPoint?], rays: [SIMD2<Double>], shared: SharedErrors,
    noise: SigmaCurve?, region: RegionNoise
  ) {
    precondition(
      points.count == size.pixelCount && rays.count == size.pixelCount,
      "\(points.count) points and \(rays.count) rays for \(size)")
    self.size = size
    self.points = points
    self.rays = rays
    self.shared = shared
    self.noise = noise
    self.region = region
  }

  /// The width of the border, in pixels.
  package var borderWidth: Int { max(2, min(size.width, size.height) / 12) }

  /// Whether a pixel belongs to the border.
  package func isBorder(x: Int, y: Int) -> Bool {
    let width = borderWidth
    return x < width || y < width || x >= size.width - width || y >= size.height - width
  }

  /// The share of pixels inside the border where nothing was measured, 0 to 1.
  package var missingShare: Double {
    var (missing, all) = (0, 0)
    forEachInside { index in
      all += 1
      if points[index] == nil { missing += 1 }
    }
    return all == 0 ? 1 : Double(missing) / Double(all)
  }

  /// The plane of all measured pixels; `nil` where none fits.
  package var plane: PlaneMeasurement? {
    PlaneMeasurement(
      fitting: points.compactMap(\.self), shared, noise: noise, region: region,
      area: Double(size.pixelCount))
  }

  /// The plane of the border; `nil` where none fits.
  package var borderPlane: PlaneMeasurement? {
    var border: [MeasurementPoint] = []
    for y in 0..<size.height {
      for x in 0..<size.width where isBorder(x: x, y: y) {
        if let point = points[y * size.width + x] { border.append(point) }
      }
    }
    return PlaneMeasurement(fitting: border, shared, noise: noise, region: region)
  }

  /// Calls a closure with the index of each pixel inside the border.
  func forEachInside(_ body: (_ index: Int) -> Void) {
    let width = borderWidth
    guard size.width > 2 * width, size.height > 2 * width else { return }
    for y in width..<size.height - width {
      for x in width..<size.width - width { body(y * size.width + x) }
    }
  }

  /// The solid angle of a pixel as an area at `z = 1`, without unit: of the rays to its neighbors.
  func rayArea(_ index: Int) -> Double {
    let steps = raySteps(index)
    return abs(steps.x.x * steps.y.y - steps.x.y * steps.y.x)
  }

  /// How the ray changes from column to column and from row to row at a pixel.
  func raySteps(_ index: Int) -> (x: SIMD2<Double>, y: SIMD2<Double>) {
    let (x, y) = (index % size.width, index / size.width)
    let (left, right) = (max(0, x - 1), min(size.width - 1, x + 1))
    let (top, bottom) = (max(0, y - 1), min(size.height - 1, y + 1))
    let across = rays[y * size.width + right] - rays[y * size.width + left]
    let down = rays[bottom * size.width + x] - rays[top * size.width + x]
    return (across / Double(max(1, right - left)), down / Double(max(1, bottom - top)))
  }
}
