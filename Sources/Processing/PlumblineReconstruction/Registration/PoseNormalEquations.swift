package import PlumblineNumerics

/// The normal equations of a pose `aFromB` over many scalar residuals.
///
/// The unknown is a small motion in the axes of B, `aFromB.moved(rotation:translation:)`: radians and meters.
/// A residual `r` of weight `w` with the derivative `J` adds `w·J·Jᵀ` to the information and `w·J·r` to the
/// gradient. With weights 1/σ² the information is that of the pose in 1/rad², 1/(rad·m) and 1/m².
/// Parts made by different threads are merged in a fixed order, which gives the same bytes for any number.
package struct PoseNormalEquations: Sendable {
  /// Rotation by rotation, as columns.
  private var rotations = Block()
  /// Rotation (rows) by translation (columns).
  private var mixed = Block()
  /// Translation by translation, as columns.
  private var translations = Block()
  /// The gradient by the rotation: `Σ w·r·∂r/∂rotation`.
  package private(set) var rotationGradient = SIMD3<Double>.zero
  /// The gradient by the translation.
  package private(set) var translationGradient = SIMD3<Double>.zero
  /// The sum of the costs that the caller states, such as `Σ ρ(r²/σ²)`.
  package var cost = 0.0
  /// How many residuals are in.
  package private(set) var count = 0
  private var weight = 0.0
  private var weightedPoint = SIMD3<Double>.zero
  private var weightedSquare = 0.0

  private struct Block: Sendable {
    var x = SIMD3<Double>.zero
    var y = SIMD3<Double>.zero
    var z = SIMD3<Double>.zero

    /// Adds `left·rightᵀ`.
    @inline(__always)
    mutating func add(_ left: SIMD3<Double>, _ right: SIMD3<Double>) {
      x += left * right.x
      y += left * right.y
      z += left * right.z
    }

    mutating func add(_ other: Block) {
      x += other.x
      y += other.y
      z += other.z
    }

    subscript(row: Int, column: Int) -> Double {
      column == 0 ? x[row] : column == 1 ? y[row] : z[row]
    }
  }

  /// Equations without residuals.
  package init() {}

  /// Adds the residual `directionᵀ(aFromB·point − q)`.
  ///
  /// Its derivative is `(point × direction, direction)` with the direction in the axes of B.
  ///
  /// - Parameters:
  ///   - point: In B, in meters.
  ///   - directionInB: The direction in which the residual grows, such as the normal of the plane.
  ///   - turn: Added to the derivative by the rotation, for residuals that turn with B otherwise.
  ///   - residual: Its value now.
  ///   - weight: At least 0, such as the loss's weight over σ².
  @inline(__always)
  package mutating func add(
    point: SIMD3<Double>, directionInB: SIMD3<Double>, turn: SIMD3<Double> = .zero,
    residual: Double, weight: Double
  ) {
    let rotation = cross(point, directionInB) + turn
    let weightedRotation = rotation * weight
    let weightedDirection = directionInB * weight
    rotations.add(weightedRotation, rotation)
    mixed.add(weightedRotation, directionInB)
    translations.add(weightedDirection, directionInB)
    rotationGradient += weightedRotation * residual
    translationGradient += weightedDirection * residual
    self.weight += weight
    weightedPoint += point * weight
    weightedSquare += weight * (point * point).sum()
    count += 1
  }

  /// Adds the residuals, the cost and the gradient of other equations at the same pose.
  package static func += (sum: inout PoseNormalEquations, other: PoseNormalEquations) {
    sum.rotations.add(other.rotations)
    sum.mixed.add(other.mixed)
    sum.translations.add(other.translations)
    sum.rotationGradient += other.rotationGradient
    sum.translationGradient += other.translationGradient
    sum.cost += other.cost
    sum.count += other.count
    sum.weight += other.weight
    sum.weightedPoint += other.weightedPoint
    sum.weightedSquare += other.weightedSquare
  }

  /// Six by six: rotation first, then translation.
  package var information: SymmetricMatrix {
    var matrix = SymmetricMatrix(count: 6)
    for row in 0..<3 {
      for column in 0..<3 {
        matrix[row, column] = rotations[row, column]
        matrix[row, column + 3] = mixed[row, column]
        matrix[column + 3, row] = mixed[row, column]
        matrix[row + 3, column + 3] = translations[row, column]
      }
    }
    return matrix
  }

  /// Rotation first, then translation.
  package var gradient: [Double] {
    let (r, t) = (rotationGradient, translationGradient)
    return [r.x, r.y, r.z, t.x, t.y, t.z]
  }

  /// The weighted mean of the points; the origin of B without weight.
  package var centroidInB: SIMD3<Double> { weight > 0 ? weightedPoint / weight : .zero }

  /// The weighted root mean square distance of the points from their centroid, in meters: what makes
  /// rotations comparable to translations.
  package var radiusMeters: Double {
    guard weight > 0 else { return 0 }
    let center = centroidInB
    return max(0, weightedSquare / weight - (center * center).sum()).squareRoot()
  }
}

/// The cross product.
@inline(__always)
package func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
