public import PlumblineModel

/// A surface of triangles in the frame of the camera that saw it.
///
/// Unit: meters. Frame: the camera's, `x` right, `y` down, `z` forward. Triangles are counter-clockwise
/// seen from outside: `(b − a) × (c − a)` points out of the surface, in this frame as in every other
/// right-handed one. Attributes are arrays of one entry for each vertex; which vertices a triangle
/// has cannot change afterwards, where they lie can.
public struct TriangleMesh: Sendable {
  /// The number of vertices.
  public let vertexCount: Int
  /// The corners of each triangle as positions in ``positions``; all legal, no corner twice.
  public let triangles: [TriangleIndices]
  /// The layout of the triangles on a texture; `nil` without one.
  public let texture: TextureLayout?

  /// The vertices, in meters.
  ///
  /// - Precondition: What is set has as many as before, and they are finite (which is not checked).
  public var positions: [PackedPoint] {
    didSet { requireCount(positions.count, "positions") }
  }
  /// Unit vectors out of the surface, in the axes of the positions; `nil` when not given.
  ///
  /// They do not follow when positions are moved; see ``areaWeightedNormals``.
  public var normals: [PackedPoint]? {
    didSet { requireCount(normals?.count, "normals") }
  }
  /// The color of each vertex, non-linear as stored; `nil` when there is none.
  public var colors: [RGB8]? {
    didSet { requireCount(colors?.count, "colors") }
  }
  /// One standard deviation of where each vertex is, in meters along its normal; `nil` when not
  /// known, NaN for vertices where it is not.
  public var sigmaMeters: [Float]? {
    didSet { requireCount(sigmaMeters?.count, "sigmas") }
  }
  /// How far each vertex lies from what was measured there, in meters, above 0 where the mesh lies
  /// outside of it; `nil` when nothing was measured, NaN for vertices where nothing was.
  package var residualMeters: [Float]? {
    didSet { requireCount(residualMeters?.count, "residuals") }
  }
  /// Which vertices were invented, as those that close a hole; `nil` when none was.
  ///
  /// A triangle with such a corner was not measured, and nor was one between three corners of a hole; see
  /// ``MeshHoles``.
  package var isInvented: [Bool]? {
    didSet { requireCount(isInvented?.count, "marks of invented vertices") }
  }

  /// Creates a mesh from its parts; O(*n*).
  ///
  /// - Throws: `.mismatch` for lists of different lengths, `.outOfRange` for indices that name no
  ///   vertex and positions that are not finite, `.degenerate` for a corner twice in one triangle,
  ///   `.limitExceeded` for more than 2³¹ − 1 vertices or triangles.
  package init(
    positions: [PackedPoint], triangles: [TriangleIndices], texture: TextureLayout? = nil,
    normals: [PackedPoint]? = nil, colors: [RGB8]? = nil, sigmaMeters: [Float]? = nil,
    residualMeters: [Float]? = nil
  ) throws(MeshError) {
    let count = positions.count
    for (place, number) in [("positions", count), ("triangles", triangles.count)] {
      guard number <= Int(Int32.max) else {
        throw MeshError(
          .limitExceeded, at: place, expected: "at most \(Int32.max)", found: "\(number)")
      }
    }
    try MeshError.requireIndices(triangles, below: count, "triangles")
    for (index, triangle) in triangles.enumerated() where triangle.repeatsCorner {
      throw MeshError(
        .degenerate, at: "triangles[\(index)]", expected: "three vertices",
        found: "\(triangle.first), \(triangle.second), \(triangle.third)")
    }
    for (index, point) in positions.enumerated()
    where !(point.x.isFinite && point.y.isFinite && point.z.isFinite) {
      throw MeshError(
        .outOfRange, at: "positions[\(index)]", expected: "finite numbers",
        found: "(\(point.x), \(point.y), \(point.z))")
    }
    try MeshError.requireCount(texture?.triangles.count, triangles.count, "texture.triangles")
    try MeshError.requireCount(normals?.count, count, "normals")
    try MeshError.requireCount(colors?.count, count, "colors")
    try MeshError.requireCount(sigmaMeters?.count, count, "sigmaMeters")
    try MeshError.requireCount(residualMeters?.count, count, "residualMeters")
    vertexCount = count
    self.triangles = triangles
    self.texture = texture
    self.positions = positions
    self.normals = normals
    self.colors = colors
    self.sigmaMeters = sigmaMeters
    self.residualMeters = residualMeters
  }

  /// Creates a mesh whose invented vertices are marked, where there are any; O(*n*).
  ///
  /// - Throws: As the other, and `.mismatch` for marks of another number.
  package init(
    positions: [PackedPoint], triangles: [TriangleIndices], texture: TextureLayout? = nil,
    normals: [PackedPoint]? = nil, colors: [RGB8]? = nil, sigmaMeters: [Float]? = nil,
    residualMeters: [Float]? = nil, isInvented: [Bool]?
  ) throws(MeshError) {
    try self.init(
      positions: positions, triangles: triangles, texture: texture, normals: normals,
      colors: colors, sigmaMeters: sigmaMeters, residualMeters: residualMeters)
    try MeshError.requireCount(isInvented?.count, positions.count, "isInvented")
    self.isInvented = isInvented
  }

