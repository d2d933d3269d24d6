internal import PlumblineNumerics

/// Sums of squared residuals near a pose, as normal equations.
struct PoseEquations {
  /// Σ w·J·Jᵀ.
  var information: SymmetricMatrix
  /// The same of two derivatives with independent noise, whose expectation is the information of what is really
  /// there.
  var confirmed: SymmetricMatrix
  /// Σ w·J·r.
  var gradient: [Double]

  /// The equations with another weight of each residual.
  func scaled(by factor: Double) -> PoseEquations {
    PoseEquations(
      information: information.scaled(by: factor), confirmed: confirmed.scaled(by: factor),
      gradient: gradient.map { $0 * factor })
  }
}

/// The information of a frame without directions that nothing in it fixes.
struct TrackingInformation {
  /// Without open directions.
  var information: SymmetricMatrix
  var gradient: [Double]
  /// The directions, of six, that neither depths nor colors nor motion sensors fix.
  var openDirections: Int
  /// Those that the depths leave open and the colors fix.
  var colorDirections: Int
  /// Those that neither depths nor colors fix, and motion sensors do.
  var sensedDirections = 0

  /// Takes out of the depths' equations what they do not fix, and puts in what the colors say there.
  ///
  /// A direction is open where the confirmed information is below a share of what the sums say, or below a share
  /// of the prior's. Noise of normals makes information along a wall, 0.1 % of that across it, which over hundreds of
  /// patches is far more than a wide prior has: a pose would follow it and slide.
  ///
  /// - Parameters:
  ///   - depths: The equations of distances from planes.
  ///   - prior: The information of the prior.
  ///   - sensed: The part of it that motion sensors measured; `nil` for none.
  ///   - weakShare: The share of it below which a direction says nothing.
  ///   - openShare: The confirmed share of the information below which a direction is open.
  ///   - colors: Called for the equations of intensities where the depths leave a direction open; `nil` without
  ///     colors.
  /// - Returns: The depths' equations as they are where nothing is open.
  /// - Source: J. Zhang, M. Kaess, S. Singh, *On degeneracy of optimization-based state estimation problems*,
  ///   ICRA 2016, for taking directions out; the second, independent normal is the instrument of W. Fuller,
  ///   *Measurement Error Models*, 1987.
  static func of(
    depths: PoseEquations, prior: SymmetricMatrix, sensed: SymmetricMatrix? = nil,
    weakShare: Double, openShare: Double, colors: () -> PoseEquations?
  ) -> TrackingInformation {
    let open = OpenDirections.find(
      in: depths, prior: prior, weakShare: weakShare, openShare: openShare)
    var result = TrackingInformation(
      information: depths.information, gradient: depths.gradient, openDirections: open.count,
      colorDirections: 0)
    guard open.count > 0 else { return result }
    open.remove(from: &result.information, &result.gradient)
    let priorAlong = open.coordinates(of: prior)
    let sensedAlong = sensed.map(open.coordinates)
    guard let colors = colors() else {
      result.count(sensed: sensedAlong, of: priorAlong)
      return result
    }
    // Coordinates along the open directions.
    var along = open.coordinates(of: colors)
    let still = OpenDirections.find(
      in: along, prior: priorAlong, weakShare: weakShare, openShare: openShare)
    still.remove(from: &along.information, &along.gradient)
    result.openDirections = still.count
    result.colorDirections = open.count - still.count
    result.count(
      sensed: sensedAlong.map(still.coordinates), of: still.coordinates(of: priorAlong))
    for row in 0..<6 {
      for (a, first) in open.forms.enumerated() {
        result.gradient[row] += first[row] * along.gradient[a]
        for column in 0..<6 {
          for (b, second) in open.forms.enumerated() {
            result.information[row, column] +=
              first[row] * along.information[a, b] * second[column]
          }
        }
      }
    }
    return result
  }

  /// Counts the open directions in which motion sensors give at least half of the prior's information.
  private mutating func count(sensed: SymmetricMatrix?, of prior: SymmetricMatrix) {
    guard let sensed, openDirections > 0 else { return }
    let measured = PoseEquations(
      information: SymmetricMatrix(count: prior.count), confirmed: sensed, gradient: [])
    let open = OpenDirections.find(in: measured, prior: prior, weakShare: 1, openShare: 0.5)
    sensedDirections = openDirections - open.count
    openDirections = open.count
  }
}

