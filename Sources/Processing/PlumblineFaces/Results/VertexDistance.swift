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
  /// Whether depth was measured at both ends; else the model says where one of them is.
  public var isMeasured: Bool
}

/// The area of a face's surface, with its ±.
public struct SurfaceArea: Sendable, Hashable {
  /// The whole mesh as it looks in the photo, m²; where it is cut off is the model's choice.
  public var squareMeters: Double
  /// The triangles whose corners were all measured, m²; 0 without depth.
  public var measuredSquareMeters: Double
  /// One standard deviation of the scale as a share of either: twice that of lengths.
  ///
  /// What a rough surface adds is not in it.
  public var sigmaShare: Double
}

extension FaceResult {
  /// The straight distance between two vertices.
  ///
  /// With `u` from one end to the other, `n` the normal and `r` the line of sight of an end, a measured end errs by
  /// its ± times the greater of `|u·n|` and `|u·r|`, since depth errs along its line of sight and the surface's ± is
  /// along its normal; one that the model says errs by all of its ±. The scale errs for both together.
  ///
  /// It is the ± of the surface, not of which position of the skin was meant; see ``measurements`` for landmarks.
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
