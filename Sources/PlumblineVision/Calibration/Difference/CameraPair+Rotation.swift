import PlumblineModel
import PlumblineNumerics

extension CameraPair {
  /// The rotation of the whole camera after which the second one sees rays closest to where the
  /// first one does, by least squares over all rays alike.
  ///
  /// The ± of pixels is no weight here: it has a rotation taken out, so it is nearly zero around the
  /// middle, and a few cells would decide alone.
  ///
  /// Gauss and Newton's steps from no rotation, each halved until it helps: two to four suffice
  /// for calibrations of one device.
  /// - Parameters:
  ///   - samples: The rays; those that the second camera does not see unrotated do not count.
  ///   - count: How many rays it takes.
  /// - Returns: The rotation; `nil` for fewer rays, or rays that determine none.
  func rotation(fittedTo samples: [Sample], atLeast count: Int) -> Rotation? {
    let seen = samples.filter { second.project($0.direction).map(Self.isFinite) ?? false }
    guard seen.count >= count else { return nil }
    var rotation = Rotation.identity
    guard var cost = cost(of: rotation, seen) else { return nil }
    for _ in 0..<30 {
      guard let step = step(from: rotation, seen) else { return nil }
      var share = 1.0
      var next: (rotation: Rotation, cost: Double)?
      while next == nil, share > 1e-3 {
        if let turn = Rotation(axisAngle: step * share),
          let lower = self.cost(of: turn * rotation, seen),
          lower < cost
        {
          next = (turn * rotation, lower)
        }
        share /= 2
      }
      // Nothing lowers the sum any more beyond rounding.
      guard let next else { return rotation }
      (rotation, cost) = next
    }
    return rotation
  }

  /// The sum of squares in square pixels; `nil` where a ray is not seen.
  func cost(of secondFromFirst: Rotation, _ samples: [Sample]) -> Double? {
    var sum = 0.0
    for sample in samples {
      guard let seen = second.project(secondFromFirst * sample.direction) else { return nil }
      let miss = seen - sample.pixel
      sum += (miss * miss).sum()
    }
    return sum.isFinite ? sum : nil
  }

  /// The small rotation, axis times angle in radians, that should follow a rotation; `nil` where
  /// the rays determine none.
  private func step(from secondFromFirst: Rotation, _ samples: [Sample]) -> SIMD3<Double>? {
    var normal = SymmetricMatrix(count: 3)
    var side = SIMD3<Double>.zero
    for sample in samples {
      let direction = secondFromFirst * sample.direction
      guard let seen = second.projectWithDerivatives(direction) else { return nil }
      let miss = sample.pixel - seen.pixel
      // A rotation by ω moves the direction v by ω × v, so a pixel by ω · (v × its slope).
      let slopes = [
        (direction.cross(seen.columnByPoint), miss.x), (direction.cross(seen.rowByPoint), miss.y),
      ]
      for (slope, miss) in slopes {
        side += slope * miss
        for row in 0..<3 {
          for column in 0..<3 {
            normal[row, column] += slope[row] * slope[column]
          }
        }
      }
    }
    guard let factor = normal.cholesky else { return nil }
    let solution = factor.solve([side.x, side.y, side.z])
    let step = SIMD3(solution[0], solution[1], solution[2])
    return solution.allSatisfy(\.isFinite) ? step : nil
  }

  private static func isFinite(_ pixel: SIMD2<Double>) -> Bool {
    pixel.x.isFinite && pixel.y.isFinite
  }
}
