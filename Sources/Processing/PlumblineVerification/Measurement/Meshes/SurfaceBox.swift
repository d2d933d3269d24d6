/// A box on a mesh: its upright sides in pairs, and its top over what it stands on, each with its ±.
package struct SurfaceBox: Sendable {
  /// The distance of the sides that are farther apart, in meters; `nil` where one of them is not seen.
  package var width: MeasuredValue?
  /// The distance of the others, in meters; `nil` where one of them is not seen.
  package var height: MeasuredValue?
  /// The height of the top above the plane that it stands on, in meters.
  package var depth: MeasuredValue
  /// How far sides and top scatter about their planes at most, in meters.
  package var scatterMeters: Double

  /// Measures the box that stands in a part of a surface.
  ///
  /// The highest level face of the part is the top, the lowest is what it stands on. Upright triangles
  /// between them vote for the direction of the sides by four times their angle, so that all four count;
  /// each side is the mean of its triangles.
  ///
  /// - Parameters:
  ///   - part: The triangles around one box, with some of what it stands on.
  ///   - up: The unit vector up.
  /// - Returns: `nil` where nothing stands on a level face. Cost: O(*n* log *n*).
  package static func measure(_ part: MeasurableMesh, up: SIMD3<Double>) -> SurfaceBox? {
    let levels = SurfaceLevels.find(part, up: up, step: 0.003).levels
    guard let low = levels.first, let high = levels.last, high.height - low.height > 0.01,
      let base = SurfaceFace.fit(part, low.triangles, along: up),
      let top = SurfaceFace.fit(part, high.triangles, along: up)
    else { return nil }
    var sum = top.sum
    sum.add(base.sum, times: -1)
    var box = SurfaceBox(
      width: nil, height: nil,
      depth: sum.value(top.offset - base.offset, .meters, power: 1),
      scatterMeters: max(base.scatter, top.scatter))
    let margin = 0.1 * (top.offset - base.offset)
    let sides = upright(part, up: up, from: base.offset + margin, through: top.offset - margin)
    let spans = box.measureSides(part, sides, up)
    let ordered = spans.sorted { ($0?.value ?? 0) > ($1?.value ?? 0) }
    (box.width, box.height) = (ordered[0], ordered[1])
    return box
  }

  /// The triangles that stand upright within 20° between two heights, with their areas along their normals.
  private static func upright(
    _ part: MeasurableMesh, up: SIMD3<Double>, from low: Double, through high: Double
  ) -> [(triangle: Int, doubled: SIMD3<Double>)] {
    part.triangles.indices.compactMap { index in
      let doubled = part.doubledArea(index)
      let (a, b, c) = part.corners(index)
      let middle = (a + b + c).dot(up) / 3
      guard abs(doubled.dot(up)) < 0.35 * doubled.norm, middle > low, middle < high else {
        return nil
      }
      return (index, doubled)
    }
  }

  /// The distances of the sides along both directions.
  private mutating func measureSides(
    _ part: MeasurableMesh, _ sides: [(triangle: Int, doubled: SIMD3<Double>)],
    _ up: SIMD3<Double>
  ) -> [MeasuredValue?] {
    let axes = up.axesAcross
    var moment = SIMD2<Double>.zero
    for (_, doubled) in sides {
      let flat = SIMD2(doubled.dot(axes.0), doubled.dot(axes.1))
      let angle = arctangent(flat.y, flat.x)
      moment += SurfaceFunctions.direction(4 * angle) * doubled.norm
    }
    let direction = SurfaceFunctions.direction(arctangent(moment.y, moment.x) / 4)
    let first = axes.0 * direction.x + axes.1 * direction.y
    var spans: [MeasuredValue?] = []
    for axis in [first, up.cross(first)] {
      let faces = [axis, -axis].map { outward in
        let own = sides.filter { $0.doubled.dot(outward) > 0.8 * $0.doubled.norm }
        return SurfaceFace.fit(part, own.map(\.triangle), along: outward)
      }
      guard let ahead = faces[0], let behind = faces[1] else {
        spans.append(nil)
        continue
      }
      var sum = ahead.sum
      sum.add(behind.sum, times: 1)
      scatterMeters = max(scatterMeters, ahead.scatter, behind.scatter)
      spans.append(sum.value(ahead.offset + behind.offset, .meters, power: 1))
    }
    return spans
  }
}
