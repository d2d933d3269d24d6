import CKernels
import PlumblineModel
import PlumblineNumerics

/// The equations of the camera and of the board's shape, once each pose is expressed by them.
///
/// - Source: B. Triggs et al., *Bundle Adjustment – A Modern Synthesis*, 2000, section 6.1 (Schur's
///   complement).
struct ReducedSystem {
  /// Lower triangle of `JᵀWJ` without the poses; entries above the diagonal are not used.
  var matrix: SymmetricMatrix
  /// `JᵀWr` without the poses, with `r` = measured − projected.
  var gradient: [Double]
  /// The diagonal of the camera's and the shape's part before poses were eliminated.
  var diagonal: [Double]
  /// `Σ w·|r|²` in px².
  var cost = 0.0
  /// What each view needs for its pose's step.
  var views: [EliminatedPose] = []

  init(count: Int) {
    matrix = SymmetricMatrix(count: count)
    gradient = [Double](repeating: 0, count: count)
    diagonal = gradient
  }

  static func += (sum: inout ReducedSystem, other: ReducedSystem) {
    sum.matrix += other.matrix
    for index in sum.gradient.indices {
      sum.gradient[index] += other.gradient[index]
      sum.diagonal[index] += other.diagonal[index]
    }
    sum.cost += other.cost
    sum.views += other.views
  }
}

/// A pose whose six numbers are expressed by what all views share.
struct EliminatedPose {
  /// The factor of the pose's own equations.
  var factor: CholeskyFactor
  /// The pose's gradient behind the factor, six numbers.
  var right: [Double]
  /// The mixed equations behind the factor: six rows of ``columns``' count.
  var mixed: [Double]
  /// The position of each column among the shared unknowns, ascending.
  var columns: [Int]
  /// The pose's gradient and the diagonal of its equations, for the predicted gain of a step.
  var gradient: [Double]
  var diagonal: [Double]

  /// The pose's step that goes with a step of the shared unknowns.
  func step(with shared: [Double]) -> [Double] {
    var rest = right
    for row in 0..<6 {
      for (slot, column) in columns.enumerated() {
        rest[row] -= mixed[row * columns.count + slot] * shared[column]
      }
    }
    return factor.solveTransposed(rest)
  }
}

extension ReducedSystem {
  /// Adds the equations of one view; false when a corner is not in front of the camera or the corners
  /// tell no pose.
  ///
  /// The pose's numbers are a turn about and a shift along the camera's axes, in radians and meters.
  /// `offsets` say how far each corner of the board is from its position on a flat one, in meters;
  /// `hasShape` whether they are among the unknowns, three for each corner; `damping` is the share by
  /// which the pose's diagonal grows.
  mutating func add(
    _ view: ObservedView, pose: RigidTransform, camera: RadialCamera, free: AdjustedNumbers,
    offsets: [SIMD3<Double>], hasShape: Bool, damping: Double
  ) -> Bool {
    let cameraCount = free.count
    let width = cameraCount + (hasShape ? 3 * view.points.count : 0)
    var own = SymmetricMatrix(count: 6)
    var side = [Double](repeating: 0, count: 6)
    var mixed = [Double](repeating: 0, count: 6 * width)
    var row = CornerRow(cameraCount: cameraCount)
    for index in view.points.indices {
      let id = view.ids[index]
      let place = view.points[index] + (hasShape ? offsets[id] : .zero)
      guard row.fill(place, pose: pose, camera: camera, free: free) else { return false }
      let weight = view.weights[index]
      let residual = view.pixels[index] - row.pixel
      cost += weight * (residual * residual).sum()
      row.add(to: &own, &side, weight: weight, residual: residual)
      let start = cameraCount + 3 * index
      row.add(toMixed: &mixed, width: width, start: hasShape ? start : nil, weight: weight)
      row.add(
        toShared: &self, at: hasShape ? cameraCount + 3 * id : nil, weight: weight,
        residual: residual)
    }
    let diagonal = (0..<6).map { own[$0, $0] }
    guard let factor = own.damped(by: damping).cholesky else { return false }
    let columns =
      Array(0..<cameraCount)
      + (hasShape ? view.ids.flatMap { id in (0..<3).map { cameraCount + 3 * id + $0 } } : [])
    let right = factor.solveLower(side)
    factor.solveLower(&mixed, width: width)
    subtract(mixed, right, columns)
    views.append(
      EliminatedPose(
        factor: factor, right: right, mixed: mixed, columns: columns, gradient: side,
        diagonal: diagonal))
    return true
  }

