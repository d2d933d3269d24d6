import PlumblineImages
import PlumblineModel
import PlumblineSimulation
import Testing

@Suite struct DualPhotoFileTests {
  private static let size = RasterSize(width: 128, height: 96)

  private static func photo(_ preset: DualCameraPreset, seed: UInt64 = 3) -> DualPhoto {
    DualPhoto(of: .stillLife(), by: preset, from: .identity, size: size, seed: seed)
  }

  @Test(arguments: ["dual", "dualwide"])
  func bothPhotosCarryTheirCalibrationThroughTheirFiles(name: String) throws {
    let preset = try #require(DualCameraPreset.named(name))
    let photo = Self.photo(preset)
    let files = try photo.files()
    #expect(files.count == 5)
    for side in [photo.first, photo.second] {
      let file = try #require(files.first { $0.name == "\(side.name).jpg" })
      let capture = try CaptureReader(color: .full).capture(from: file.bytes)
      #expect(capture.color?.size == Self.size)
      #expect(capture.depth?.accuracy == .relative)
      let read = try #require(capture.depth?.calibration)
      // Single precision, in which Apple's files print their matrices.
      let focal = side.claimed.intrinsics.focalLength.x
      #expect(abs(read.intrinsics.focalLength.x - focal) < 1e-7 * focal)
      let place = try #require(read.extrinsics?.translationMillimeters)
      let claimed = try #require(side.claimed.extrinsics?.translationMillimeters)
      #expect(abs(place.x - claimed.x) < 1e-5, "mm")
      #expect(abs(place.y - claimed.y) < 1e-5, "mm")
      // Where the file's lens puts the corner, and where the true one does.
      let corner = SIMD2(200.0, 150)
      let moved = try #require(read.distortion).distorted(corner)
      let truth = try #require(side.claimed.distortion).distorted(corner)
      #expect(abs(moved.x - truth.x) < 0.01, "px of 12 megapixels")
      #expect(abs(moved.x - corner.x) > 1, "a lens that bends")
    }
  }

  @Test func aPointOfTheSceneLiesWhereBothImagesShowIt() throws {
    let photo = Self.photo(.dual)
    let first = SimulatedCamera(
      calibration: photo.first.truth, sceneFromCamera: photo.first.sceneFromCamera)
    let second = SimulatedCamera(
      calibration: photo.second.truth, sceneFromCamera: photo.second.sceneFromCamera)
    var compared = 0
    for y in stride(from: 8, to: 90, by: 8) {
      for x in stride(from: 8, to: 120, by: 8) {
        let ray = first.ray(through: SIMD2(Double(x), Double(y)))
        let point = ray.point(at: Double(photo.first.depth.meters[x, y]))
        let there = second.pixel(of: point)
        let (column, row) = (Int(there.x.rounded()), Int(there.y.rounded()))
        guard photo.second.depth.meters.contains(x: column, y: row) else { continue }
        // Along the second camera's own axis; neighbors of a pixel differ on a slope.
        let z = (photo.second.sceneFromCamera.inverse * point).z
        let seen = Double(photo.second.depth.meters[column, row])
        compared += abs(seen / z - 1) < 0.02 ? 1 : 0
      }
    }
    // What one camera sees past an edge the other does not: a few of 150.
    #expect(compared > 130, "of 154")
  }

  @Test func thePhotoIsTheSameForTheSameSeed() throws {
    let one = Self.photo(.dualWide)
    #expect(one.first.color == Self.photo(.dualWide).first.color)
    #expect(one.first.color != Self.photo(.dualWide, seed: 4).first.color)
    #expect(one.first.color != one.second.color)
  }
}
