import PlumblineModel
import PlumblineTestSupport
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
    SIMD3(128, 128, 128) + 150 * SIMD3(point.x + point.y / 2, point.y - point.z / 2, point.z)
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

@Suite struct AtlasBakingTests {
  private let baking = AtlasBaking(side: 512, texelMeters: 0.0035)

  @Test func texelsHaveTheColorsOfTheirPoints() throws {
    let mesh = try PaintedBox.mesh(cells: 6)
    let frames = PaintedBox.centers.map { PaintedBox.frame(mesh, from: $0) }
    let atlas = try baking.baked(mesh, frameCount: frames.count) { frames[$0] }
    #expect(atlas.shownShare == 1)
    #expect(atlas.chartCount == 6)
    #expect(atlas.texture.photoShare > 0.99)
    let errors = try PaintedBox.errors(atlas, side: 512)
    #expect(errors.count > 55_000)
    // Rounding of the photo and of the texel, 0.5 each; a pixel of 4 mm shifts by a hundredth; seams
    // of equal light are leveled by less than a code.
    #expect(errors.allSatisfy { $0 < 2.5 })
  }

  @Test func seamsOfUnequalLightDisappear() throws {
    let mesh = try PaintedBox.mesh(cells: 6)
    // The same light everywhere but for one code of brightness that differs between frames.
    let frames = PaintedBox.centers.indices.map { number in
      PaintedBox.frame(
        mesh, from: PaintedBox.centers[number], brightness: number % 2 == 0 ? 12 : -12)
    }
    func spread(_ levels: Bool) throws -> Double {
      var baking = baking
      baking.levelsSeams = levels
      let atlas = try baking.baked(mesh, frameCount: frames.count) { frames[$0] }
      return try PaintedBox.errors(atlas, side: 512).max() ?? .nan
    }
    // Without it all 12 codes are there; with it all frames have the mean light, which lies between
    // them, and the regions agree within a code: the spread is that of one offset.
    let (plain, leveled) = (try spread(false), try spread(true))
    #expect(plain > 11.5 && plain < 14.5)
    #expect(leveled < plain)
    let regions = try levelDifferences(frames, mesh)
    #expect(regions.leveled < 2 && regions.plain > 20)
  }

  /// The maximum difference of mean errors between frames' regions, before and after.
  private func levelDifferences(
    _ frames: [AtlasFrame], _ mesh: TriangleMesh
  ) throws -> (plain: Double, leveled: Double) {
    func range(_ levels: Bool) throws -> Double {
      var baking = baking
      baking.levelsSeams = levels
      let atlas = try baking.baked(mesh, frameCount: frames.count) { frames[$0] }
      let layout = try #require(atlas.mesh.texture)
      let means = mesh.triangles.indices.map { index -> Double in
        // The texel nearest to the middle of the triangle, and the truth there.
        let (places, triangle) = (layout.triangles[index], mesh.triangles[index])
        let middle = (0..<3).reduce(SIMD2<Float>.zero) { $0 + layout.coordinates[places[$1]] } / 3
        let point =
          (0..<3).reduce(SIMD3<Double>.zero) {
            $0 + mesh.positions[triangle[$1]].vector
          } / 3
        let place = Int(middle.y * 512) * 512 + Int(middle.x * 512)
        return Double(atlas.texture.colors.samples[place].green) - PaintedBox.color(at: point).y
      }
      return (means.max() ?? .nan) - (means.min() ?? .nan)
    }
    return (try range(false), try range(true))
  }

  @Test func aSharperAndNearerFrameIsChosen() throws {
    let mesh = try PaintedBox.mesh(cells: 2)
    let frames = [
      PaintedBox.frame(mesh, from: [0, 0, 2]), PaintedBox.frame(mesh, from: [0, 0, 1]),
    ]
    let atlas = try baking.baked(mesh, frameCount: 2) { frames[$0] }
    for (index, triangle) in mesh.triangles.enumerated() {
      let isFront = (0..<3).allSatisfy { mesh.positions[triangle[$0]].z > 0.19 }
      #expect(atlas.frames[index] == (isFront ? 1 : -1))
    }
    #expect(atlas.shownShare == 8.0 / 48)
  }

