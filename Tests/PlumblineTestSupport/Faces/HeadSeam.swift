package import PlumblineFaces
import PlumblineGeometry
import PlumblineModel

/// How the back of a completed head joins its face.
package struct HeadSeam: Sendable {
  /// Edges that do not have two triangles which agree on the outside.
  package private(set) var turnedEdges = 0
  /// Edges of the back whose triangles lie on each other: normals more than 120° apart.
  package private(set) var foldedEdges = 0
  /// The angle between the normals at edges where face and back meet, degrees: 90 % of them are below.
  ///
  /// The end of the neck, which is cut off, is left out.
  package private(set) var seamDegrees = 0.0
  /// The same between triangles of the back, 99 %.
  package private(set) var insideDegrees = 0.0
  /// The vertices of the head in its own frame, meters, those of the back alone.
  package private(set) var back: [SIMD3<Double>] = []
  /// The completed mesh in the head's frame, but for its turn: the camera looks along −z.
  private let mesh: TriangleMesh

  /// Completes a shape of a model and examines it; `nil` where it has no back.
  package init?(of shape: FaceShape, _ model: MorphableModel) {
    var face = model.surface
    face.positions = model.positions(of: shape)
    let head = CompletedHead.completing(face, model: model, cameraFromHead: .identity)
    guard let part = head.parts.first(where: { $0.kind == .back }) else { return nil }
    mesh = head.mesh
    let range = part.firstVertex..<part.firstVertex + part.vertexCount
    back = range.map { head.mesh.positions[$0].vector }
    examine(head.mesh, range, faceTriangleCount: head.faceTriangleCount)
  }

  /// The distance from a point to the nearest of the back's triangles, by ten by ten points of each, meters.
  package func distance(to point: SIMD3<Double>) -> Double {
    var nearest = Double.infinity
    for triangle in mesh.triangles {
      let corners = (0..<3).map { mesh.positions[triangle[$0]].vector }
      let middle = (corners[0] + corners[1] + corners[2]) / 3 - point
      guard (middle * middle).sum() < 0.03 * 0.03 else { continue }
      for i in 0...10 {
        for j in 0...(10 - i) {
          let (u, v) = (Double(i) / 10, Double(j) / 10)
          let way = corners[0] * (1 - u - v) + corners[1] * u + corners[2] * v - point
          nearest = min(nearest, (way * way).sum().squareRoot())
        }
      }
    }
    return nearest
  }

  private mutating func examine(
    _ mesh: TriangleMesh, _ back: Range<Int>, faceTriangleCount: Int
  ) {
    let edges = MeshEdges(mesh)
    let normals = mesh.triangles.map { triangle -> SIMD3<Double> in
      let (a, b, c) = (
        mesh.positions[triangle[0]].vector, mesh.positions[triangle[1]].vector,
        mesh.positions[triangle[2]].vector
      )
      let (u, v) = (b - a, c - a)
      let normal = SIMD3(
        u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
      return normal / max((normal * normal).sum().squareRoot(), 1e-15)
    }
    let heights = mesh.positions.map(\.y)
    let (low, high) = (heights.min() ?? 0, heights.max() ?? 0)
    func isBack(_ triangle: Int) -> Bool {
      triangle >= faceTriangleCount
        && (0..<3).contains { back.contains(mesh.triangles[triangle][$0]) }
    }
    var (seam, inside): ([Double], [Double]) = ([], [])
    for edge in 0..<edges.count {
      guard edges.kind(of: edge) == .inner else {
        turnedEdges += 1
        continue
      }
      let halves = edges[edge].map { Int($0) / 3 }
      let cosine = (normals[halves[0]] * normals[halves[1]]).sum()
      switch (isBack(halves[0]), isBack(halves[1])) {
      case (true, true):
        if cosine < -0.5 { foldedEdges += 1 }
        inside.append(cosine)
      case (false, false): break
      default:
        let height = heights[Int(edges.origin(edges[edge].first ?? 0))]
        if height > low + 0.15 * (high - low) { seam.append(cosine) }
      }
    }
    seamDegrees = Self.degrees(seam.sorted(by: >), 0.9)
    insideDegrees = Self.degrees(inside.sorted(by: >), 0.99)
  }

  /// The angle of a cosine, by the chord: 2 asin(√((1 − c) / 2)) as a series is not needed below 60°.
  private static func degrees(_ cosines: [Double], _ share: Double) -> Double {
    guard !cosines.isEmpty else { return 0 }
    let cosine = cosines[min(cosines.count - 1, Int(share * Double(cosines.count)))]
    let half = max(0, (1 - cosine) / 2).squareRoot()
    return 2 * (half + half * half * half / 6) * 180 / .pi
  }
}
