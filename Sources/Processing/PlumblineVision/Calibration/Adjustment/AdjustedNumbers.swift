import PlumblineModel

/// Which numbers of a camera an adjustment may change, and where each stands among its unknowns.
struct AdjustedNumbers: Hashable, Sendable {
  var aspect = false
  var center = true
  var tangential = false
  /// The number of functions of the lens.
  var lensCount = 0

  /// The camera's unknowns: the focal length first, then what is free of the others.
  var count: Int { lensStart + lensCount }

  var aspectIndex: Int? { aspect ? 1 : nil }
  var centerIndex: Int? { center ? (aspect ? 2 : 1) : nil }
  var tangentialIndex: Int? { tangential ? 1 + (aspect ? 1 : 0) + (center ? 2 : 0) : nil }
  var lensStart: Int { 1 + (aspect ? 1 : 0) + (center ? 2 : 0) + (tangential ? 2 : 0) }
}

extension RadialCamera {
  /// Moves the free numbers.
  mutating func take(_ step: some Collection<Double>, of free: AdjustedNumbers) {
    let step = Array(step)
    // A focal length or aspect must stay one: a step beyond half of it is cut.
    let growth = min(max(1 + step[0] / intrinsics.focalLength.x, 0.5), 2)
    intrinsics.focalLength *= growth
    if let index = free.aspectIndex {
      let aspect = intrinsics.focalLength.y / intrinsics.focalLength.x
      intrinsics.focalLength.y =
        intrinsics.focalLength.x * min(max(aspect + step[index], aspect / 2), aspect * 2)
    }
    if let index = free.centerIndex {
      intrinsics.principalPoint += SIMD2(step[index], step[index + 1])
    }
    if let index = free.tangentialIndex { tangential += SIMD2(step[index], step[index + 1]) }
    for index in 0..<free.lensCount { coefficients[index] += step[free.lensStart + index] }
  }
}

/// Where a point falls, and how that changes with the point and with the camera's free numbers.
struct AdjustedProjection {
  var pixel: SIMD2<Double>
  var columnByPoint: SIMD3<Double>
  var rowByPoint: SIMD3<Double>
}

extension RadialCamera {
  /// Projects a point of the camera frame, in meters, and writes the derivatives of column and row by the
  /// free numbers; `nil` for a point not in front of the camera.
  func projection(
    of point: SIMD3<Double>, free: AdjustedNumbers, columns: UnsafeMutableBufferPointer<Double>,
    rows: UnsafeMutableBufferPointer<Double>
  ) -> AdjustedProjection? {
    guard point.z > 0 else { return nil }
    let inverse = 1 / point.z
    let ray = SIMD2(point.x, point.y) * inverse
    let s = (ray * ray).sum()
    let focal = intrinsics.focalLength
    var scale = 1.0
    var slope = 0.0
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * max(1, basis.count)) { memory in
      let values = UnsafeMutableBufferPointer(rebasing: memory[..<basis.count])
      let slopes = UnsafeMutableBufferPointer(rebasing: memory[basis.count..<2 * basis.count])
      basis.evaluate(at: s, values: values, slopes: slopes)
      for index in 0..<basis.count {
        scale += coefficients[index] * values[index]
        slope += coefficients[index] * slopes[index]
      }
      for index in 0..<free.lensCount {
        columns[free.lensStart + index] = ray.x * values[index] * focal.x
        rows[free.lensStart + index] = ray.y * values[index] * focal.y
      }
    }
    let (p1, p2) = (tangential.x, tangential.y)
    let mixed = 2 * ray.x * ray.y
    let moved = SIMD2(
      ray.x * scale + p1 * mixed + p2 * (s + 2 * ray.x * ray.x),
      ray.y * scale + p1 * (s + 2 * ray.y * ray.y) + p2 * mixed)
    columns[0] = moved.x
    rows[0] = moved.y * focal.y / focal.x
    if let index = free.aspectIndex { (columns[index], rows[index]) = (0, moved.y * focal.x) }
    if let index = free.centerIndex {
      (columns[index], rows[index], columns[index + 1], rows[index + 1]) = (1, 0, 0, 1)
    }
    if let index = free.tangentialIndex {
      (columns[index], rows[index]) = (mixed * focal.x, (s + 2 * ray.y * ray.y) * focal.y)
      (columns[index + 1], rows[index + 1]) = (
        (s + 2 * ray.x * ray.x) * focal.x, mixed * focal.y
      )
    }
    let cross = 2 * ray.x * ray.y * slope + 2 * p1 * ray.x + 2 * p2 * ray.y
    let columnByRay =
      SIMD2(scale + 2 * ray.x * ray.x * slope + 2 * p1 * ray.y + 6 * p2 * ray.x, cross) * focal.x
    let rowByRay =
      SIMD2(cross, scale + 2 * ray.y * ray.y * slope + 6 * p1 * ray.y + 2 * p2 * ray.x) * focal.y
    return AdjustedProjection(
      pixel: moved * focal + intrinsics.principalPoint,
      columnByPoint: SIMD3(columnByRay, -(columnByRay * ray).sum()) * inverse,
      rowByPoint: SIMD3(rowByRay, -(rowByRay * ray).sum()) * inverse)
  }
}
