import CKernels
import PlumblineNumerics

/// The normal equations of a linearized least-squares problem, built row by row.
///
/// Columns: six of the pose (rotation, then translation, in the camera's frame) and two of nothing, the
/// modes of the model, and at last the residual with seven of nothing. Rows come with the root of their
/// weight.
struct NormalEquations {
  /// How many rows are summed in single precision before they join the sums in double precision.
  static let batch = 64
  /// Columns before the modes.
  static let poseColumns = 8

  let model: MorphableModel
  let columns: Int
  /// The first mode that has a column: 0, or near the first expression where identity is known.
  let firstMode: Int
  private var matrix: [Double]
  private var rows: [Float]
  private var rowCount = 0

  init(_ model: MorphableModel, fixesIdentity: Bool) {
    self.model = model
    // Columns come in eights, so a few modes of identity may stay; they are not among the unknowns.
    firstMode = fixesIdentity ? model.identityCount / 8 * 8 : 0
    columns = Self.poseColumns + model.stride - firstMode + 8
    matrix = [Double](repeating: 0, count: columns * columns)
    rows = [Float](repeating: 0, count: Self.batch * columns)
  }

  /// Adds the residual `direction · point`, whose point is a share of some vertices.
  ///
  /// - Parameters:
  ///   - direction: In the camera's frame, times the root of the weight.
  ///   - turned: The direction in the head's frame.
  ///   - arm: The point in the camera's axes with the head's origin.
  ///   - residual: Times the root of the weight.
  ///   - vertices: The vertices.
  ///   - shares: The share of each; the position is their sum.
  mutating func add(
    direction: SIMD3<Float>, turned: SIMD3<Float>, arm: SIMD3<Float>, residual: Float,
    vertices: SIMD3<Int>, shares: SIMD3<Float>
  ) {
    let start = rowCount * columns
    let moment = cross(arm, direction)
    let (stride, first) = (Int32(model.stride), Int32(firstMode))
    let modes = model.stride - firstMode
    rows.withUnsafeMutableBufferPointer { rows in
      for axis in 0..<3 {
        rows[start + axis] = moment[axis]
        rows[start + 3 + axis] = direction[axis]
      }
      rows[start + columns - 8] = residual
      guard let row = rows.baseAddress.map({ $0 + start + Self.poseColumns }) else { return }
      row.update(repeating: 0, count: modes)
      for corner in 0..<3 where shares[corner] != 0 {
        var scaled = turned * shares[corner]
        withUnsafeBytes(of: &scaled) { bytes in
          bytes.withMemoryRebound(to: Float.self) { values in
            guard let values = values.baseAddress else { return }
            plb_face_row(model.basis, stride, first, Int32(vertices[corner]), values, row)
          }
        }
      }
    }
    rowCount += 1
    if rowCount == Self.batch { flush() }
  }

  private mutating func flush() {
    guard rowCount > 0 else { return }
    plb_face_accumulate(rows, Int32(rowCount), Int32(columns), &matrix)
    rowCount = 0
  }

  /// The unknowns of a whole fit and their columns: the pose, and the modes that have one.
  ///
  /// Unknowns are numbered as in a step: six of the pose, then all modes.
  var unknowns: [(unknown: Int, column: Int)] {
    let first = firstMode > 0 ? model.identityCount : 0
    return (0..<6).map { ($0, $0) }
      + (first..<model.modeCount).map { (6 + $0, Self.poseColumns + $0 - firstMode) }
  }

  /// The matrix over all unknowns and the right side, `Jᵀ W J` and `−Jᵀ W r`; 0 for those without a column.
  mutating func sums() -> (matrix: SymmetricMatrix, right: [Double]) {
    flush()
    let unknowns = unknowns
    var result = SymmetricMatrix(count: 6 + model.modeCount)
    var right = [Double](repeating: 0, count: result.count)
    for (place, (a, i)) in unknowns.enumerated() {
      for (b, j) in unknowns[place...] {
        result[a, b] = matrix[i * columns + j]
        result[b, a] = result[a, b]
      }
      right[a] = -matrix[i * columns + columns - 8]
    }
    return (result, right)
  }
}