  @Test func whatStandsBehindIsNotColored() throws {
    // A small square half a meter in front of a large one hides its middle from the camera.
    let far = try SampleMeshes.plane(columns: 10, rows: 10, width: 1, height: 1, depth: 1.5)
    let near = try SampleMeshes.plane(columns: 1, rows: 1, width: 0.2, height: 0.2, depth: 1)
    let shift = UInt32(far.vertexCount)
    let mesh = try TriangleMesh(
      positions: far.positions + near.positions,
      triangles: far.triangles
        + near.triangles.map {
          TriangleIndices($0.first + shift, $0.second + shift, $0.third + shift)
        })
    let camera = PinholeIntrinsics(
      focalLength: [200, 200], principalPoint: [99.5, 99.5],
      size: RasterSize(width: 200, height: 200))
    let gray = [RGB8](repeating: RGB8(red: 90, green: 90, blue: 90), count: 40_000)
    let atlas = try baking.baked(mesh, frameCount: 1) { _ in
      AtlasFrame(
        color: Raster(size: camera.size, samples: gray), camera: camera, worldFromCamera: .identity)
    }
    for (index, triangle) in far.triangles.enumerated() {
      let sizes = (0..<3).map { corner in
        let point = mesh.positions[triangle[corner]]
        return max(abs(point.x), abs(point.y))
      }
      // The shadow of the small square ends at 0.15 m; a pixel there is 7.5 mm.
      if (sizes.max() ?? 1) < 0.14 { #expect(atlas.frames[index] == -1) }
      if (sizes.min() ?? 0) > 0.17 { #expect(atlas.frames[index] == 0) }
    }
  }

  @Test func withoutFramesTheTextureIsGray() throws {
    let atlas = try baking.baked(try PaintedBox.mesh(cells: 1), frameCount: 3) { _ in nil }
    #expect(atlas.shownShare == 0 && Set(atlas.texture.colors.samples).count == 1)
  }
}

@Suite struct ChartLayoutTests {
  @Test func noTexelHasTwoTriangles() throws {
    let mesh = try SampleMeshes.ball(radius: 0.1, center: [0, 0, 0], rings: 24, segments: 32)
    let side = 256
    let charts = try ChartLayout(mesh, texelMeters: 0.0001, side: side)
    #expect(charts.texelMeters > 0.0001 && charts.chartCount > 5 && charts.chartCount < 200)
    var owners = [Int](repeating: -1, count: side * side)
    var doubles = 0
    for places in charts.layout.triangles {
      let texels = (0..<3).map { corner in
        let coordinate = charts.layout.coordinates[places[corner]]
        return SIMD2(Double(coordinate.x), Double(coordinate.y)) * Double(side) - 0.5
      }
      for texel in texels {
        #expect(texel.x >= 0 && texel.y >= 0 && max(texel.x, texel.y) <= Double(side - 1))
      }
      guard
        case .onGrid(let triangle) = ScreenTriangle.placed(
          texels[0], texels[1], texels[2], width: side, height: side)
      else { continue }
      triangle.forEachPixel { x, y, _, _ in
        if owners[y * side + x] >= 0 { doubles += 1 }
        owners[y * side + x] = 0
      }
    }
    // A texel at an edge may be counted twice where coordinates in single precision round apart.
    #expect(doubles <= 4)
    #expect(owners.filter { $0 == 0 }.count > side * side / 6)
  }

  @Test func texelsHaveTheSizeThatWasAskedFor() throws {
    let mesh = try SampleMeshes.plane(columns: 3, rows: 2, width: 0.3, height: 0.2, depth: 1)
    let charts = try ChartLayout(mesh, texelMeters: 0.002, side: 1024)
    #expect(charts.texelMeters == 0.002 && charts.chartCount == 1)
    let columns = charts.layout.coordinates.map { Double($0.x) * 1024 }
    let rows = charts.layout.coordinates.map { Double($0.y) * 1024 }
    let extents = [columns, rows].map { ($0.max() ?? 0) - ($0.min() ?? 0) }.sorted()
    // 0.3 m and 0.2 m of 2 mm; the plane may lie turned, and single precision errs by 1e-4 texels.
    #expect(abs(extents[0] - 100) < 1e-3 && abs(extents[1] - 150) < 1e-3)
  }

  @Test func chartsThatCannotFitAreRefused() throws {
    let count = 400
    let positions = (0..<3 * count).map { place in
      PackedPoint(
        x: Float(place / 3), y: place % 3 == 1 ? 0.01 : 0, z: place % 3 == 2 ? 0.01 : 0)
    }
    let triangles = (0..<UInt32(count)).map { TriangleIndices(3 * $0, 3 * $0 + 1, 3 * $0 + 2) }
    let mesh = try TriangleMesh(positions: positions, triangles: triangles)
    let error = #expect(throws: MeshError.self) {
      try ChartLayout(mesh, texelMeters: 0.001, side: 32)
    }
    #expect(error?.reason == .limitExceeded)
  }
}