  private func requireCount(_ count: Int?, _ name: String) {
    precondition(
      count == nil || count == vertexCount, "\(count ?? 0) \(name) of \(vertexCount) vertices")
  }
}

/// The three corners of a triangle as positions in a list, counter-clockwise seen from outside.
///
/// Twelve bytes without padding, so that an array of them lies in memory as files write it.
public struct TriangleIndices: BitwiseCopyable, Hashable, Sendable {
  /// The first corner.
  public var first: UInt32
  /// The second corner.
  public var second: UInt32
  /// The third corner.
  public var third: UInt32

  /// Creates a triangle from its corners.
  @inlinable
  public init(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// The corner at position 0, 1 or 2, which is not checked beyond that.
  @inlinable
  package subscript(corner: Int) -> Int {
    Int(corner == 0 ? first : corner == 1 ? second : third)
  }

  /// The maximum of the three.
  @inlinable public var maximum: UInt32 { max(first, max(second, third)) }

  /// Whether two corners are the same, so that there is no area.
  @inlinable public var repeatsCorner: Bool {
    first == second || second == third || third == first
  }
}

extension TriangleMesh {
  /// The mean normal of the triangles around each vertex, weighted by their areas.
  ///
  /// Unit vectors out of the surface; three zeros for a vertex of no triangle, or whose triangles
  /// have no area or cancel out. Each triangle adds `(b − a) × (c − a)`, whose length is twice its
  /// area; sums are in double precision, in the order of the triangles.
  ///
  /// - Complexity: O(*n*).
  package var areaWeightedNormals: [PackedPoint] {
    var sums = [SIMD3<Double>](repeating: .zero, count: vertexCount)
    for triangle in triangles {
      let normal = doubledAreaVector(of: triangle)
      sums[triangle[0]] += normal
      sums[triangle[1]] += normal
      sums[triangle[2]] += normal
    }
    return sums.map { sum in
      let length = (sum * sum).sum().squareRoot()
      // A sum of nothing has no direction; the least normal number keeps the quotient finite.
      guard length > .leastNormalMagnitude else { return PackedPoint(x: 0, y: 0, z: 0) }
      let unit = sum / length
      return PackedPoint(x: Float(unit.x), y: Float(unit.y), z: Float(unit.z))
    }
  }

  /// The area of all triangles, in square meters; O(*n*).
  package var surfaceArea: Double {
    triangles.reduce(0) { $0 + area(of: $1) }
  }

  /// The area of one triangle, in square meters.
  package func area(of triangle: TriangleIndices) -> Double {
    let vector = doubledAreaVector(of: triangle)
    return (vector * vector).sum().squareRoot() / 2
  }

  /// `(b − a) × (c − a)` in square meters.
  func doubledAreaVector(of triangle: TriangleIndices) -> SIMD3<Double> {
    let corner = positions[triangle[0]].vector
    return cross(positions[triangle[1]].vector - corner, positions[triangle[2]].vector - corner)
  }
}

/// The vector product.
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

extension SIMD3<Double> {
  /// The Euclidean length.
  var length: Double { (self * self).sum().squareRoot() }
}

/// Why numbers make no mesh: where, what was expected and what was found.
public struct MeshError: Error, Sendable, Hashable {
  /// The kind of error.
  public enum Reason: String, Sendable, CaseIterable {
    /// Lists that belong together differ in length.
    case mismatch
    /// An index names nothing, or a number is not finite.
    case outOfRange
    /// A triangle has one corner twice.
    case degenerate
    /// There is more than can be counted or written.
    case limitExceeded
  }

  /// The kind of error.
  public var reason: Reason
  /// The part of the mesh, such as `triangles[7]`.
  public var place: String
  /// What was expected there.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, at place: String, expected: String, found: String) {
    self.reason = reason
    self.place = place
    self.expected = expected
    self.found = found
  }
}

extension MeshError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String { "\(place): expected \(expected), found \(found)" }
}

extension MeshError {
  /// Refuses triangles with a corner beyond a list; O(*n*).
  static func requireIndices(
    _ triangles: [TriangleIndices], below count: Int, _ place: String
  ) throws(MeshError) {
    for (index, triangle) in triangles.enumerated() where Int(triangle.maximum) >= count {
      throw MeshError(
        .outOfRange, at: "\(place)[\(index)]", expected: "places below \(count)",
        found: "\(triangle.maximum)")
    }
  }

  /// Refuses a list of another length than it must have; `nil` stands for no list.
  static func requireCount(
    _ count: Int?, _ expected: Int, _ place: String
  ) throws(MeshError) {
    guard let count, count != expected else { return }
    throw MeshError(.mismatch, at: place, expected: "\(expected) entries", found: "\(count)")
  }
}
