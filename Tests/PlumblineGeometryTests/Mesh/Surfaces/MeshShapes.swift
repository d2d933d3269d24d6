import Foundation
import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport

/// Closed surfaces with formulas.
enum MeshShapes {
  /// A ring around the third axis, in the middle of the frame.
  static func torus(
    around: Int, across: Int, radius: Double, thickness: Double
  ) throws -> TriangleMesh {
    var positions: [PackedPoint] = []
    for i in 0..<around {
      for j in 0..<across {
        let (a, b) = (
          2 * Double.pi * Double(i) / Double(around), 2 * Double.pi * Double(j) / Double(across)
        )
        let reach = radius + thickness * cos(b)
        positions.append(
          PackedPoint(
            x: Float(reach * cos(a)), y: Float(reach * sin(a)), z: Float(thickness * sin(b))))
      }
    }
    func vertex(_ i: Int, _ j: Int) -> UInt32 {
      UInt32(i % around * across + j % across)
    }
    var triangles: [TriangleIndices] = []
    for i in 0..<around {
      for j in 0..<across {
        triangles.append(TriangleIndices(vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)))
        triangles.append(TriangleIndices(vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)))
      }
    }
    return try TriangleMesh(positions: positions, triangles: triangles)
  }

  /// How far a point is outside of a torus.
  static func height(_ point: SIMD3<Double>, radius: Double, thickness: Double) -> Double {
    let reach = (point.x * point.x + point.y * point.y).squareRoot() - radius
    return (reach * reach + point.z * point.z).squareRoot() - thickness
  }

  /// A box from the origin, each side divided into squares; with its corners merged.
  static func box(_ size: SIMD3<Double>, divisions n: Int) throws -> TriangleMesh {
    var positions: [PackedPoint] = []
    var triangles: [TriangleIndices] = []
    for axis in 0..<3 {
      for side in 0..<2 {
        let start = UInt32(positions.count)
        for i in 0...n {
          for j in 0...n {
            var point = SIMD3<Double>.zero
            point[axis] = Double(side) * size[axis]
            point[(axis + 1) % 3] = Double(i) / Double(n) * size[(axis + 1) % 3]
            point[(axis + 2) % 3] = Double(j) / Double(n) * size[(axis + 2) % 3]
            positions.append(
              PackedPoint(x: Float(point.x), y: Float(point.y), z: Float(point.z)))
          }
        }
        for i in 0..<n {
          for j in 0..<n {
            let a = start + UInt32(i * (n + 1) + j)
            let (b, c, d) = (a + UInt32(n + 1), a + UInt32(n + 2), a + 1)
            triangles +=
              side == 1
              ? [TriangleIndices(a, b, c), TriangleIndices(a, c, d)]
              : [TriangleIndices(a, c, b), TriangleIndices(a, d, c)]
          }
        }
      }
    }
    return MeshCleanup().clean(try TriangleMesh(positions: positions, triangles: triangles))
  }

  /// Both meshes in one.
  static func joined(_ one: TriangleMesh, _ other: TriangleMesh) throws -> TriangleMesh {
    let first = UInt32(one.vertexCount)
    return try TriangleMesh(
      positions: one.positions + other.positions,
      triangles: one.triangles
        + other.triangles.map {
          TriangleIndices($0.first + first, $0.second + first, $0.third + first)
        })
  }
}

extension TriangleMesh {
  /// The volume that the mesh encloses, in cubic meters: the sum of the tetrahedra from one point to each
  /// triangle, with their signs.
  var enclosedVolume: Double {
    let origin = positions.first?.vector ?? .zero
    return triangles.reduce(0) { sum, triangle in
      let (a, b, c) = (
        positions[triangle[0]].vector - origin, positions[triangle[1]].vector - origin,
        positions[triangle[2]].vector - origin
      )
      let product = SIMD3(
        b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x)
      return sum + (a * product).sum() / 6
    }
  }
}
