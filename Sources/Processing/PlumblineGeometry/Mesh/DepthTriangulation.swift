package import PlumblineModel

/// Joins neighboring pixels of one depth map to a surface that is cut where the depth steps.
///
/// Two neighbors belong to one surface when their depths differ by no more than their noise explains, and a
/// surface that leans by ``maximumSlope``. Each square of four pixels gives up to two triangles, cut along
/// the diagonal whose depths differ less; of a square with three usable pixels one is left.
package struct DepthTriangulation: Sendable {
  /// The step that noise explains, in standard deviations of the difference of two pixels: as in
  /// `FlyingPixelRemoval`.
  package var sigmas: Float = 5
  /// The tangent of the largest angle between a surface and the plane across the ray: that of 80°, beyond
  /// which a pixel covers six times its width and no sensor was measured.
  package var maximumSlope: Float = 5.67

  /// Triangulates as above.
  package init() {}

  /// Joins the pixels of a map.
  ///
  /// - Parameters:
  ///   - cloud: The points of the map in the frame of its camera, each with its pixel.
  ///   - size: The size of the map.
  ///   - noise: The noise of one pixel alone along the optical axis; `nil` where it is not known, so that
  ///     slopes alone decide.
  ///   - hasTexture: Whether the mesh gets a layout by which the color image of the map's field of view is
  ///     its texture.
  /// - Returns: The vertices that a triangle uses, in the order of their pixels, with color and with the ±
  ///   along their normals; `nil` where no triangle is left. Cost: O(*n*).
  /// - Throws: ``MeshError`` for a cloud whose numbers are no mesh.
  /// - Precondition: The cloud has pixels, rising, all inside of the size.
  package func mesh(
    of cloud: PointCloud, size: RasterSize, noise: SigmaCurve?, hasTexture: Bool
  ) throws(MeshError) -> TriangleMesh? {
    guard let pixels = cloud.pixelIndices else { preconditionFailure("a cloud without pixels") }
    let grid = PixelGraph(cloud.positions, pixels, size, noise, self)
    let joined = grid.triangles()
    guard !joined.isEmpty else { return nil }
    let used = UsedVertices(joined, count: cloud.count)
    let positions = used.kept(cloud.positions)
    var mesh = try TriangleMesh(
      positions: positions, triangles: used.triangles,
      texture: hasTexture ? layout(used.kept(pixels), used.triangles, size) : nil,
      colors: cloud.colors.map(used.kept))
    let normals = mesh.areaWeightedNormals
    mesh.normals = normals
    mesh.sigmaMeters = cloud.sigmaMeters.map { sigmas in
      zip(used.kept(sigmas), zip(positions, normals)).map { sigma, vertex in
        Self.alongNormal(sigma, vertex.0, vertex.1)
      }
    }
    return mesh
  }

  /// The ± along the normal of a point that is uncertain along its ray, of which the ± is that of z.
  private static func alongNormal(
    _ sigma: Float, _ point: PackedPoint, _ normal: PackedPoint
  ) -> Float {
    let along = (point.vector * normal.vector).sum() / point.vector.z
    return sigma * Float(abs(along))
  }

  /// Each vertex at the center of its pixel.
  private func layout(
    _ pixels: [UInt32], _ triangles: [TriangleIndices], _ size: RasterSize
  ) throws(MeshError) -> TextureLayout {
    let coordinates = pixels.map { pixel in
      let (row, column) = Int(pixel).quotientAndRemainder(dividingBy: size.width)
      return SIMD2<Float>(
        (Float(column) + 0.5) / Float(size.width), (Float(row) + 0.5) / Float(size.height))
    }
    return try TextureLayout(coordinates: coordinates, triangles: triangles)
  }
}

/// The measured pixels of a map, and which neighbors lie on one surface.
private struct PixelGraph {
  private let points: [PackedPoint]
  /// The point of each pixel; −1 for none.
  private var places: [Int32]
  private let size: RasterSize
  /// The noise of each point, in meters.
  private let noise: [Float]
  private let rule: DepthTriangulation

