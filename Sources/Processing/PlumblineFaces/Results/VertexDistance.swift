internal import PlumblineGeometry
internal import PlumblineModel

/// Two vertices of a face, counted from 0 as in the model, and so in PLY and OBJ files (where OBJ counts from 1).
public struct VertexPair: Sendable, Hashable {
  /// One end.
  public var first: Int
  /// The other end.
  public var second: Int

  /// Creates a pair.
  public init(_ first: Int, _ second: Int) {
    self.first = first
    self.second = second
  }
}

/// The straight distance between two vertices of a face, with its ±.
public struct VertexDistance: Sendable, Hashable {
  /// The distance, meters.
  public var meters: Double
  /// One standard deviation, meters: of the surface at both ends and of the scale.
  public var sigmaMeters: Double
  /// Whether depth was measured at both ends; else the position of one comes from the model alone.
  public var isMeasured: Bool
}

/// The area of a face's surface, with its ±.
public struct SurfaceArea: Sendable, Hashable {
  /// The area of the whole mesh as it looks in the photo, in m²; its border is that of the model.
  public var squareMeters: Double
  /// The area of the triangles whose corners were all measured, in m²; 0 without depth.
  public var measuredSquareMeters: Double
  /// One standard deviation of the scale as a share of either: twice that of lengths.
  ///
  /// It does not contain what a rough surface adds.
  public var sigmaShare: Double
}

extension FaceResult {
  /// The straight distance between two vertices.
  ///
  /// Let `u` be the direction from one end to the other, `n` the normal and `r` the line of sight of an end. A
  /// measured end contributes its ± times the larger of `|u·n|` and `|u·r|`, since depth errs along the line of
  /// sight and the surface's ± is along its normal. An end that comes from the model alone contributes its whole ±.
  /// The ± of the scale applies to both together.
  ///
  /// The result is the ± of the surface. It does not say how well the two positions of the skin were chosen; for
  /// landmarks see ``measurements``.
  ///
  /// - Parameter pair: The vertices.
  /// - Returns: The distance.
  /// - Precondition: Both are vertices of ``mesh``. O(1).
  public func distance(_ pair: VertexPair) -> VertexDistance {
    precondition(
      mesh.positions.indices.contains(pair.first) && mesh.positions.indices.contains(pair.second),
      "vertices \(pair.first) and \(pair.second) of \(mesh.positions.count)")
    let way = mesh.positions[pair.second].vector - mesh.positions[pair.first].vector
    let length = (way * way).sum().squareRoot()
    let common = length * scale.sigmaShare
    var variance = common * common
    for vertex in [pair.first, pair.second] {
      let sigma = Double(mesh.sigmaMeters?[vertex] ?? .infinity)
      let share = length > 0 && isMeasured(vertex) ? errorShare(of: vertex, along: way / length) : 1
      variance += sigma * sigma * share * share
    }
    return VertexDistance(
      meters: length, sigmaMeters: variance.squareRoot(),
      isMeasured: isMeasured(pair.first) && isMeasured(pair.second))
  }

  /// The area of the surface; O(*n*).
  public var area: SurfaceArea {
    let measured = mesh.triangles.filter { triangle in
      (0..<3).allSatisfy { isMeasured(triangle[$0]) }
    }
    return SurfaceArea(
      squareMeters: mesh.surfaceArea,
      measuredSquareMeters: measured.reduce(0) { $0 + mesh.area(of: $1) },
      sigmaShare: 2 * scale.sigmaShare)
  }

  private func isMeasured(_ vertex: Int) -> Bool {
    mesh.residualMeters.map { !$0[vertex].isNaN } ?? false
  }

  private func errorShare(of vertex: Int, along direction: SIMD3<Double>) -> Double {
    let sight = mesh.positions[vertex].vector
    let distance = (sight * sight).sum().squareRoot()
    let normal = mesh.normals?[vertex].vector ?? .zero
    let (across, along) = (
      abs((normal * direction).sum()), distance > 0 ? abs((sight * direction).sum()) / distance : 1
    )
    return min(1, max(across, along))
  }
}
