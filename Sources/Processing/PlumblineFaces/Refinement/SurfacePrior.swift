import CKernels
import PlumblineGeometry
import PlumblineModel

/// How smooth the difference between a head and the model is: a Matérn field on the surface.
///
/// Its precision is Q = α·A·M⁻¹·A with A = κ²·M + K, M the areas of the vertices and K the cotangent
/// Laplacian: a field of standard deviation σ whose correlation falls to 0.14 at the range ρ, for
/// κ = √8/ρ and α = 1/(4π·κ²·σ²).
///
/// - Source: F. Lindgren, H. Rue, J. Lindström, *An explicit link between Gaussian fields and Gaussian
///   Markov random fields*, J. R. Statist. Soc. B 73, 2011, §2.2 and 2.3, for d = 2 and ν = 1.
struct SurfacePrior {
  /// The area of each vertex, square meters; never 0.
  let areas: [Float]
  /// α above.
  let alpha: Float
  /// α over each area: what stands between both factors of Q.
  private let precisionScales: [Float]
  private let diagonal: [Float]
  private let starts: [Int32]
  private let indices: [UInt32]
  private let weights: [Float]

  /// Cotangents are kept below this: slivers would tie their ends together rigidly.
  static let maximumCotangent = 10.0
  /// The least area of a vertex, as a share of the mean, so that a vertex of no triangle stays harmless.
  static let leastShare: Float = 1e-3

  /// Makes the field of a surface.
  ///
  /// - Parameters:
  ///   - positions: The vertices, meters.
  ///   - model: Whose triangles they belong to.
  ///   - sigma: σ above, meters.
  ///   - range: ρ above, meters.
  /// - Returns: The field. O(triangles).
  static func field(
    on positions: [PackedPoint], _ model: MorphableModel, sigmaMeters sigma: Double,
    rangeMeters range: Double
  ) -> SurfacePrior {
    let count = positions.count
    var areas = [Double](repeating: 0, count: count)
    let neighbors = model.neighbors
    var sums = [Double](repeating: 0, count: neighbors.indices.count)
    for triangle in model.triangles {
      let corners = (0..<3).map { SIMD3<Double>(positions[triangle[$0]].vector) }
      for corner in 0..<3 {
        let toNext = corners[(corner + 1) % 3] - corners[corner]
        let toLast = corners[(corner + 2) % 3] - corners[corner]
        let normal = SIMD3(
          toNext.y * toLast.z - toNext.z * toLast.y, toNext.z * toLast.x - toNext.x * toLast.z,
          toNext.x * toLast.y - toNext.y * toLast.x)
        let twice = (normal * normal).sum().squareRoot()
        areas[triangle[corner]] += twice / 6
        guard twice > 0 else { continue }
        let cotangent = min(maximumCotangent, max(0, (toNext * toLast).sum() / twice))
        let (a, b) = (triangle[(corner + 1) % 3], triangle[(corner + 2) % 3])
        sums[neighbors.place(of: b, at: a)] += cotangent / 2
        sums[neighbors.place(of: a, at: b)] += cotangent / 2
      }
    }
    let least = Float(areas.reduce(0, +) / Double(max(1, count))) * leastShare
    let kept = areas.map { max(least, Float($0)) }
    let kappaSquared = 8 / (range * range)
    let alpha = Float(1 / (4 * Double.pi * kappaSquared * sigma * sigma))
    let diagonal = (0..<count).map { vertex in
      let stiffness = sums[neighbors.starts[vertex]..<neighbors.starts[vertex + 1]].reduce(0, +)
      return Float(kappaSquared) * kept[vertex] + Float(stiffness)
    }
    return SurfacePrior(
      areas: kept, alpha: alpha, precisionScales: kept.map { alpha / $0 }, diagonal: diagonal,
      starts: neighbors.starts.map { Int32($0) }, indices: neighbors.indices,
      weights: sums.map { Float(-$0) })
  }

