/// Corrects colors at the corners of triangles so that regions of different frames agree along their seams.
///
/// Each vertex has a color *g* to be added in each region that it is a corner of. They minimize
///
///     Σ_seams ℓ/ℓ̄ Σ_ends ‖(c₁ + g₁) − (c₂ + g₂)‖² + λ Σ_edges ‖g_a − g_b‖² + μ Σ ‖g‖²
///
/// over the edges between regions, of length ℓ, with the colors *c* that either frame shows there, and the edges within
/// regions. One color for each region (``SeamLeveling``) is where the descent begins: what is left of the steps is
/// spread from the seams into the regions.
///
/// - Source: V. Lempitsky and D. Ivanov, *Seamless mosaicing of image-based texture maps*, CVPR 2007, section 4;
///   M. Waechter, N. Moehrle, M. Goesele, *Let there be color!*, ECCV 2014, section 4.2. The descent is that of
///   conjugate gradients, each channel on its own: M. Hestenes and E. Stiefel, 1952.
struct SeamCorrections {
  /// How much an edge within a region counts beside one of a seam.
  ///
  /// On a regular lattice steps that change from edge to edge, which are mostly noise of the photos, are evened by
  /// 40 %, those 10 edges long by two thirds, those of 50 edges by nine tenths.
  private static let smoothness: Float = 2
  /// Holds the mean of all corrections.
  private static let damping: Float = 1e-4
  /// From the colors of regions on, what is left lies near the seams.
  private static let steps = 80
  /// More than so many codes is another light or a wrong pose.
  private static let mostCodes: Float = 64

  /// The node of each corner of each triangle; −1 in triangles without a frame.
  private let nodes: [SIMD3<Int32>]
  /// The corrections of the nodes, in codes.
  private var values: [SIMD4<Float>]
  /// Pairs of nodes across seams, with their weights.
  private let pairs: [(first: Int32, second: Int32, weight: Float)]
  /// What the equations equal.
  private let right: [SIMD4<Float>]

  private init(
    nodes: [SIMD3<Int32>], values: [SIMD4<Float>],
    pairs: [(first: Int32, second: Int32, weight: Float)], right: [SIMD4<Float>]
  ) {
    self.nodes = nodes
    self.values = values
    self.pairs = pairs
    self.right = right
  }

  /// A seam between the regions of two triangles.
  struct Seam {
    /// The triangles, and the first corner of the edge in each; it runs the other way in the second one.
    var first, second: (triangle: Int, edge: Int)
    var length: Double
    /// The second region's color less the first one's.
    var difference: SIMD3<Double>
  }

  /// Prepares the equations.
  ///
  /// - Parameters:
  ///   - mesh: The surface.
  ///   - regions: The region of each triangle; −1 for none.
  ///   - offsets: The color of each region at the beginning.
  ///   - seams: The edges between regions.
  /// - Returns: The equations; ``solve()`` solves them. Cost: O(*n*).
  static func prepared(
    _ mesh: TriangleMesh, regions: [Int32], offsets: [SIMD3<Double>], seams: [Seam]
  ) -> SeamCorrections {
    var nodes = [SIMD3<Int32>](repeating: .init(repeating: -1), count: mesh.triangles.count)
    var regionOfNode = [Int32](repeating: -1, count: mesh.vertexCount)
    // A vertex inside a region is a node; one at seams has further nodes for its further regions.
    var further: [UInt64: Int32] = [:]
    for (index, triangle) in mesh.triangles.enumerated() where regions[index] >= 0 {
      let region = regions[index]
      for corner in 0..<3 {
        let vertex = triangle[corner]
        if regionOfNode[vertex] < 0 { regionOfNode[vertex] = region }
        guard regionOfNode[vertex] != region else {
          nodes[index][corner] = Int32(vertex)
          continue
        }
        let key = UInt64(vertex) << 32 | UInt64(region)
        let node = further[key] ?? Int32(regionOfNode.count)
        if Int(node) == regionOfNode.count {
          regionOfNode.append(region)
          further[key] = node
        }
        nodes[index][corner] = node
      }
    }
    var right = [SIMD4<Float>](repeating: .zero, count: regionOfNode.count)
    let mean = seams.reduce(0) { $0 + $1.length } / Double(max(seams.count, 1))
    var pairs: [(first: Int32, second: Int32, weight: Float)] = []
    for seam in seams where mean > 0 {
      let weight = Float(seam.length / mean)
      let difference = SIMD4(SIMD3<Float>(seam.difference), 0) * weight
      for end in 0..<2 {
        let first = nodes[seam.first.triangle][(seam.first.edge + end) % 3]
        let second = nodes[seam.second.triangle][(seam.second.edge + 1 - end) % 3]
        pairs.append((first, second, weight))
        right[Int(first)] += difference
        right[Int(second)] -= difference
      }
    }
    let values = regionOfNode.map { region in
      region < 0 ? SIMD4<Float>.zero : SIMD4(SIMD3<Float>(offsets[Int(region)]), 0)
    }
    return SeamCorrections(nodes: nodes, values: values, pairs: pairs, right: right)
  }