  init(
    _ points: [PackedPoint], _ pixels: [UInt32], _ size: RasterSize, _ noise: SigmaCurve?,
    _ rule: DepthTriangulation
  ) {
    self.points = points
    self.size = size
    self.rule = rule
    self.noise = points.map { Float(noise?.sigmaMeters(atDepth: Double($0.z)) ?? 0) }
    places = [Int32](repeating: -1, count: size.pixelCount)
    for (point, pixel) in pixels.enumerated() { places[Int(pixel)] = Int32(point) }
  }

  /// The triangles of all squares, row after row, counter-clockwise as the camera sees them.
  func triangles() -> [TriangleIndices] {
    var found: [TriangleIndices] = []
    found.reserveCapacity(2 * points.count)
    guard size.width > 1, size.height > 1 else { return [] }
    for y in 0..<size.height - 1 {
      for x in 0..<size.width - 1 { appendSquare(x, y, to: &found) }
    }
    return found
  }

  private func appendSquare(_ x: Int, _ y: Int, to found: inout [TriangleIndices]) {
    let first = y * size.width + x
    let (a, b) = (places[first], places[first + 1])
    let (c, d) = (places[first + size.width], places[first + size.width + 1])
    let missing = (a < 0 ? 1 : 0) + (b < 0 ? 1 : 0) + (c < 0 ? 1 : 0) + (d < 0 ? 1 : 0)
    guard missing < 2 else { return }
    // Seen by the camera with y down: upper left, lower left, upper right goes round counter-clockwise.
    guard missing == 0 else {
      if a < 0 { append(b, c, d, to: &found) }
      if b < 0 { append(a, c, d, to: &found) }
      if c < 0 { append(a, d, b, to: &found) }
      if d < 0 { append(a, c, b, to: &found) }
      return
    }
    if step(a, d) < step(b, c) {
      append(a, c, d, to: &found)
      append(a, d, b, to: &found)
    } else {
      append(a, c, b, to: &found)
      append(b, c, d, to: &found)
    }
  }

  private func append(_ a: Int32, _ b: Int32, _ c: Int32, to found: inout [TriangleIndices]) {
    guard isOneSurface(a, b), isOneSurface(b, c), isOneSurface(c, a) else { return }
    found.append(TriangleIndices(UInt32(a), UInt32(b), UInt32(c)))
  }

  private func step(_ a: Int32, _ b: Int32) -> Float {
    abs(points[Int(a)].z - points[Int(b)].z)
  }

  private func isOneSurface(_ a: Int32, _ b: Int32) -> Bool {
    let (p, q) = (points[Int(a)], points[Int(b)])
    let (s, t) = (noise[Int(a)], noise[Int(b)])
    // How far apart the rays are at the nearer depth.
    let near = min(p.z, q.z)
    let (dx, dy) = (p.x / p.z - q.x / q.z, p.y / p.z - q.y / q.z)
    let across = near * (dx * dx + dy * dy).squareRoot()
    let explained = rule.sigmas * (s * s + t * t).squareRoot() + rule.maximumSlope * across
    return abs(p.z - q.z) <= explained
  }
}

/// The vertices that triangles use, numbered anew in their order.
private struct UsedVertices {
  let triangles: [TriangleIndices]
  private let isUsed: [Bool]

  init(_ triangles: [TriangleIndices], count: Int) {
    var isUsed = [Bool](repeating: false, count: count)
    for triangle in triangles {
      for corner in 0..<3 { isUsed[triangle[corner]] = true }
    }
    var numbers = [UInt32](repeating: 0, count: count)
    var next: UInt32 = 0
    for vertex in 0..<count where isUsed[vertex] {
      numbers[vertex] = next
      next += 1
    }
    self.triangles = triangles.map {
      TriangleIndices(numbers[$0[0]], numbers[$0[1]], numbers[$0[2]])
    }
    self.isUsed = isUsed
  }

  func kept<Entry>(_ entries: [Entry]) -> [Entry] {
    zip(isUsed, entries).compactMap { $0 ? $1 : nil }
  }
}
