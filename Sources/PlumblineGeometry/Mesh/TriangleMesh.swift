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
  public var residualMeters: [Float]? {
    didSet { requireCount(residualMeters?.count, "residuals") }
  }

  /// Creates a mesh from its parts; O(*n*).
  ///
  /// - Throws: `.mismatch` for lists of different lengths, `.outOfRange` for indices that name no
  ///   vertex and positions that are not finite, `.degenerate` for a corner twice in one triangle,
  ///   `.limitExceeded` for more than 2³¹ − 1 vertices or triangles.
  public init(
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

  private func requireCount(_ count: Int?, _ name: String) {
    precondition(
      count == nil || count == vertexCount, "\(count ?? 0) \(name) of \(vertexCount) vertices")
  }
}