/// Directions of a motion that equations do not fix.
private struct OpenDirections {
  /// The directions.
  let vectors: [[Double]]
  /// For each one the linear form that gives a motion's part along it; 1 for its own vector, 0 for the others'.
  let forms: [[Double]]

  var count: Int { vectors.count }

  /// The directions whose confirmed information is below `openShare` of `information + weakShare · prior`.
  ///
  /// With that sum `G = L·Lᵀ`, the eigenvalues of `L⁻¹·C·L⁻ᵀ` are the confirmed shares in directions without
  /// correlation, whatever the units. Where all is confirmed, a share of ½ means: as much information as `weakShare`
  /// of the prior.
  static func find(
    in equations: PoseEquations, prior: SymmetricMatrix, weakShare: Double, openShare: Double
  ) -> OpenDirections {
    var sum = prior.scaled(by: weakShare)
    sum += equations.information
    let count = sum.count
    guard let factor = sum.cholesky else { return OpenDirections(vectors: [], forms: []) }
    var whitened = equations.confirmed.values
    factor.solveLower(&whitened, width: count)
    // Its transpose, solved once more, is symmetric.
    var transposed = (0..<count * count).map { whitened[$0 % count * count + $0 / count] }
    factor.solveLower(&transposed, width: count)
    var matrix = SymmetricMatrix(count: count)
    for row in 0..<count {
      for column in 0..<count {
        matrix[row, column] =
          (transposed[row * count + column] + transposed[column * count + row]) / 2
      }
    }
    let open = matrix.eigen.pairs.filter { $0.value < openShare }.map(\.vector)
    return OpenDirections(
      vectors: open.map(factor.solveTransposed), forms: open.map(factor.multiplied))
  }

  /// Makes equations those of the part of a motion that is not along these directions.
  func remove(from information: inout SymmetricMatrix, _ gradient: inout [Double]) {
    guard count > 0 else { return }
    let size = information.count
    var projection = SymmetricMatrix(count: size)
    for row in 0..<size {
      projection[row, row] = 1
      for column in 0..<size {
        for (vector, form) in zip(vectors, forms) {
          projection[row, column] -= vector[row] * form[column]
        }
      }
    }
    information = information.congruent(projection)
    gradient = projection.transposed * gradient
  }

  /// Equations for the parts along these directions alone.
  func coordinates(of equations: PoseEquations) -> PoseEquations {
    PoseEquations(
      information: coordinates(of: equations.information),
      confirmed: coordinates(of: equations.confirmed),
      gradient: vectors.map { zip($0, equations.gradient).reduce(0) { $0 + $1.0 * $1.1 } })
  }

  func coordinates(of matrix: SymmetricMatrix) -> SymmetricMatrix {
    var part = SymmetricMatrix(count: count)
    for column in 0..<count {
      let product = matrix * vectors[column]
      for row in 0..<count {
        part[row, column] = zip(vectors[row], product).reduce(0) { $0 + $1.0 * $1.1 }
      }
    }
    return part
  }
}

extension CholeskyFactor {
  /// `L·vector`.
  fileprivate func multiplied(_ vector: [Double]) -> [Double] {
    (0..<count).map { row in
      (0...row).reduce(0) { $0 + lower[row * count + $1] * vector[$1] }
    }
  }
}

extension SymmetricMatrix {
  /// `Jᵀ·M·J` for a square `J` of as many rows, which need not be symmetric.
  func congruent(_ jacobian: SymmetricMatrix) -> SymmetricMatrix {
    var product = SymmetricMatrix(count: count)
    var half = SymmetricMatrix(count: count)
    for row in 0..<count {
      for column in 0..<count {
        half[row, column] = (0..<count).reduce(0) { $0 + self[row, $1] * jacobian[$1, column] }
      }
    }
    for row in 0..<count {
      for column in 0..<count {
        product[row, column] = (0..<count).reduce(0) { $0 + jacobian[$1, row] * half[$1, column] }
      }
    }
    return product
  }

  /// The transpose, of a square matrix that is not symmetric.
  fileprivate var transposed: SymmetricMatrix {
    var copy = self
    for row in 0..<count {
      for column in 0..<count { copy[row, column] = self[column, row] }
    }
    return copy
  }
}
