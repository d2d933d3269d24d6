extension SurfaceSection {
  /// Below this sine of the angle between plane and surface the place of a line says nothing.
  private static let leastSine = 0.05

  /// The length of all lines, in meters.
  ///
  /// Moved by δ along its normal, a surface that meets the plane at the angle θ moves the line by δ/sin θ.
  /// What errors of single vertices add to the length on average, σ²/ℓ for a piece of length ℓ and never more
  /// than that, counts as ±.
  ///
  /// - Complexity: O(*k* log *k*) for *k* points.
  package var length: MeasuredValue {
    var (length, excess) = (0.0, 0.0)
    var sum = SurfaceSum(surface)
    for line in lines {
      for (index, point, before, after) in neighbors(line) {
        let (back, ahead) = (vector(before, point), vector(point, after))
        length += ahead.norm
        if ahead.norm > 0 {
          excess += min(ahead.norm, surface.noiseVariance(point.first) / ahead.norm)
        }
        let gradient = back.unit - ahead.unit
        add(gradient.dot(outward(line, index)), of: point, line, index, to: &sum)
      }
    }
    sum.add(variance: excess * excess)
    return sum.value(length, .meters, power: 1)
  }

  /// The area that the lines enclose, in square meters, holes taken off; `nil` where a line is open.
  ///
  /// - Complexity: O(*k* log *k*) for *k* points.
  package var area: MeasuredValue? {
    guard isClosed else { return nil }
    var area = 0.0
    var sum = SurfaceSum(surface)
    let origin = lines[0].points[0].position
    for line in lines {
      for (index, point, before, after) in neighbors(line) {
        area += (point.position - origin).cross(vector(point, after)).dot(plane.normal) / 2
        let reach = (vector(before, point).norm + vector(point, after).norm) / 2
        add(reach, of: point, line, index, to: &sum)
      }
    }
    return sum.value(abs(area), .squareMeters, power: 2)
  }

  /// The share of the length where the surface is so level with the plane that its place says nothing.
  package var grazingShare: Double {
    var (grazing, whole) = (0.0, 0.0)
    for line in lines {
      for (index, point, _, after) in neighbors(line) where index < line.triangles.count {
        let length = vector(point, after).norm
        whole += length
        if sine(line.triangles[index]) < Self.leastSine { grazing += length }
      }
    }
    return whole > 0 ? grazing / whole : 0
  }

  /// Each point with those before and after it; at an open end the point itself.
  private func neighbors(_ line: Line) -> [(Int, Point, Point, Point)] {
    let count = line.points.count
    return line.points.enumerated().map { index, point in
      let before = index > 0 ? index - 1 : line.isClosed ? count - 1 : index
      let after = index + 1 < count ? index + 1 : line.isClosed ? 0 : index
      return (index, point, line.points[before], line.points[after])
    }
  }

  private func vector(_ a: Point, _ b: Point) -> SIMD3<Double> { b.position - a.position }

  /// The part of a triangle's unit normal in the plane, as a vector.
  private func inPlane(_ triangle: Int) -> SIMD3<Double> {
    let normal = surface.doubledArea(triangle).unit
    return normal - plane.normal * normal.dot(plane.normal)
  }

  private func sine(_ triangle: Int) -> Double { inPlane(triangle).norm }

  private func around(_ line: Line, _ index: Int) -> [Int] {
    let count = line.triangles.count
    let before = index > 0 ? index - 1 : line.isClosed ? count - 1 : 0
    return [line.triangles[before], line.triangles[min(index, count - 1)]]
  }

  /// The unit vector in the plane out of the surface at a point.
  private func outward(_ line: Line, _ index: Int) -> SIMD3<Double> {
    around(line, index).reduce(SIMD3<Double>.zero) { $0 + inPlane($1).unit }.unit
  }

  /// Adds the weight by which a number changes when the line moves outward at a point.
  private func add(
    _ weight: Double, of point: Point, _ line: Line, _ index: Int, to sum: inout SurfaceSum
  ) {
    let sines = around(line, index).map(sine)
    let mean = max(Self.leastSine, sines.reduce(0, +) / 2)
    sum.add(weight / mean * (1 - point.share), at: point.first)
    sum.add(weight / mean * point.share, at: point.second)
  }
}
