internal import PlumblineModel
import PlumblineNumerics

/// Whether lengths of a face were measured.
public struct FaceScale: Sendable, Hashable {
  /// The source of the scale.
  public enum Source: String, Sendable, CaseIterable {
    /// From metric depth.
    case measured
    /// From the mean size of the faces that the model was made of; the camera is known.
    case assumed
    /// As ``assumed``, and even the camera is a guess: proportions may be wrong too.
    case unknown
  }

  /// The source of the scale.
  public var source: Source
  /// One standard deviation of all lengths together, as a share of them.
  public var sigmaShare: Double

  /// Creates a scale.
  package init(source: Source, sigmaShare: Double) {
    self.source = source
    self.sigmaShare = sigmaShare
  }
}

extension FaceFit {
  /// The share of the landmarks' weight that counts for a ±.
  ///
  /// Errors of landmarks extend over centimeters, so that only few landmarks are independent.
  ///
  /// - Source: with it the ± of the scale covers 68 % of 200 simulated heads whose landmarks' errors reach
  ///   over 10 mm (`MeasureFaces`); without it, 57 %.
  static let independentShare = 0.25

  /// The inverse covariance from the landmarks alone, with their shared errors taken into account.
  private func doubtfulInformation(identityCount: Int) -> SymmetricMatrix {
    var matrix = information
    for i in 0..<matrix.count {
      for j in 0..<matrix.count {
        // Identity has a prior of 1, which does not come from landmarks and keeps its full weight.
        let prior = i == j && (6..<6 + identityCount).contains(i) ? 1.0 : 0
        matrix[i, j] = prior + (matrix[i, j] - prior) * Self.independentShare
      }
    }
    return matrix
  }

  /// One standard deviation of the head's size, as a share of it, from the landmarks and the model's
  /// statistics.
  ///
  /// The size is that of the figure which the landmarks form. A mode changes it by the part of its
  /// displacement that is along the figure itself.
  package func sizeSigmaShare(in model: MorphableModel) -> Double {
    guard
      let factor = doubtfulInformation(identityCount: model.identityCount).cholesky
    else { return .infinity }
    let positions = model.positions(of: state.shape)
    let vertices = model.anchors.compactMap { $0?.vertices.x }
    var center = SIMD3<Double>.zero
    for vertex in vertices { center += positions[vertex].vector / Double(vertices.count) }
    var row = [Double](repeating: 0, count: 6 + model.modeCount)
    var total = 0.0
    for vertex in vertices {
      let arm = positions[vertex].vector - center
      total += (arm * arm).sum()
      for k in 0..<model.identityCount {
        for axis in 0..<3 {
          row[6 + k] += arm[axis] * Double(model.basis[(3 * vertex + axis) * model.stride + k])
        }
      }
    }
    let half = factor.solveLower(row.map { $0 / total })
    return half.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// The size of the head relative to the model's mean head; 1 is equal.
  ///
  /// The size is the root mean square distance of the landmarks' vertices from their center.
  package func relativeSize(in model: MorphableModel) -> Double {
    func size(_ positions: [PackedPoint]) -> Double {
      let points = model.anchors.compactMap { $0.map { positions[$0.vertices.x].vector } }
      let center = points.reduce(.zero, +) / Double(max(1, points.count))
      return points.reduce(0) { $0 + (($1 - center) * ($1 - center)).sum() }.squareRoot()
    }
    return size(model.positions(of: state.shape)) / size(model.mean)
  }

  /// The ± of each vertex by the fit alone, along its normal, in the head's frame, meters; O(vertices ·
  /// modes²), some 0.2 s.
  package func shapeSigmas(in model: MorphableModel) -> [Float] {
    let information = doubtfulInformation(identityCount: model.identityCount)
    guard let inverse = information.cholesky?.inverseRows else {
      return Array(repeating: .infinity, count: model.vertexCount)
    }
    let face = PlacedFace(model, state)
    return face.inCamera.indices.map { vertex in
      var row = model.derivative(
        ofVertex: vertex, along: face.normals[vertex], arm: .zero, face, length: inverse.stride)
      // The pose of the head is not part of its shape.
      for k in 0..<6 { row[k] = 0 }
      return Float(inverse.variance(of: row).squareRoot())
    }
  }
}
