import PlumblineModel

/// The volume between the surface that is seen inside a rectangle and the plane of its border.
///
/// Neighboring pixels span triangles; each has the volume of its mean height times its area as projected
/// on the plane. Where neighbors are farther apart on the plane than twice what a pixel covers, something
/// is hidden between them: there each pixel counts alone, with the part of the plane that it covers, so
/// that nothing hidden is added. Depths below the plane count negative.
package struct VolumeMeasurement: Sendable {
  /// The volume with its ±.
  package let value: MeasuredValue
  /// The share of pixels inside the border that were not measured; they count nothing.
  package let missingShare: Double

  /// Measures; `nil` where the border has no plane.
  ///
  /// Cost: O(*n*), seven passes.
  package init?(_ region: MeasuredRegion) {
    guard let plane = region.borderPlane else { return nil }
    let positions = region.points.map { $0?.position }
    let surface = SurfaceVolume(region)
    let found = surface.sum(positions, plane.coefficients)
    var errors = ErrorSum(region.shared)
    errors.add(variance: Self.noise(of: region, found.edges, plane))
    var gradient = SIMD3<Double>.zero
    region.forEachInside { index in
      guard let point = region.points[index] else { return }
      let area = surface.area(of: point.position, index, plane.coefficients)
      gradient += plane.heightGradient(at: point.position) * area
    }
    errors.add(variance: plane.variance(along: gradient))
    // A shared error moves surface and plane; what it changes is computed again as a whole.
    for index in 0..<SharedErrors.count {
      let moved = positions.map { position in
        position.map { $0 + region.shared.displacement(index, of: $0) }
      }
      let change = surface.sum(moved, plane.coefficients + plane.sharedChanges[index]).volume
      errors.add(change: change - found.volume, byShared: index)
    }
    value = errors.value(found.volume, .cubicMeters)
    missingShare = region.missingShare
  }

  /// The variance by what is each pixel's own: a depth that is wrong by δ changes the volume in its cone
  /// by z²·ω·δ, with ω the area of its rays; and an edge is known to a pixel, uniformly.
  private static func noise(
    of region: MeasuredRegion, _ edges: [Double], _ plane: PlaneMeasurement
  ) -> Double? {
    var (variance, count, isKnown) = (0.0, 0, true)
    region.forEachInside { index in
      guard let point = region.points[index] else { return }
      guard let sigma = point.sensorSigma else {
        isKnown = false
        return
      }
      let change = point.position.z * point.position.z * region.rayArea(index) * sigma
      variance += change * change
      count += 1
    }
    guard isKnown else { return nil }
    return variance * region.region.growth(count: count, area: Double(count))
      + edges.reduce(0) { $0 + $1 * $1 } / 12
  }
}

/// Sums the volume of a surface over a plane.
private struct SurfaceVolume {
  /// By how many pixels' widths neighbors are apart on the plane where something is hidden between.
  static let gap = 2.0
  /// From how many pixels' widths of height on a step is an edge, whose place is known to a pixel.
  static let step = 3.0

  let region: MeasuredRegion

  init(_ region: MeasuredRegion) { self.region = region }

  /// The area of the plane that a pixel covers where the surface is parallel to it: z²·ω/(n·r).
  func area(of point: SIMD3<Double>, _ index: Int, _ q: SIMD3<Double>) -> Double {
    let along = q.dot(point / point.z) / q.dot(q).squareRoot()
    return along > 0 ? point.z * point.z * region.rayArea(index) / along : 0
  }

  /// The volume in cubic meters, and for each of the four sides that steps look to, their height times
  /// the area of the pixels along them.
  func sum(_ points: [SIMD3<Double>?], _ q: SIMD3<Double>) -> (volume: Double, edges: [Double]) {
    let width = region.size.width
    let border = region.borderWidth
    var volume = 0.0
    var edges = [Double](repeating: 0, count: 4)
    guard width > 2 * border, region.size.height > 2 * border else { return (0, edges) }
    for y in border..<region.size.height - border - 1 {
      for x in border..<width - border - 1 {
        let first = y * width + x
        let corners = [first, first + 1, first + width, first + width + 1]
        volume += cell(corners, points, q, &edges)
      }
    }
    return (volume, edges)
  }

  /// The volume over the square between four pixels.
  private func cell(
    _ corners: [Int], _ points: [SIMD3<Double>?], _ q: SIMD3<Double>, _ edges: inout [Double]
  ) -> Double {
    let size = q.dot(q).squareRoot()
    let seen = corners.compactMap { index in
      points[index].map { Corner($0, (1 - q.dot($0)) / size, area(of: $0, index, q)) }
    }
    let isWhole = seen.count == 4
    if isWhole { addEdges(seen, &edges) }
    if isWhole, !hasGap(seen, q / size) {
      return triangle(seen[0], seen[1], seen[2], q / size)
        + triangle(seen[1], seen[3], seen[2], q / size)
    }
    return seen.reduce(0) { $0 + $1.height * $1.area } / 4
  }

  private struct Corner {
    let point: SIMD3<Double>
    let height: Double
    let area: Double

    init(_ point: SIMD3<Double>, _ height: Double, _ area: Double) {
      (self.point, self.height, self.area) = (point, height, area)
    }
  }

  private func hasGap(_ seen: [Corner], _ normal: SIMD3<Double>) -> Bool {
    [(0, 1), (2, 3), (0, 2), (1, 3)].contains { a, b in
      let line = seen[b].point - seen[a].point
      let onPlane = line - normal * line.dot(normal)
      let limit = Self.gap * Self.gap * max(seen[a].area, seen[b].area)
      return onPlane.dot(onPlane) > limit
    }
  }

  /// Steps from column to column count half in each of the two rows that a square has, and so do rows.
  private func addEdges(_ seen: [Corner], _ edges: inout [Double]) {
    for (a, b, side) in [(0, 1, 0), (2, 3, 0), (0, 2, 2), (1, 3, 2)] {
      let rise = seen[b].height - seen[a].height
      let pixel = max(seen[a].area, seen[b].area)
      guard rise * rise > Self.step * Self.step * pixel else { continue }
      edges[rise > 0 ? side : side + 1] += abs(rise) * pixel / 2
    }
  }

  private func triangle(
    _ a: Corner, _ b: Corner, _ c: Corner, _ normal: SIMD3<Double>
  ) -> Double {
    let area = (b.point - a.point).cross(c.point - a.point).dot(normal) / 2
    return area * (a.height + b.height + c.height) / 3
  }
}
