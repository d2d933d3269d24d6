import Foundation
import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct TextureBakingTests {
  let camera = PinholeIntrinsics(
    focalLength: [400, 400], principalPoint: [159.7, 120.2],
    size: RasterSize(width: 320, height: 240))

  /// A smooth color for each position of a texture.
  static func color(_ u: Float, _ v: Float) -> RGB8 {
    RGB8(red: UInt8(30 + 200 * u), green: UInt8(20 + 180 * v), blue: UInt8(60 + 150 * u * v))
  }

  /// What a camera sees of a mesh whose texture is ``color(_:_:)``; black where it sees nothing.
  static func photo(_ mesh: TriangleMesh, camera: PinholeIntrinsics) throws -> Raster<RGB8> {
    let layout = try #require(mesh.texture)
    let view = MeshRasterization(mesh, camera: camera)
    return Raster(size: camera.size) { x, y in
      let index = Int(view.triangles[x, y])
      guard index >= 0 else { return RGB8(red: 0, green: 0, blue: 0) }
      let share = view.shares[x, y]
      let places = layout.triangles[index]
      let uv =
        layout.coordinates[places[0]] * (1 - share.x - share.y)
        + layout.coordinates[places[1]] * share.x + layout.coordinates[places[2]] * share.y
      return color(min(max(uv.x, 0), 1), min(max(uv.y, 0), 1))
    }
  }

  static func worst(_ a: RGB8, _ b: RGB8) -> Int {
    max(
      abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)),
      abs(Int(a.blue) - Int(b.blue)))
  }

  static func truth(_ x: Int, _ y: Int, side: Int) -> RGB8 {
    color((Float(x) + 0.5) / Float(side), (Float(y) + 0.5) / Float(side))
  }

  @Test func aPlaneGivesItsColorsBack() throws {
    let plane = try SampleMeshes.plane(columns: 3, rows: 2, width: 0.3, height: 0.2, depth: 1)
    let baked = TextureBaking(side: 64).baked(
      plane, photo: try Self.photo(plane, camera: camera), camera: camera)
    #expect(baked.photoShare == 1)
    for y in 1..<63 {
      for x in 1..<63 {
        // One for the rounding down of the drawn photo, one for mixing rounded pixels.
        #expect(Self.worst(baked.colors[x, y], Self.truth(x, y, side: 64)) <= 2)
      }
    }
  }

  @Test func aFinerPhotoIsAveraged() throws {
    // 0.3 m at 1 m are 120 pixels for 16 texels: squares of 7 × 7 become one.
    let plane = try SampleMeshes.plane(columns: 3, rows: 2, width: 0.3, height: 0.3, depth: 1)
    var photo = try Self.photo(plane, camera: camera)
    for y in 0..<240 {
      for x in 0..<320 where (x + y) % 2 == 0 { photo[x, y] = RGB8(red: 0, green: 0, blue: 0) }
    }
    let baked = TextureBaking(side: 16).baked(plane, photo: photo, camera: camera)
    for y in 2..<14 {
      for x in 2..<14 {
        let (color, truth) = (baked.colors[x, y], Self.truth(x, y, side: 16))
        // A checkerboard of black pixels halves the mean; 25 of 49 against 24 is 2 %, 4 codes.
        #expect(abs(Int(color.red) - Int(truth.red) / 2) <= 6)
        #expect(abs(Int(color.green) - Int(truth.green) / 2) <= 6)
      }
    }
  }

  @Test func aBallGivesTheColorsOfItsNearSideBack() throws {
    let ball = try SampleMeshes.ball(radius: 0.25, center: [0.02, 0, 1], rings: 24, segments: 48)
    let photo = try Self.photo(ball, camera: camera)
    let baked = TextureBaking(side: 128).baked(ball, photo: photo, camera: camera)
    for y in 8..<120 {
      for x in 2..<126 {
        // The direction of a texel's middle from the center, and the cosine to its ray.
        let around = 2 * Double.pi * (Double(x) + 0.5) / 128
        let polar = Double.pi * (Double(y) + 0.5) / 128
        let normal = SIMD3(sin(polar) * cos(around), -cos(polar), sin(polar) * sin(around))
        let point = SIMD3(0.02, 0, 1) + 0.25 * normal
        let cosine = -(normal * point).sum() / (point * point).sum().squareRoot()
        let isTaken = baked.origins[x, y] == 1
        // Triangles of 7.5° lean up to 5° from the ball: 0.08 in the cosine.
        if cosine > 0.38 { #expect(isTaken, "(\(x), \(y)): \(cosine)") }
        if cosine < 0.22 { #expect(!isTaken, "(\(x), \(y)): \(cosine)") }
        // Black around the ball would be far off: nothing was taken from beyond it.
        if isTaken {
          #expect(Self.worst(baked.colors[x, y], Self.truth(x, y, side: 128)) <= 4, "(\(x), \(y))")
        } else {
          #expect(baked.origins[x, y] == 3)
        }
      }
    }
  }

  @Test func whatAnotherPartHidesIsNotTaken() throws {
    // A small red plane in front of a large green one; both have a half of the texture.
    let back = try SampleMeshes.plane(columns: 4, rows: 4, width: 0.5, height: 0.4, depth: 1)
    let front = try SampleMeshes.plane(columns: 1, rows: 1, width: 0.1, height: 0.1, depth: 0.8)
    let coordinates = { (mesh: TriangleMesh, shift: Float) in
      (mesh.texture?.coordinates ?? []).map { SIMD2($0.x / 2 + shift, $0.y) }
    }
    func shifted(_ triangles: [TriangleIndices], _ by: Int) -> [TriangleIndices] {
      let by = UInt32(by)
      return triangles.map { TriangleIndices($0.first + by, $0.second + by, $0.third + by) }
    }
    let triangles = back.triangles + shifted(front.triangles, back.vertexCount)
    let mesh = try TriangleMesh(
      positions: back.positions + front.positions, triangles: triangles,
      texture: TextureLayout(
        coordinates: coordinates(back, 0) + coordinates(front, 0.5), triangles: triangles))
    let red = RGB8(red: 255, green: 0, blue: 0)
    let green = RGB8(red: 0, green: 255, blue: 0)
    let view = MeshRasterization(mesh, camera: camera)
    let photo = Raster(size: camera.size) { x, y in
      Int(view.triangles[x, y]) < back.triangles.count ? green : red
    }
    let baked = TextureBaking(side: 128).baked(mesh, photo: photo, camera: camera)
    var hidden = 0
    for y in 0..<128 {
      for x in 0..<128 {
        // Colors of a rim may be mixed there; green stays green since red is left out around it.
        let expected = x < 64 ? green : red
        if x < 64 { #expect(Self.worst(baked.colors[x, y], expected) <= 2, "(\(x), \(y))") }
        if x < 64, baked.origins[x, y] != 1 { hidden += 1 }
      }
    }
    // 0.1 m at 0.8 m hide 0.125 m at 1 m: 1/4 × 5/16 of 64 × 128 texels, and a rim of pixels.
    #expect(hidden > 640 && hidden < 900)
    #expect(baked.colors[96, 64] == red)
  }

  @Test func theOtherSideIsMirrored() throws {
    // The right half of a ball is out of the photo; colors are equal on both sides of x = 0.
    let (rings, segments) = (12, 24)
    let ball = try SampleMeshes.ball(
      radius: 0.2, center: [0, 0, 1], rings: rings, segments: segments)
    let mirrored = ball.positions.map { point in
      let found = ball.positions.indices.min { one, other in
        func far(_ index: Int) -> Float {
          let p = ball.positions[index]
          return abs(p.x + point.x) + abs(p.y - point.y) + abs(p.z - point.z)
        }
        return far(one) < far(other)
      }
      return UInt32(found ?? 0)
    }
    let half = PinholeIntrinsics(
      focalLength: [400, 400], principalPoint: [159.7, 120.2],
      size: RasterSize(width: 165, height: 240))
    let photo = Raster(size: half.size) { _, y in
      RGB8(red: UInt8(y), green: 200, blue: UInt8(255 - y))
    }
    let plain = TextureBaking(side: 96).baked(ball, photo: photo, camera: half)
    let baked = TextureBaking(side: 96).baked(
      ball, photo: photo, camera: half, mirroredVertices: mirrored)
    var count = 0
    for y in 0..<96 {
      for x in 0..<96 where baked.origins[x, y] == 2 {
        count += 1
        #expect(plain.origins[x, y] == 3)
        // u is the angle around the vertical axis from x on: the image of u is ½ − u.
        let image = (143 - x) % 96
        #expect(Self.worst(baked.colors[x, y], baked.colors[image, y]) <= 6, "(\(x), \(y))")
      }
    }
    let seen = baked.origins.samples.count { $0 == 1 }
    #expect(count > seen / 2 && count < seen)
    #expect(baked.photoShare == plain.photoShare)
  }

  @Test func fillingIsBetweenTheColorsAround() throws {
    let plane = try SampleMeshes.plane(columns: 16, rows: 16, width: 0.3, height: 0.3, depth: 1)
    let photo = try Self.photo(plane, camera: camera)
    // Some triangles look away and are filled.
    let turned = try TriangleMesh(
      positions: plane.positions,
      triangles: plane.triangles.enumerated().map { index, triangle in
        index / 32 == 7 && (6..<9).contains(index % 32 / 2)
          ? TriangleIndices(triangle.third, triangle.second, triangle.first) : triangle
      }, texture: plane.texture)
    let baked = TextureBaking(side: 64).baked(turned, photo: photo, camera: camera)
    #expect(baked.origins.samples.count { $0 == 3 } == 12 * 4)
    for y in 20..<40 {
      for x in 20..<40 where baked.origins[x, y] == 3 {
        // 4 texels of 64 change by 13 codes; the middle of a gap is at most 8 texels from both.
        #expect(Self.worst(baked.colors[x, y], Self.truth(x, y, side: 64)) <= 16)
      }
    }
  }

  @Test func nothingSeenIsGray() throws {
    let ball = try SampleMeshes.ball(radius: 0.2, center: [0, 0, -1], rings: 6, segments: 8)
    let photo = Raster(size: camera.size, repeating: RGB8(red: 1, green: 2, blue: 3))
    let baked = TextureBaking(side: 16).baked(ball, photo: photo, camera: camera)
    #expect(baked.photoShare == 0)
    #expect(Set(baked.colors.samples) == [RGB8(red: 128, green: 128, blue: 128)])
  }

  @Test func rimsAreContinued() throws {
    // The layout takes the middle half; beyond it the rim goes on.
    let plane = try SampleMeshes.plane(columns: 2, rows: 2, width: 0.3, height: 0.3, depth: 1)
    let layout = try #require(plane.texture)
    let small = try TriangleMesh(
      positions: plane.positions, triangles: plane.triangles,
      texture: TextureLayout(
        coordinates: layout.coordinates.map { $0 / 2 + 0.25 }, triangles: layout.triangles))
    let photo = Raster(size: camera.size) { x, _ in
      RGB8(red: x < 160 ? 50 : 200, green: 9, blue: 9)
    }
    let baked = TextureBaking(side: 64).baked(small, photo: photo, camera: camera)
    for step in 1...4 {
      #expect(baked.colors[20, 16 - step].red == 50 && baked.colors[44, 47 + step].red == 200)
      #expect(baked.origins[20, 16 - step] == 0)
    }
    #expect(baked.origins[20, 16] == 1 && baked.origins[15, 20] == 0)
  }
}