  /// Takes away what the pose absorbs: `YᵀY` and `Yᵀz`.
  mutating func subtract(_ mixed: [Double], _ right: [Double], _ columns: [Int]) {
    let width = columns.count
    let count = matrix.count
    mixed.withUnsafeBufferPointer { rows in
      columns.withUnsafeBufferPointer { columns in
        matrix.values.withUnsafeMutableBufferPointer { values in
          guard let matrix = values.baseAddress, let rows = rows.baseAddress,
            let columns = columns.baseAddress
          else { return }
          plb_subtract_products(matrix, count, rows, columns, width)
        }
      }
    }
    for slot in 0..<width {
      for row in 0..<6 { gradient[columns[slot]] -= mixed[row * width + slot] * right[row] }
    }
  }
}

/// The derivatives of one corner's column and row: by the pose, the camera and the corner's own
/// position.
struct CornerRow {
  var pixel = SIMD2<Double>.zero
  private var poseColumn = [Double](repeating: 0, count: 6)
  private var poseRow = [Double](repeating: 0, count: 6)
  private var cameraColumn: [Double]
  private var cameraRow: [Double]
  private var placeColumn = SIMD3<Double>.zero
  private var placeRow = SIMD3<Double>.zero

  init(cameraCount: Int) {
    cameraColumn = [Double](repeating: 0, count: cameraCount)
    cameraRow = cameraColumn
  }

  /// Differentiates at a corner's place on the board; false when it is not in front of the camera.
  mutating func fill(
    _ place: SIMD3<Double>, pose: RigidTransform, camera: RadialCamera, free: AdjustedNumbers
  ) -> Bool {
    let turned = pose.rotation * place
    let projected = cameraColumn.withUnsafeMutableBufferPointer { columns in
      cameraRow.withUnsafeMutableBufferPointer { rows in
        camera.projection(
          of: turned + pose.translation, free: free, columns: columns, rows: rows)
      }
    }
    guard let projected else { return false }
    pixel = projected.pixel
    // d(R·X)/dω = −[R·X]×, so its product with a row g is (R·X) × g.
    let columnTurn = turned.cross(projected.columnByPoint)
    let rowTurn = turned.cross(projected.rowByPoint)
    for axis in 0..<3 {
      poseColumn[axis] = columnTurn[axis]
      poseColumn[3 + axis] = projected.columnByPoint[axis]
      poseRow[axis] = rowTurn[axis]
      poseRow[3 + axis] = projected.rowByPoint[axis]
    }
    let toBoard = pose.rotation.inverse
    placeColumn = toBoard * projected.columnByPoint
    placeRow = toBoard * projected.rowByPoint
    return true
  }

  /// Adds to the pose's own equations.
  func add(
    to own: inout SymmetricMatrix, _ side: inout [Double], weight: Double, residual: SIMD2<Double>
  ) {
    for i in 0..<6 {
      let (a, b) = (weight * poseColumn[i], weight * poseRow[i])
      side[i] += a * residual.x + b * residual.y
      for j in 0...i { own[i, j] += a * poseColumn[j] + b * poseRow[j] }
    }
  }

  /// Adds to the equations that mix the pose with the camera and with the corner's position, whose first
  /// column is `start`; `nil` for a board taken as flat.
  func add(toMixed mixed: inout [Double], width: Int, start: Int?, weight: Double) {
    for i in 0..<6 {
      let (a, b) = (weight * poseColumn[i], weight * poseRow[i])
      for j in cameraColumn.indices {
        mixed[i * width + j] += a * cameraColumn[j] + b * cameraRow[j]
      }
      guard let start else { continue }
      for axis in 0..<3 {
        mixed[i * width + start + axis] += a * placeColumn[axis] + b * placeRow[axis]
      }
    }
  }

  /// Adds to the equations of the camera and of the corner's position.
  func add(
    toShared system: inout ReducedSystem, at start: Int?, weight: Double, residual: SIMD2<Double>
  ) {
    for i in cameraColumn.indices {
      let (a, b) = (weight * cameraColumn[i], weight * cameraRow[i])
      system.gradient[i] += a * residual.x + b * residual.y
      system.diagonal[i] += a * cameraColumn[i] + b * cameraRow[i]
      for j in 0...i { system.matrix[i, j] += a * cameraColumn[j] + b * cameraRow[j] }
    }
    guard let start else { return }
    for axis in 0..<3 {
      let (a, b) = (weight * placeColumn[axis], weight * placeRow[axis])
      let i = start + axis
      system.gradient[i] += a * residual.x + b * residual.y
      system.diagonal[i] += a * placeColumn[axis] + b * placeRow[axis]
      for j in cameraColumn.indices {
        system.matrix[i, j] += a * cameraColumn[j] + b * cameraRow[j]
      }
      for other in 0...axis {
        system.matrix[i, start + other] += a * placeColumn[other] + b * placeRow[other]
      }
    }
  }
}
