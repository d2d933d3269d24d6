import PlumblineModel
import PlumblineNumerics

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
