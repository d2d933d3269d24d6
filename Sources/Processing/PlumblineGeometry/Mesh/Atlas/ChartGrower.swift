import PlumblineModel

/// Collects the triangles of charts.
struct ChartGrower {
  private let mesh: TriangleMesh
  private let texelMeters: Double
  private let maximumTexels: Double
  private let minimumCosine: Double
  private let neighbors: TriangleNeighbors
  private let normals: [SIMD3<Double>]
  /// The three corners of each triangle on its chart's plane, in meters.
  private(set) var flat: [SIMD2<Double>]

  init(
    _ mesh: TriangleMesh, texelMeters: Double, maximumTexels: Double, minimumCosine: Double
  ) {
    self.mesh = mesh
    self.texelMeters = texelMeters
    self.maximumTexels = maximumTexels
    self.minimumCosine = minimumCosine
    neighbors = TriangleNeighbors.of(mesh)
    flat = [SIMD2<Double>](repeating: .zero, count: 3 * mesh.triangles.count)
    normals = mesh.triangles.map { triangle in
      let corner = mesh.positions[triangle[0]].vector
      let normal = cross(
        mesh.positions[triangle[1]].vector - corner, mesh.positions[triangle[2]].vector - corner)
      let length = (normal * normal).sum().squareRoot()
      return length > 0 ? normal / length : .zero
    }
  }

  /// The charts of all triangles, by their first one.
  mutating func charts() -> [Chart] {
    var isTaken = [Bool](repeating: false, count: mesh.triangles.count)
    var charts: [Chart] = []
    for seed in mesh.triangles.indices where !isTaken[seed] {
      charts.append(chart(from: seed, &isTaken))
    }
    return charts
  }

  private mutating func chart(from seed: Int, _ isTaken: inout [Bool]) -> Chart {
    let normal = normals[seed]
    let axes = Self.axes(of: normal)
    var chart = Chart(
      triangles: [], low: SIMD2(.infinity, .infinity), high: SIMD2(-.infinity, -.infinity))
    var texels: Set<SIMD2<Int32>> = []
    let origin = mesh.positions[mesh.triangles[seed][0]].vector
    var queue = [seed]
    var next = 0
    while next < queue.count {
      let triangle = queue[next]
      next += 1
      guard !isTaken[triangle] else { continue }
      let corners = (0..<3).map { corner in
        let point = mesh.positions[mesh.triangles[triangle][corner]].vector - origin
        return SIMD2((axes.x * point).sum(), (axes.y * point).sum())
      }
      let low = corners.reduce(chart.low) { SIMD2(min($0.x, $1.x), min($0.y, $1.y)) }
      let high = corners.reduce(chart.high) { SIMD2(max($0.x, $1.x), max($0.y, $1.y)) }
      // The first one is taken whatever its size: packing enlarges texels until it fits.
      if triangle != seed {
        guard (high - low).max() <= maximumTexels * texelMeters else { continue }
      }
      guard occupy(corners, in: &texels) || triangle == seed else { continue }
      isTaken[triangle] = true
      chart.triangles.append(triangle)
      (chart.low, chart.high) = (low, high)
      for corner in 0..<3 { flat[3 * triangle + corner] = corners[corner] }
      for edge in 0..<3 {
        guard let other = neighbors.across(triangle, edge: edge), !isTaken[other],
          (normals[other] * normal).sum() >= minimumCosine
        else { continue }
        queue.append(other)
      }
    }
    return chart
  }

  /// Marks the texels whose centers a triangle covers; false, and none marked, if one has an owner.
  private func occupy(_ corners: [SIMD2<Double>], in texels: inout Set<SIMD2<Int32>>) -> Bool {
    // A grid whose first texel lies at the triangle's own corner, so that no coordinate is negative.
    let places = corners.map { $0 / texelMeters }
    let first = SIMD2(
      places.map(\.x).min()?.rounded(.down) ?? 0, places.map(\.y).min()?.rounded(.down) ?? 0)
    let extent = places.reduce(SIMD2<Double>.zero) { high, place in
      SIMD2(max(high.x, place.x - first.x), max(high.y, place.y - first.y))
    }
    // One triangle that is larger than the limit is a chart of its own and needs no marks.
    guard extent.max() <= 2 * maximumTexels else { return false }
    guard
      case .onGrid(let triangle) = ScreenTriangle.placed(
        places[0] - first, places[1] - first, places[2] - first, width: Int(extent.x) + 1,
        height: Int(extent.y) + 1)
    else { return true }
    let shift = SIMD2(Int32(clamping: Int(first.x)), Int32(clamping: Int(first.y)))
    var covered: [SIMD2<Int32>] = []
    triangle.forEachPixel { x, y, _, _ in covered.append(SIMD2(Int32(x), Int32(y)) &+ shift) }
    guard !covered.contains(where: { texels.contains($0) }) else { return false }
    texels.formUnion(covered)
    return true
  }

  /// Two unit vectors across a normal; any two for a triangle without an area.
  private static func axes(
    of normal: SIMD3<Double>
  ) -> (x: SIMD3<Double>, y: SIMD3<Double>) {
    // The axis that the normal is farthest from.
    let sizes = SIMD3(abs(normal.x), abs(normal.y), abs(normal.z))
    let axis: SIMD3<Double> =
      sizes.x <= sizes.y && sizes.x <= sizes.z
      ? [1, 0, 0] : sizes.y <= sizes.z ? [0, 1, 0] : [0, 0, 1]
    let across = cross(normal, axis)
    let length = (across * across).sum().squareRoot()
    guard length > 0 else { return ([1, 0, 0], [0, 1, 0]) }
    let x = across / length
    return (x, cross(normal, x))
  }
}
