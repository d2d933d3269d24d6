import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

/// What the photo does not show: what something else hides, and the light of mirror images.
@Suite struct TextureMatchingTests {
  private let camera = PinholeIntrinsics(
    focalLength: [400, 400], principalPoint: [159.5, 119.5],
    size: RasterSize(width: 320, height: 240))
  private let rings = 24
  private let segments = 48

  private func ball() throws -> TriangleMesh {
    try SampleMeshes.ball(radius: 0.2, center: [0, 0, 1], rings: rings, segments: segments)
  }

  private func mirrored(_ mesh: TriangleMesh) -> [UInt32] {
    mesh.positions.map { point in
      func far(_ index: Int) -> Float {
        let p = mesh.positions[index]
        return abs(p.x + point.x) + abs(p.y - point.y) + abs(p.z - point.z)
      }
      return UInt32(mesh.positions.indices.min { far($0) < far($1) } ?? 0)
    }
  }

  @Test func whatAMapHidesIsNotTaken() throws {
    let plane = try SampleMeshes.plane(columns: 8, rows: 8, width: 0.3, height: 0.3, depth: 1)
    let (wall, skin) = (RGB8(red: 20, green: 30, blue: 250), RGB8(red: 210, green: 150, blue: 120))
    let photo = Raster(size: camera.size) { x, _ in Double(x) > 159.5 ? wall : skin }
    // A map knows of the wall: triangles with a corner right of the middle, or on it, show it.
    let hidden = plane.positions.map { $0.x > -0.01 }
    let baked = TextureBaking(side: 64).baked(
      plane, photo: photo, hiddenVertices: hidden, project: camera.project)
    #expect(abs(baked.photoShare - 3.0 / 8) < 0.02, "\(baked.photoShare)")
    #expect(baked.colors.samples.allSatisfy { $0 == skin })
    let plain = TextureBaking(side: 64).baked(plane, photo: photo, project: camera.project)
    #expect(plain.colors.samples.contains(wall))
  }

  /// A ball lit from the left, seen to a little beyond its middle.
  private func baked(left: UInt8, right: UInt8) throws -> BakedTexture {
    let ball = try ball()
    let photo = Raster(size: camera.size) { x, _ in
      let level = x < 160 ? left : right
      return RGB8(red: level, green: level, blue: level / 2)
    }
    return TextureBaking(side: 128).baked(
      ball, photo: photo, mirroredVertices: mirrored(ball),
      hiddenVertices: ball.positions.map { $0.x > 0.06 }, project: camera.project)
  }

  @Test(arguments: [(200, 100), (90, 240), (150, 150)] as [(UInt8, UInt8)])
  func mirrorImagesTakeTheLightAroundThem(_ left: UInt8, _ right: UInt8) throws {
    let baked = try baked(left: left, right: right)
    let texels = zip(baked.origins.samples, baked.colors.samples).filter { $0.0 == 2 }.map(\.1)
    #expect(texels.count > 500, "\(texels.count)")
    for color in texels {
      // Codes are rounded twice, and the difference is a mean of such.
      #expect(abs(Int(color.red) - Int(right)) <= 2 && abs(Int(color.blue) - Int(right / 2)) <= 2)
    }
  }

  @Test func lightThatFitsChangesNothing() throws {
    let ball = try ball()
    let photo = Raster(size: camera.size) { x, y in
      // The same on both sides.
      let level = UInt8(60 + abs(x * 2 - 319) / 4 + y / 3)
      return RGB8(red: level, green: level, blue: level)
    }
    let baked = TextureBaking(side: 128).baked(
      ball, photo: photo, mirroredVertices: mirrored(ball),
      hiddenVertices: ball.positions.map { $0.x > 0.06 }, project: camera.project)
    let whole = TextureBaking(side: 128).baked(
      ball, photo: photo, mirroredVertices: mirrored(ball), project: camera.project)
    var errors: [Int] = []
    for (place, origin) in baked.origins.samples.enumerated()
    where origin == 2 && whole.origins.samples[place] == 1 {
      errors.append(
        abs(Int(baked.colors.samples[place].red) - Int(whole.colors.samples[place].red)))
    }
    errors.sort()
    // A texel is 2.5 pixels, so 2 codes along the slopes: half of that at the seam, and as much by interpolation.
    #expect(errors.count > 500 && errors[errors.count / 2] <= 2, "\(errors[errors.count / 2])")
  }
}
