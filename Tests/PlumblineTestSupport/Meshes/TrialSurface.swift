package import PlumblineSimulation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Meshes of flat faces, each with its own vertices, which errors move along the true normals.
package struct TrialSurface {
  package var positions: [SIMD3<Double>] = []
  package var normals: [SIMD3<Double>] = []
  package var triangles: [SIMD3<Int32>] = []

  /// An empty surface.
  package init() {}

  /// Adds a rectangle of squares that faces along `across × along`.
  ///
  /// - Parameters:
  ///   - origin: Its first corner.
  ///   - across: Its first side, as a vector of its length.
  ///   - along: Its second side.
  ///   - spacing: About how far vertices are apart.
  ///   - isSeen: Which squares there are, by their middle.
  package mutating func add(
    _ origin: SIMD3<Double>, _ across: SIMD3<Double>, _ along: SIMD3<Double>, spacing: Double,
    isSeen: (SIMD3<Double>) -> Bool = { _ in true }
  ) {
    func length(_ a: SIMD3<Double>) -> Double { (a * a).sum().squareRoot() }
    let normal = SIMD3(
      across.y * along.z - across.z * along.y, across.z * along.x - across.x * along.z,
      across.x * along.y - across.y * along.x)
    let columns = max(1, Int((length(across) / spacing).rounded()))
    let rows = max(1, Int((length(along) / spacing).rounded()))
    let first = Int32(positions.count)
    func point(_ column: Double, _ row: Double) -> SIMD3<Double> {
      origin + across * (column / Double(columns)) + along * (row / Double(rows))
    }
    for row in 0...rows {
      for column in 0...columns {
        positions.append(point(Double(column), Double(row)))
        normals.append(normal / length(normal))
      }
    }
    for row in 0..<rows {
      for column in 0..<columns where isSeen(point(Double(column) + 0.5, Double(row) + 0.5)) {
        let a = first + Int32(row * (columns + 1) + column)
        let (b, c, d) = (a + 1, a + Int32(columns) + 1, a + Int32(columns) + 2)
        triangles += [[a, b, d], [a, d, c]]
      }
    }
  }

  /// A room with walls of a polygon, counter-clockwise, its floor at 0, all facing inside; z is up.
  package static func room(
    _ corners: [SIMD2<Double>], height: Double, spacing: Double,
    isSeen: (SIMD3<Double>) -> Bool = { _ in true }
  ) -> TrialSurface {
    var surface = TrialSurface()
    for (index, corner) in corners.enumerated() {
      let next = corners[(index + 1) % corners.count]
      // Up × along faces left of the way, which is inside.
      surface.add(
        SIMD3(corner, 0), [0, 0, height], SIMD3(next - corner, 0), spacing: spacing,
        isSeen: isSeen)
    }
    let low = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
    let size = corners.reduce(corners[0]) { pointwiseMax($0, $1) } - low
    surface.add(SIMD3(low, 0), [size.x, 0, 0], [0, size.y, 0], spacing: spacing, isSeen: isSeen)
    surface.add(
      SIMD3(low, height), [0, size.y, 0], [size.x, 0, 0], spacing: spacing, isSeen: isSeen)
    return surface
  }

  /// A box that faces outward, from the origin.
  package static func box(_ size: SIMD3<Double>, spacing: Double, hasBottom: Bool = true)
    -> TrialSurface
  {
    let (x, y, z): (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) = (
      [size.x, 0, 0], [0, size.y, 0], [0, 0, size.z]
    )
    var box = TrialSurface()
    box.add(z, x, y, spacing: spacing)
    box.add(.zero, x, z, spacing: spacing)
    box.add(.zero, z, y, spacing: spacing)
    box.add(x, y, z, spacing: spacing)
    box.add(y, z, x, spacing: spacing)
    if hasBottom { box.add(.zero, y, x, spacing: spacing) }
    return box
  }

  /// All points turned and moved.
  package func placed(_ place: (SIMD3<Double>) -> SIMD3<Double>) -> TrialSurface {
    var copy = self
    copy.positions = positions.map(place)
    copy.normals = normals.map { place($0) - place(.zero) }
    return copy
  }

  /// One vertex for each place, so that the surface is closed where faces meet.
  package func joined() -> TrialSurface {
    var places: [SIMD3<Int>: Int32] = [:]
    var copy = TrialSurface()
    let map = positions.map { position -> Int32 in
      let rounded: SIMD3<Double> = (position * 1e6).rounded(.toNearestOrEven)
      let key = SIMD3(Int(rounded.x), Int(rounded.y), Int(rounded.z))
      if let known = places[key] { return known }
      let index = Int32(copy.positions.count)
      places[key] = index
      copy.positions.append(position)
      return index
    }
    copy.triangles = triangles.map { [map[Int($0.x)], map[Int($0.y)], map[Int($0.z)]] }
    copy.normals = [SIMD3<Double>](repeating: .zero, count: copy.positions.count)
    for (vertex, normal) in zip(map, normals) { copy.normals[Int(vertex)] += normal }
    copy.normals = copy.normals.map { $0 / ($0 * $0).sum().squareRoot() }
    return copy
  }

  /// Puts another surface beside this one.
  package mutating func append(_ other: TrialSurface, at place: SIMD3<Double> = .zero) {
    let first = Int32(positions.count)
    positions += other.positions.map { $0 + place }
    normals += other.normals
    triangles += other.triangles.map { $0 &+ first }
  }

  /// The surface as a PLY file in text.
  ///
  /// - Parameters:
  ///   - comments: What the header says of it.
  ///   - sigma: That of each vertex, in meters; `nil` for none.
  /// - Returns: The file.
  package func ply(comments: [String] = [], sigma: Double? = nil) -> [UInt8] {
    var lines = ["ply", "format ascii 1.0"] + comments.map { "comment \($0)" }
    lines.append("element vertex \(positions.count)")
    lines += (["x", "y", "z"] + (sigma == nil ? [] : ["sigma"])).map { "property double \($0)" }
    lines += [
      "element face \(triangles.count)", "property list uchar int vertex_indices", "end_header",
    ]
    lines += positions.map { "\($0.x) \($0.y) \($0.z)" + (sigma.map { " \($0)" } ?? "") }
    lines += triangles.map { "3 \($0.x) \($0.y) \($0.z)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }
}

/// A field with variance 1 and the correlation exp(−d²/L²): a sum of waves whose numbers are normal.
///
/// - Source: A. Rahimi and B. Recht, NIPS 2007, random Fourier features.
package struct RandomField {
  private var waves: [(number: SIMD3<Double>, phase: Double)] = []

  package init(length: Double, _ random: inout SeededGenerator) {
    guard length > 0 else { return }
    for _ in 0..<16 {
      let number =
        SIMD3(random.gaussian(), random.gaussian(), random.gaussian()) * (2.0.squareRoot() / length)
      waves.append((number, random.uniform(in: 0..<2 * .pi)))
    }
  }

  package func value(at place: SIMD3<Double>) -> Double {
    guard !waves.isEmpty else { return 0 }
    let sum = waves.reduce(0) { $0 + cos(($1.number * place).sum() + $1.phase) }
    return sum * (2 / Double(waves.count)).squareRoot()
  }
}