  /// The corrections of a triangle's corners; `nil` without a frame.
  func corners(of triangle: Int) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)? {
    let corners = nodes[triangle]
    guard corners.x >= 0 else { return nil }
    func value(_ node: Int32) -> SIMD3<Float> {
      let value = values[Int(node)].clamped(
        lowerBound: .init(repeating: -Self.mostCodes), upperBound: .init(repeating: Self.mostCodes))
      return SIMD3(value.x, value.y, value.z)
    }
    return (value(corners.x), value(corners.y), value(corners.z))
  }

  /// Descends from the present corrections; O(steps · *n*).
  mutating func solve() {
    let scale = diagonal.map { 1 / $0 }
    var residual = product(values)
    for node in residual.indices { residual[node] = right[node] - residual[node] }
    var direction = zip(residual, scale).map { $0 * $1 }
    var square = Self.sum(residual, direction)
    let goal = square * 1e-6
    for _ in 0..<Self.steps where any(square .> goal) {
      let moved = product(direction)
      let along = Self.sum(direction, moved)
      let step = Self.ratio(square, along)
      for node in values.indices {
        values[node] += direction[node] * step
        residual[node] -= moved[node] * step
      }
      let scaled = zip(residual, scale).map { $0 * $1 }
      let next = Self.sum(residual, scaled)
      let share = Self.ratio(next, square)
      for node in direction.indices { direction[node] = scaled[node] + direction[node] * share }
      square = next
    }
  }

  /// Of each channel; 0 where there is nothing to divide by.
  private static func ratio(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Float> {
    SIMD4<Float>((a / b).replacing(with: 0, where: b .<= 0))
  }

  /// The products of two lists, summed in their order.
  private static func sum(_ a: [SIMD4<Float>], _ b: [SIMD4<Float>]) -> SIMD4<Double> {
    zip(a, b).reduce(into: .zero) { $0 += SIMD4<Double>($1.0 * $1.1) }
  }

  /// The left side of the equations for some corrections.
  private func product(_ values: [SIMD4<Float>]) -> [SIMD4<Float>] {
    var result = values.map { $0 * Self.damping }
    result.withUnsafeMutableBufferPointer { result in
      values.withUnsafeBufferPointer { values in
        func join(_ a: Int32, _ b: Int32, _ weight: Float) {
          let difference = (values[Int(a)] - values[Int(b)]) * weight
          result[Int(a)] += difference
          result[Int(b)] -= difference
        }
        // Both triangles of an edge have it: half each.
        let half = Self.smoothness / 2
        for corners in nodes where corners.x >= 0 {
          join(corners.x, corners.y, half)
          join(corners.y, corners.z, half)
          join(corners.z, corners.x, half)
        }
        for pair in pairs { join(pair.first, pair.second, pair.weight) }
      }
    }
    return result
  }

  /// The diagonal of the equations.
  private var diagonal: [Float] {
    var result = [Float](repeating: Self.damping, count: values.count)
    for corners in nodes where corners.x >= 0 {
      // Two of its three edges meet in a corner.
      for corner in 0..<3 { result[Int(corners[corner])] += Self.smoothness }
    }
    for pair in pairs {
      result[Int(pair.first)] += pair.weight
      result[Int(pair.second)] += pair.weight
    }
    return result
  }
}