  /// A times eight vectors side by side.
  func multiplied(_ x: LaneVectors) -> LaneVectors {
    LaneVectors(count: x.count) { result in
      plb_face_multiply(
        diagonal, starts, indices, weights, Int32(diagonal.count), x.values, result)
    }
  }

  /// Q times eight vectors side by side.
  func precision(_ x: LaneVectors) -> LaneVectors {
    multiplied(multiplied(x).scaled(by: precisionScales))
  }

  /// The diagonal of Q.
  var precisionDiagonal: [Float] {
    areas.indices.map { vertex in
      var sum = diagonal[vertex] * diagonal[vertex] / areas[vertex]
      for place in Int(starts[vertex])..<Int(starts[vertex + 1]) {
        sum += weights[place] * weights[place] / areas[Int(indices[place])]
      }
      return alpha * sum
    }
  }

  /// Vectors with covariance Q, from such of independent numbers with variance 1.
  func colored(_ noise: LaneVectors) -> LaneVectors {
    multiplied(noise.scaled(by: precisionScales.map { $0.squareRoot() }))
  }
}

extension VertexNeighbors {
  /// The position of a neighbor in ``indices``.
  ///
  /// - Precondition: It is a neighbor; the neighbors of a vertex rise.
  func place(of neighbor: Int, at vertex: Int) -> Int {
    var low = starts[vertex]
    var high = starts[vertex + 1]
    while low + 1 < high {
      let middle = (low + high) / 2
      if Int(indices[middle]) <= neighbor { low = middle } else { high = middle }
    }
    precondition(low < high && Int(indices[low]) == neighbor, "\(neighbor) is no neighbor")
    return low
  }
}

/// Eight vectors side by side, so that one pass over a matrix serves them all: `values[8·i + lane]`.
struct LaneVectors: Sendable {
  /// The length of each vector.
  let count: Int
  private(set) var values: [Float]

  /// Vectors that a kernel fills.
  init(count: Int, _ fill: (UnsafeMutablePointer<Float>) -> Void) {
    self.count = count
    values = [Float](unsafeUninitializedCapacity: 8 * count) { buffer, filled in
      if let place = buffer.baseAddress { fill(place) }
      filled = 8 * count
    }
  }

  /// Vectors from their numbers.
  ///
  /// - Precondition: There are eight for each position.
  init(_ values: [Float]) {
    precondition(values.count % 8 == 0, "\(values.count) numbers are not eight vectors")
    count = values.count / 8
    self.values = values
  }

  /// The number of one vector at a position.
  subscript(place: Int, lane: Int) -> Float { values[8 * place + lane] }

  /// Each place of all vectors times its scale.
  func scaled(by scales: [Float]) -> LaneVectors {
    LaneVectors(count: count) { plb_face_scale(values, scales, Int32(count), $0) }
  }

  /// Adds other vectors, each position times its scale.
  mutating func add(_ other: LaneVectors, scaledBy scales: [Float]) {
    plb_face_add_scaled(other.values, scales, Int32(count), &values)
  }

  /// Adds other vectors, each times its factor.
  mutating func add(_ other: LaneVectors, times factors: SIMD8<Float>) {
    withFactors(factors) { plb_face_add(other.values, $0, Int32(count), &values) }
  }

  /// Multiplies each vector by its factor and adds another one.
  mutating func multiply(by factors: SIMD8<Float>, adding other: LaneVectors) {
    withFactors(factors) { plb_face_turn(other.values, $0, Int32(count), &values) }
  }

  /// The products of each pair of vectors.
  func dots(_ other: LaneVectors) -> SIMD8<Double> {
    var sums = [Double](repeating: 0, count: 8)
    plb_face_dots(values, other.values, Int32(count), &sums)
    return SIMD8(sums)
  }

  private func withFactors(_ factors: SIMD8<Float>, _ body: ([Float]) -> Void) {
    body((0..<8).map { factors[$0] })
  }
}
