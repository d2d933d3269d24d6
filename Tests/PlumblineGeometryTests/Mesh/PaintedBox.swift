import PlumblineModel
import Testing

@testable import PlumblineGeometry

/// A box around the origin with a known color at each point of space, and cameras around it.
enum PaintedBox {
  static let halfMeters = 0.2

  /// Each side has its own vertices in squares of two triangles, counter-clockwise from outside.
  static func mesh(cells: Int) throws -> TriangleMesh {
    var positions: [PackedPoint] = []
    var triangles: [TriangleIndices] = []
    var places: [SIMD3<Int>: UInt32] = [:]
    for axis in 0..<3 {
      for sign in [-1, 1] {
        let grid = (0...cells).map { row in
          (0...cells).map { column -> UInt32 in
            var whole = SIMD3<Int>(repeating: 0)
            whole[axis] = sign * cells
            whole[(axis + 1) % 3] = 2 * column - cells
            whole[(axis + 2) % 3] = 2 * row - cells
            if let known = places[whole] { return known }
            let point = SIMD3<Double>(whole) * (halfMeters / Double(cells))
            positions.append(PackedPoint(x: Float(point.x), y: Float(point.y), z: Float(point.z)))
            places[whole] = UInt32(positions.count - 1)
            return UInt32(positions.count - 1)
          }
        }
        for row in 0..<cells {
          for column in 0..<cells {
            let (a, b) = (grid[row][column], grid[row][column + 1])
            let (c, d) = (grid[row + 1][column + 1], grid[row + 1][column])
            triangles +=
              sign > 0
              ? [TriangleIndices(a, b, c), TriangleIndices(a, c, d)]
              : [TriangleIndices(a, c, b), TriangleIndices(a, d, c)]
          }
        }
      }
    }
    return try TriangleMesh(positions: positions, triangles: triangles)
  }

  /// Codes that change by at most 1.7 per centimeter and differ on all sides.
  static func color(at point: SIMD3<Double>) -> SIMD3<Double> {
    let slopes = SIMD3<Double>(point.x + point.y / 2, point.y - point.z / 2, point.z)
    return SIMD3<Double>(repeating: 128) + slopes * 150
  }

  /// A camera at a place that looks at the origin, in front of the box.
  static func frame(
    _ mesh: TriangleMesh, from center: SIMD3<Double>, brightness: Double = 0
  ) -> AtlasFrame {
    let z = unit(-center)
    let x = unit(cross(abs(z.y) > 0.9 ? [1, 0, 0] : [0, 1, 0], z))
    let worldFromCamera = RigidTransform(
      rotation: Rotation(x: x, y: cross(z, x), z: z), translation: center)
    let camera = PinholeIntrinsics(
      focalLength: [180, 180], principalPoint: [119.5, 89.5],
      size: RasterSize(width: 240, height: 180))
    var seen = mesh
    seen.positions = mesh.positions.map { point in
      let inCamera = worldFromCamera.inverse * point.vector
      return PackedPoint(x: Float(inCamera.x), y: Float(inCamera.y), z: Float(inCamera.z))
    }
    let view = MeshRasterization(seen, camera: camera)
    let colors = view.triangles.samples.indices.map { place -> RGB8 in
      let index = view.triangles.samples[place]
      guard index >= 0 else { return RGB8(red: 255, green: 0, blue: 255) }
      let share = SIMD2<Double>(view.shares.samples[place])
      let triangle = mesh.triangles[Int(index)]
      let first = mesh.positions[triangle[0]].vector
      let point =
        first + (mesh.positions[triangle[1]].vector - first) * share.x
        + (mesh.positions[triangle[2]].vector - first) * share.y
      return RGB8(rounding: SIMD3<Float>(color(at: point) + brightness))
    }
    return AtlasFrame(
      color: Raster(size: camera.size, samples: colors), camera: camera,
      worldFromCamera: worldFromCamera)
  }

  static let centers: [SIMD3<Double>] = [
    [1, 0.1, 0.2], [-1, 0.2, 0.1], [0.1, 1, 0.2], [0.2, -1, 0.1], [0.1, 0.2, 1], [0.2, 0.1, -1],
    [0.7, 0.6, 0.7],
  ]

  private static func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    vector / (vector * vector).sum().squareRoot()
  }

  /// The differences between texels that a frame colored and the truth, in codes; interior texels
  /// only, since a texel at a silhouette mixes what lies beside the box.
  static func errors(_ atlas: BakedAtlas, side: Int) throws -> [Double] {
    let layout = try #require(atlas.mesh.texture)
    var errors: [Double] = []
    for (index, places) in layout.triangles.enumerated() {
      let texels = (0..<3).map { corner in
        let coordinate = layout.coordinates[places[corner]]
        return SIMD2(Double(coordinate.x), Double(coordinate.y)) * Double(side) - 0.5
      }
      guard
        case .onGrid(let screen) = ScreenTriangle.placed(
          texels[0], texels[1], texels[2], width: side, height: side)
      else { continue }
      let triangle = atlas.mesh.triangles[index]
      let first = atlas.mesh.positions[triangle[0]].vector
      let toSecond = atlas.mesh.positions[triangle[1]].vector - first
      let toThird = atlas.mesh.positions[triangle[2]].vector - first
      screen.forEachPixel { x, y, second, third in
        guard atlas.texture.origins.samples[y * side + x] == 1 else { return }
        let point = first + toSecond * Double(second) + toThird * Double(third)
        let size = SIMD3(abs(point.x), abs(point.y), abs(point.z))
        guard (size.x + size.y + size.z - size.max() - size.min()) < halfMeters - 0.02 else {
          return
        }
        let difference =
          SIMD3<Double>(atlas.texture.colors.samples[y * side + x].floats) - color(at: point)
        errors.append(max(abs(difference.x), max(abs(difference.y), abs(difference.z))))
      }
    }
    return errors
  }
}
