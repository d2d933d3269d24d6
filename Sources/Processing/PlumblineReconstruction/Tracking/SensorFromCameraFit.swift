internal import PlumblineModel
internal import PlumblineNumerics

/// How a device's motion sensors are turned against its camera, by rotations that both have seen.
///
/// No producer writes this rotation. It follows from the rotation vectors `s` of the sensors and `c` of tracked
/// frames, since `s = sensorFromCamera · c`. Later rotations count more: the weight of one halves after
/// 35 others.
///
/// - Source: B. K. P. Horn, *Closed-form solution of absolute orientation using unit quaternions*, J. Opt. Soc.
///   Am. A 4 (1987), for the rotation between two lists of vectors.
struct SensorFromCameraFit: Sendable {
  /// `Σ c·sᵀ`, row after row.
  private var products = [Double](repeating: 0, count: 9)
  /// `Σ (|s|²·1 − s·sᵀ)`: what the rotations say of an error of the result, about each axis of the sensor.
  private var leverage = SymmetricMatrix(count: 3)
  private var cameraSquares = 0.0
  private var sensorSquares = 0.0
  /// The number of rotations, each by its weight.
  private(set) var weight = 0.0
  private var squaredWeight = 0.0

  private static let forgetting = 0.98
  /// With fewer rotations nothing is predicted.
  private static let minimumWeight = 8.0
  /// So much of the camera's rotation the sensors have to explain; before a turning object they explain none of it.
  private static let minimumExplainedShare = 0.9
  /// σ of a rotation about which nothing is known, in radians.
  private static let unknownRadians = 2.0
  /// A prediction is never better than this and 2 % of the angle: as for recorded poses.
  private static let leastRadians = 0.0003
  private static let leastShare = 0.02

  /// Adds a rotation that both saw.
  ///
  /// - Parameters:
  ///   - sensor: From the sensor's axes at the later time to those at the earlier one.
  ///   - camera: The same of the camera's axes.
  mutating func add(sensor: Rotation, camera: Rotation) {
    let (s, c) = (sensor.axisAngle, camera.axisAngle)
    let squares = (s * s).sum()
    guard squares.isFinite, (c * c).sum().isFinite else { return }
    for row in 0..<3 {
      for column in 0..<3 {
        let index = row * 3 + column
        products[index] = products[index] * Self.forgetting + c[row] * s[column]
        leverage[row, column] =
          leverage[row, column] * Self.forgetting - s[row] * s[column]
          + (row == column ? squares : 0)
      }
    }
    cameraSquares = cameraSquares * Self.forgetting + (c * c).sum()
    sensorSquares = sensorSquares * Self.forgetting + squares
    weight = weight * Self.forgetting + 1
    squaredWeight = squaredWeight * Self.forgetting * Self.forgetting + 1
  }

  /// What the rotations so far say.
  struct Result: Sendable {
    /// The rotation from the camera's axes to the sensor's.
    var sensorFromCamera: Rotation
    /// The covariance of a small rotation of the result about the sensor's axes, in rad².
    var covariance: SymmetricMatrix
    /// σ of a single rotation about each axis, in radians: what is left of those that were added.
    var sigmaRadians: Double
  }

  /// The rotation that fits best; `nil` before enough is known, and where the sensors do not turn as the camera does.
  var result: Result? {
    guard weight >= Self.minimumWeight, cameraSquares > 0 else { return nil }
    let best = hornMatrix.eigen.pairs[3]
    // The vector holds w first.
    let (w, x, y, z) = (best.vector[0], best.vector[1], best.vector[2], best.vector[3])
    guard let rotation = Rotation(quaternion: [x, y, z, w]) else { return nil }
    let left = max(cameraSquares + sensorSquares - 2 * best.value, 0)
    guard left <= (1 - Self.minimumExplainedShare) * cameraSquares else { return nil }
    // A mean of errors with falling weights is that of (Σw)²/Σw² equal ones.
    let equalCount = weight * weight / squaredWeight
    let measured = left / weight * equalCount / (3 * equalCount - 3)
    let variance = max(measured, Self.leastRadians * Self.leastRadians)
    var information = leverage.scaled(by: weight / squaredWeight / variance)
    for axis in 0..<3 {
      information[axis, axis] += 1 / (Self.unknownRadians * Self.unknownRadians)
    }
    guard let covariance = information.cholesky?.inverse else { return nil }
    return Result(
      sensorFromCamera: rotation, covariance: covariance, sigmaRadians: variance.squareRoot())
  }

  /// The matrix whose largest eigenvalue belongs to the quaternion (w, x, y, z) of the rotation.
  private var hornMatrix: SymmetricMatrix {
    let s = products
    var matrix = SymmetricMatrix(count: 4)
    let diagonal = [
      s[0] + s[4] + s[8], s[0] - s[4] - s[8], s[4] - s[0] - s[8], s[8] - s[0] - s[4],
    ]
    let upper = [
      (0, 1, s[5] - s[7]), (0, 2, s[6] - s[2]), (0, 3, s[1] - s[3]),
      (1, 2, s[1] + s[3]), (1, 3, s[6] + s[2]), (2, 3, s[5] + s[7]),
    ]
    for index in 0..<4 { matrix[index, index] = diagonal[index] }
    for (row, column, value) in upper {
      matrix[row, column] = value
      matrix[column, row] = value
    }
    return matrix
  }
}

extension SensorFromCameraFit.Result {
  /// The rotation of the camera that belongs to one of the sensors.
  ///
  /// - Parameter sensor: From the sensor's axes at the later time to those at the earlier one.
  /// - Returns: The same of the camera's axes, and the covariance of its rotation vector in rad².
  func camera(of sensor: Rotation) -> (rotation: Rotation, covariance: SymmetricMatrix) {
    let cameraFromSensor = sensorFromCamera.inverse
    let s = sensor.axisAngle
    // An error δ of the result moves the camera's rotation vector by cameraFromSensor·(s × δ).
    let axes: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    let columns = axes.map { cameraFromSensor * cross(s, $0) }
    let share = SensorFromCameraFit.relativeError(of: (s * s).sum().squareRoot())
    var matrix = SymmetricMatrix(count: 3)
    for row in 0..<3 {
      for column in 0..<3 {
        var sum = row == column ? sigmaRadians * sigmaRadians + share * share : 0
        for a in 0..<3 {
          for b in 0..<3 { sum += columns[a][row] * covariance[a, b] * columns[b][column] }
        }
        matrix[row, column] = sum
      }
    }
    return (cameraFromSensor * sensor * sensorFromCamera, matrix)
  }
}

extension SensorFromCameraFit {
  /// The error of a rotation that grows with its angle, in radians.
  static func relativeError(of angle: Double) -> Double { leastShare * angle }
}