/// The cross product.
func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// A step of damped least squares whose expressions stay between 0 and 1.
///
/// - Source: K. Levenberg 1944, D. Marquardt 1963; limits by an active set, M. Hintermüller, K. Ito,
///   K. Kunisch, *The primal-dual active set strategy as a semismooth Newton method*, 2002.
struct BoxedStep {
  /// Rounds in which unknowns meet limits or leave them: drawn equations of 60 unknowns take up to 5.
  static let maximumRoundCount = 12

  /// The step of every unknown.
  let step: [Double]

  /// Solves (A + damping·diag A)·x = b with limits on some unknowns.
  ///
  /// - Parameters:
  ///   - matrix: A above.
  ///   - right: b above.
  ///   - damping: The share of the diagonal that is added to it.
  ///   - limits: For each unknown how far it may go at least and at most.
  ///   - fixed: Unknowns that do not move.
  /// - Returns: The step; `nil` where the matrix is not positive definite. O(*n*³) per round.
  static func solved(
    _ matrix: SymmetricMatrix, _ right: [Double], damping: Double,
    limits: [ClosedRange<Double>?], fixed: [Bool]
  ) -> BoxedStep? {
    var damped = matrix
    for i in 0..<matrix.count { damped[i, i] *= 1 + damping }
    var step = [Double](repeating: 0, count: matrix.count)
    var free = fixed.map { !$0 }
    // An unknown that meets its limit stays there until its gradient points back inside; few do.
    for _ in 0..<maximumRoundCount {
      let places = free.indices.filter { free[$0] }
      guard let factor = damped.part(places).cholesky else { return nil }
      let bound = step.indices.filter { !free[$0] && step[$0] != 0 }
      let reduced = places.map { i in
        bound.reduce(right[i]) { $0 - damped[i, $1] * step[$1] }
      }
      let solution = factor.solve(reduced)
      for (place, value) in zip(places, solution) { step[place] = value }
      let solved = step
      var isSettled = true
      for place in step.indices where !fixed[place] {
        guard let limit = limits[place] else { continue }
        if free[place] {
          guard !limit.contains(step[place]) else { continue }
          step[place] = min(limit.upperBound, max(limit.lowerBound, step[place]))
          free[place] = false
          isSettled = false
        } else {
          var gradient = right[place]
          for k in step.indices { gradient -= damped[place, k] * solved[k] }
          let isInward = step[place] == limit.upperBound ? gradient < 0 : gradient > 0
          guard isInward, limit.lowerBound < limit.upperBound else { continue }
          free[place] = true
          isSettled = false
        }
      }
      if isSettled { break }
      // Those that are free are solved again beside the ones that stand at a limit.
      for place in step.indices where free[place] { step[place] = 0 }
    }
    for place in step.indices {
      if let limit = limits[place] {
        step[place] = min(limit.upperBound, max(limit.lowerBound, step[place]))
      }
    }
    return BoxedStep(step: step)
  }
}

extension CholeskyFactor {
  /// The inverse of L in single precision, row after row, for many variances.
  var inverseRows: InverseRows {
    let side = count
    let stride = (side + 7) / 8 * 8
    var rows = [Float](repeating: 0, count: side * stride)
    for column in 0..<side {
      var unit = [Double](repeating: 0, count: side)
      unit[column] = 1
      for i in column..<side {
        var sum = unit[i]
        for k in column..<i { sum -= lower[i * side + k] * unit[k] }
        unit[i] = sum / lower[i * side + i]
        rows[i * stride + column] = Float(unit[i])
      }
    }
    return InverseRows(side: side, stride: stride, rows: rows)
  }
}

/// The inverse of a Cholesky factor: |L⁻¹·x|² is the variance of xᵀy where L·Lᵀ is the inverse covariance
/// of y.
struct InverseRows: Sendable {
  let side: Int
  /// The length of a row with its padding, and of what ``variance(of:)`` takes.
  let stride: Int
  fileprivate let rows: [Float]

  /// The variance of a row's product.
  ///
  /// - Precondition: The row has ``stride`` numbers, 0 beyond ``side``.
  func variance(of row: [Float]) -> Double {
    precondition(row.count == stride, "a row of \(row.count) for \(stride)")
    return plb_face_variance(rows, Int32(side), Int32(stride), row)
  }
}
