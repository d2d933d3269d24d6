import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineGeometry

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

  @Test func aStepThatChangesAlongASeamDisappears() throws {
    // Two photos side by side of a gray wall, one lit from above, the other one from below.
    let mesh = try SampleMeshes.plane(columns: 40, rows: 40, width: 1, height: 1, depth: 1)
    let camera = PinholeIntrinsics(
      focalLength: [200, 200], principalPoint: [99.5, 99.5],
      size: RasterSize(width: 200, height: 200))
    let frames = [-1.0, 1.0].map { side -> AtlasFrame in
      let codes = (0..<40_000).map { index -> RGB8 in
        let code = UInt8(128 + side * 20 * (Double(index / 200) / 99.5 - 1))
        return RGB8(red: code, green: code, blue: code)
      }
      return AtlasFrame(
        color: Raster(size: camera.size, samples: codes), camera: camera,
        worldFromCamera: RigidTransform(rotation: .identity, translation: [0.25 * side, 0, 0]))
    }
    /// The largest step between the middles of neighbors that have different frames.
    func step(levels: Bool) throws -> Double {
      var baking = AtlasBaking(side: 512, texelMeters: 0.004)
      baking.levelsSeams = levels
      let atlas = try baking.baked(mesh, frameCount: 2) { frames[$0] }
      let layout = try #require(atlas.mesh.texture)
      let side = atlas.texture.colors.width
      let codes = mesh.triangles.indices.map { index -> Double in
        let places = layout.triangles[index]
        let middle = (0..<3).reduce(SIMD2<Float>.zero) { $0 + layout.coordinates[places[$1]] } / 3
        let place = Int(middle.y * Float(side)) * side + Int(middle.x * Float(side))
        return Double(atlas.texture.colors.samples[place].green)
      }
      let neighbors = TriangleNeighbors.of(mesh)
      return mesh.triangles.indices.flatMap { index in
        (0..<3).compactMap { edge in
          neighbors.across(index, edge: edge).flatMap { other in
            atlas.frames[index] != atlas.frames[other] ? abs(codes[index] - codes[other]) : nil
          }
        }
      }.max() ?? .nan
    }
    // 40 codes at both ends of the seam, of opposite sign: no one color for each region lowers that.
    #expect(try step(levels: false) > 35)
    // What is left between two middles is what the corrections change by on 2 cm, and rounding.
    #expect(try step(levels: true) < 6)
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

  @Test func aWallThatPassesTheCameraLeavesThePhotoSharp() throws {
    // A wall ahead, and the floor from 1.5 m behind the camera to 1.5 m ahead: just before the camera's plane its
    // corners lie thousands of pixels beside the photo.
    let ahead = try SampleMeshes.plane(columns: 10, rows: 10, width: 1, height: 1, depth: 1.5)
    let steps = UInt32(6)
    var floor: [PackedPoint] = []
    for row in 0...steps {
      for column in 0...steps {
        floor.append(
          PackedPoint(x: Float(column) / 3 - 1, y: 0.5, z: 0.004 + Float(row) / 2 - 1.5))
      }
    }
    let shift = UInt32(ahead.vertexCount)
    var triangles = ahead.triangles
    for row in 0..<steps {
      for column in 0..<steps {
        let a = shift + row * (steps + 1) + column
        let (b, c, d) = (a + 1, a + steps + 1, a + steps + 2)
        triangles += [TriangleIndices(a, b, c), TriangleIndices(b, d, c)]
      }
    }
    let mesh = try TriangleMesh(positions: ahead.positions + floor, triangles: triangles)
    let camera = PinholeIntrinsics(
      focalLength: [200, 200], principalPoint: [99.5, 99.5],
      size: RasterSize(width: 200, height: 200))
    // Columns of black and white, four pixels wide.
    let striped = (0..<40_000).map { index -> RGB8 in
      let code: UInt8 = index % 200 / 4 % 2 == 0 ? 40 : 200
      return RGB8(red: code, green: code, blue: code)
    }
    // A texel of the wall is a pixel of the photo.
    let atlas = try AtlasBaking(side: 1024, texelMeters: 1.5 / 200).baked(mesh, frameCount: 1) {
      _ in
      AtlasFrame(
        color: Raster(size: camera.size, samples: striped), camera: camera,
        worldFromCamera: .identity)
    }
    let codes = Set(
      zip(atlas.texture.colors.samples, atlas.texture.origins.samples)
        .filter { $0.1 == BakedTexture.TexelOrigin.photo.rawValue }.map(\.0.green))
    #expect(codes.contains(40) && codes.contains(200))
  }

  @Test func withoutFramesTheTextureIsGray() throws {
    let atlas = try baking.baked(try PaintedBox.mesh(cells: 1), frameCount: 3) { _ in nil }
    #expect(atlas.shownShare == 0 && Set(atlas.texture.colors.samples).count == 1)
  }
}
