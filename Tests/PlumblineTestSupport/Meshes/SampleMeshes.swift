import Foundation
package import PlumblineGeometry
import PlumblineModel

/// Meshes whose properties have formulas.
package enum SampleMeshes {
  /// A flat rectangle that faces the camera, with its texture all over it.
  ///
  /// - Parameters:
  ///   - columns: Pairs of triangles side by side.
  ///   - rows: Pairs of triangles one below the other.
  ///   - width: Meters along `x`, centered on the optical axis.
  ///   - height: Meters along `y`, centered as well.
  ///   - depth: Meters along `z`.
  /// - Returns: The mesh.
  /// - Throws: Nothing: its lists fit.
  package static func plane(
    columns: Int, rows: Int, width: Float, height: Float, depth: Float
  ) throws(MeshError) -> TriangleMesh {
    var positions: [PackedPoint] = []
    var coordinates: [SIMD2<Float>] = []
    for y in 0...rows {
      for x in 0...columns {
        let share = SIMD2(Float(x) / Float(columns), Float(y) / Float(rows))
        coordinates.append(share)
        positions.append(
          PackedPoint(x: (share.x - 0.5) * width, y: (share.y - 0.5) * height, z: depth))
      }
    }
    // Seen by the camera `y` runs down: right before down is clockwise, down before right is not.
    let triangles = quads(columns: columns, rows: rows) { x, y in UInt32(y * (columns + 1) + x) }
    return try TriangleMesh(
      positions: positions, triangles: triangles,
      texture: TextureLayout(coordinates: coordinates, triangles: triangles))
  }

  /// A ball of latitudes and longitudes, closed, whose texture has a seam and opens at the poles.
  ///
  /// - Parameters:
  ///   - radius: In meters.
  ///   - center: In the frame of the camera, in meters.
  ///   - rings: Bands from the upper pole to the lower one, at least 2.
  ///   - segments: Pieces of a band, at least 3.
  /// - Returns: The mesh.
  /// - Throws: Nothing: its lists fit.
  package static func ball(
    radius: Float, center: SIMD3<Float>, rings: Int, segments: Int
  ) throws(MeshError) -> TriangleMesh {
    var positions: [PackedPoint] = []
    func add(_ polar: Double, _ around: Double) {
      let direction = SIMD3(sin(polar) * cos(around), -cos(polar), sin(polar) * sin(around))
      let point = SIMD3<Float>(direction) * radius + center
      positions.append(PackedPoint(x: point.x, y: point.y, z: point.z))
    }
    add(0, 0)
    for ring in 1..<rings {
      for segment in 0..<segments {
        add(
          Double(ring) / Double(rings) * .pi, 2 * Double(segment) / Double(segments) * .pi)
      }
    }
    add(.pi, 0)
    func vertex(_ segment: Int, _ ring: Int) -> UInt32 {
      if ring == 0 { return 0 }
      if ring == rings { return UInt32(positions.count - 1) }
      return UInt32(1 + (ring - 1) * segments + segment % segments)
    }
    var coordinates: [SIMD2<Float>] = []
    for ring in 0...rings {
      for segment in 0...segments {
        coordinates.append([Float(segment) / Float(segments), Float(ring) / Float(rings)])
      }
    }
    let corners = quads(columns: segments, rows: rings, vertex)
    let places = quads(columns: segments, rows: rings) { x, y in UInt32(y * (segments + 1) + x) }
    // At a pole one of the two triangles has no area.
    let kept = corners.indices.filter { !corners[$0].repeatsCorner }
    return try TriangleMesh(
      positions: positions, triangles: kept.map { corners[$0] },
      texture: TextureLayout(coordinates: coordinates, triangles: kept.map { places[$0] }))
  }

  private static func quads(
    columns: Int, rows: Int, _ vertex: (_ x: Int, _ y: Int) -> UInt32
  ) -> [TriangleIndices] {
    var triangles: [TriangleIndices] = []
    for y in 0..<rows {
      for x in 0..<columns {
        let (a, b) = (vertex(x, y), vertex(x, y + 1))
        let (c, d) = (vertex(x + 1, y + 1), vertex(x + 1, y))
        triangles.append(TriangleIndices(a, b, c))
        triangles.append(TriangleIndices(a, c, d))
      }
    }
    return triangles
  }
}
