import PlumblineModel
import PlumblineNumerics

/// The normal equations of one view: six numbers of its pose first, then the camera's free ones.
struct ViewEquations {
  /// `JᵀWJ`.
  var matrix: SymmetricMatrix
  /// `JᵀWr` with `r` = measured − projected, so that a step solves `matrix·step = gradient`.
  var gradient: [Double]
  /// `Σ w·|r|²` in px².
  var cost: Double

  /// Adds up the equations of a view; `nil` when a corner is not in front of the camera.
  ///
  /// The pose's numbers are a turn about and a shift along the camera's axes, in radians and meters.
  init?(
    _ view: ObservedView, pose: RigidTransform, camera: CameraModel,
    parameters: [CameraParameter]
  ) {
    let count = 6 + parameters.count
    var matrix = SymmetricMatrix(count: count)
    var gradient = [Double](repeating: 0, count: count)
    var cost = 0.0
    var derivatives = [SIMD2<Double>](repeating: .zero, count: CameraParameter.allCases.count)
    var rows = [Double](repeating: 0, count: 2 * count)
    let places = parameters.map(\.rawValue)
    let isInFront = derivatives.withUnsafeMutableBufferPointer { byParameter in
      rows.withUnsafeMutableBufferPointer { rows in
        matrix.values.withUnsafeMutableBufferPointer { values in
          gradient.withUnsafeMutableBufferPointer { gradient in
            for index in view.points.indices {
              let turned = pose.rotation * view.points[index]
              guard
                let projected = camera.derivatives(
                  at: turned + pose.translation, byParameter: byParameter)
              else { return false }
              let weight = view.weights[index]
              let residual = view.pixels[index] - projected.pixel
              cost += weight * (residual * residual).sum()
              // d(R·X)/dω = −[R·X]×, so its product with a row g is (R·X) × g.
              let columnTurn = turned.cross(projected.columnByPoint)
              let rowTurn = turned.cross(projected.rowByPoint)
              for axis in 0..<3 {
                rows[axis] = columnTurn[axis]
                rows[3 + axis] = projected.columnByPoint[axis]
                rows[count + axis] = rowTurn[axis]
                rows[count + 3 + axis] = projected.rowByPoint[axis]
              }
              for (slot, place) in places.enumerated() {
                rows[6 + slot] = byParameter[place].x
                rows[count + 6 + slot] = byParameter[place].y
              }
              for i in 0..<count {
                let (a, b) = (weight * rows[i], weight * rows[count + i])
                gradient[i] += a * residual.x + b * residual.y
                for j in 0...i {
                  values[i * count + j] += a * rows[j] + b * rows[count + j]
                }
              }
            }
            for i in 0..<count {
              for j in 0..<i { values[j * count + i] = values[i * count + j] }
            }
            return true
          }
        }
      }
    }
    guard isInFront else { return nil }
    self.matrix = matrix
    self.gradient = gradient
    self.cost = cost
  }

  /// The equations left for the camera once the pose is expressed by it: Schur's complement.
  ///
  /// - Source: B. Triggs et al., *Bundle Adjustment – A Modern Synthesis*, 2000, section 6.1.
  func eliminatingPose(damping: Double = 0) -> ReducedEquations? {
    let camera = matrix.count - 6
    var pose = SymmetricMatrix(count: 6)
    for row in 0..<6 {
      for column in 0..<6 { pose[row, column] = matrix[row, column] }
    }
    guard let factor = pose.damped(by: damping).cholesky else { return nil }
    let poseStep = factor.solve(Array(gradient[0..<6]))
    let poseByCamera = (0..<camera).map { parameter in
      factor.solve((0..<6).map { matrix[$0, 6 + parameter] })
    }
    var reduced = SymmetricMatrix(count: camera)
    var right = [Double](repeating: 0, count: camera)
    for row in 0..<camera {
      right[row] = gradient[6 + row]
      for index in 0..<6 { right[row] -= matrix[6 + row, index] * poseStep[index] }
      for column in 0..<camera {
        reduced[row, column] = matrix[6 + row, 6 + column]
        for index in 0..<6 {
          reduced[row, column] -= matrix[6 + row, index] * poseByCamera[column][index]
        }
      }
    }
    return ReducedEquations(
      matrix: reduced, gradient: right, poseStep: poseStep, poseByCamera: poseByCamera)
  }
}

/// What a view says about the camera, whatever its pose.
struct ReducedEquations {
  var matrix: SymmetricMatrix
  var gradient: [Double]
  /// The pose's step while the camera stays.
  var poseStep: [Double]
  /// For each free parameter, what a unit of it takes from the pose's step.
  var poseByCamera: [[Double]]

  /// The pose's step that goes with a step of the camera.
  func poseStep(with cameraStep: [Double]) -> [Double] {
    (0..<6).map { index in
      cameraStep.indices.reduce(poseStep[index]) { $0 - poseByCamera[$1][index] * cameraStep[$1] }
    }
  }
}
