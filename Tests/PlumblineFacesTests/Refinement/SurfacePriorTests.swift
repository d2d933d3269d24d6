import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineNumerics

@testable import PlumblineFaces

/// A prior as a full matrix, column by column.
enum DensePrior {
  static func matrix(_ prior: SurfacePrior, count: Int) -> SymmetricMatrix {
    var matrix = SymmetricMatrix(count: count)
    for first in stride(from: 0, to: count, by: 8) {
      var units = [Float](repeating: 0, count: 8 * count)
      for lane in 0..<min(8, count - first) { units[8 * (first + lane) + lane] = 1 }
      let image = prior.precision(LaneVectors(units))
      for lane in 0..<min(8, count - first) {
        for row in 0..<count { matrix[row, first + lane] = Double(image[row, lane]) }
      }
    }
    return matrix
  }

  static func inverseDiagonal(_ factor: CholeskyFactor) -> [Double] {
    (0..<factor.count).map { vertex in
      var unit = [Double](repeating: 0, count: factor.count)
      unit[vertex] = 1
      return factor.solveLower(unit).reduce(0) { $0 + $1 * $1 }
    }
  }
}

@Suite struct SurfacePriorTests {
  @Test func aPrecisionIsSymmetricAndPositiveDefinite() throws {
    let model = try SyntheticFace(columns: 13, rows: 14).model
    let prior = SurfacePrior.field(on: model.mean, model, sigmaMeters: 0.0008, rangeMeters: 0.014)
    let matrix = DensePrior.matrix(prior, count: model.vertexCount)
    let maximum = matrix.values.map(abs).max() ?? 0
    for i in 0..<matrix.count {
      for j in 0..<i {
        // Rounding of single precision.
        #expect(abs(matrix[i, j] - matrix[j, i]) < 1e-6 * maximum)
      }
      let told = Double(prior.precisionDiagonal[i])
      #expect(abs(matrix[i, i] - told) < 1e-5 * told)
    }
    #expect(matrix.cholesky != nil)
  }

  /// Inside a plane that is many ranges wide, the standard deviation is sigma and the correlation at the
  /// range that of the Matérn field.
  @Test(arguments: [0.0005, 0.002])
  func insideAPlaneTheFieldHasItsSpreadAndRange(sigma: Double) throws {
    let (side, spacing) = (17, Float(0.0028))
    let model = try SyntheticFaces.plane(side: side, spacing: spacing)
    // Five vertices a range, as in ICT-FaceKit; the border's mirror image is more than three ranges away.
    let range = 0.014
    let prior = SurfacePrior.field(on: model.mean, model, sigmaMeters: sigma, rangeMeters: range)
    let factor = try #require(
      DensePrior.matrix(prior, count: model.vertexCount).cholesky)
    let center = side * side / 2
    var unit = [Double](repeating: 0, count: side * side)
    unit[center] = 1
    let covariance = factor.solve(unit)
    let found = covariance[center].squareRoot()
    // Linear elements of a fifth of a range have 4.6 % more spread than the field itself, by the sum over the
    // frequencies of an endless grid; the border adds some.
    #expect((1.02...1.1).contains(found / sigma), "\(found / sigma)")
    // At κ·d = √8: x·K₁(x) = 0.140, by K₁ of M. Abramowitz, I. Stegun, 1964, table 9.8.
    let ratio = covariance[center + 5] / covariance[center]
    #expect(abs(ratio - 0.14) < 0.03, "\(ratio)")
  }

  @Test func areasAddToTheSurface() throws {
    let model = try SyntheticFaces.plane(side: 9, spacing: 0.01)
    let prior = SurfacePrior.field(on: model.mean, model, sigmaMeters: 0.001, rangeMeters: 0.014)
    // 80 mm × 80 mm.
    #expect(abs(prior.areas.reduce(0, +) - 0.0064) < 1e-7)
  }

  @Test func aVertexOfNoTriangleDoesNoHarm() throws {
    let plane = try SyntheticFaces.plane(side: 6, spacing: 0.005)
    let mean = plane.mean + [PackedPoint(x: 1, y: 1, z: 1)]
    let model = try MorphableModel(
      name: "", license: "", mean: mean, identity: [mean], expressions: [],
      triangles: plane.triangles, texture: nil,
      anchors: Array(repeating: nil, count: FaceLandmarks.meshCount))
    let prior = SurfacePrior.field(on: mean, model, sigmaMeters: 0.001, rangeMeters: 0.014)
    var weights = [Float](repeating: 1e8, count: mean.count)
    weights[mean.count - 1] = 0
    let targets = [Float](repeating: 0.001, count: mean.count)
    let solution = SurfaceDisplacement.mostLikely(
      under: prior, model, targets: targets, weights: weights, seed: 1)
    #expect(
      solution.meters.allSatisfy { $0.isFinite } && solution.sigmas.allSatisfy { $0.isFinite })
    #expect(solution.meters[mean.count - 1] == 0)
  }

  /// Numbers that color the noise have the covariance Q.
  @Test func coloredNoiseHasThePrecisionAsCovariance() throws {
    let model = try SyntheticFaces.plane(side: 5, spacing: 0.005)
    let prior = SurfacePrior.field(on: model.mean, model, sigmaMeters: 0.001, rangeMeters: 0.014)
    var generator = SeededGenerator(seed: 2)
    var squares = [Double](repeating: 0, count: 25)
    let groups = 250
    for _ in 0..<groups {
      let colored = prior.colored(
        LaneVectors((0..<200).map { _ in Float(generator.gaussian()) }))
      for vertex in 0..<25 {
        for lane in 0..<8 {
          squares[vertex] += Double(colored[vertex, lane] * colored[vertex, lane])
        }
      }
    }
    for vertex in 0..<25 {
      let variance = squares[vertex] / Double(8 * groups)
      // 2000 numbers know a variance to 3.2 %: five times that.
      #expect(abs(variance / Double(prior.precisionDiagonal[vertex]) - 1) < 0.16)
    }
  }
}
