import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@Suite("Spatial photos: writing")
struct SpatialPhotoWriterTests {
  private func photo(_ focal: SIMD2<Double> = [75, 75]) -> SpatialPhoto {
    let size = RasterSize(width: 100, height: 80)
    return SpatialPhoto(
      left: Raster(size: size, repeating: RGB8(red: 60, green: 60, blue: 60)),
      right: Raster(size: size, repeating: RGB8(red: 180, green: 180, blue: 180)),
      intrinsics: PinholeIntrinsics(focalLength: focal, principalPoint: [49.5, 20], size: size),
      baselineMillimeters: 63.807)
  }

  @Test(
    "Images, camera and baseline come back",
    arguments: [[75, 75], [75, 70.5]] as [SIMD2<Double>])
  func roundTrip(focal: SIMD2<Double>) throws {
    let bytes = try SpatialPhotoWriter().bytes(of: photo(focal), options: SampleContents.raw)
    let pair = try StereoImageReader().pair(from: bytes)
    #expect(pair.left.color[50, 40].red == 60)
    #expect(pair.right.color[50, 40].red == 180)
    let camera = try #require(pair.left.camera?.intrinsics)
    // 2⁻³⁰ of 100 pixels.
    #expect(abs(camera.focalLength.x - focal.x) < 1e-6)
    #expect(abs(camera.focalLength.y - focal.y) < 1e-6)
    #expect(abs(camera.principalPoint.x - 49.5) < 1e-6)
    #expect(abs(camera.principalPoint.y - 20) < 1e-6)
    let capture = try CaptureReader().capture(from: bytes)
    #expect(capture.stereoPair?.baselineMillimeters == 63.807)
  }

  @Test("A camera that the file cannot say is refused")
  func refused() {
    #expect(throws: PhotoWritingError.self) {
      try SpatialPhotoWriter().bytes(of: photo([250, 250]), options: SampleContents.raw)
    }
  }

  @Test(
    "Its boxes are those of Vision Pro",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func boxes() throws {
    let real = try HEIFFile(bytes: RealData.bytes("photos/spatial_photo.heic"))
    let size = RasterSize(width: 2560, height: 2560)
    let black = Raster(size: size, repeating: RGB8(red: 0, green: 0, blue: 0))
    let focal = try #require(real.stereoPair?.left.intrinsics).focalLengthPerWidth * 2560
    let photo = SpatialPhoto(
      left: black, right: black,
      intrinsics: PinholeIntrinsics(
        focalLength: [focal, focal], principalPoint: [1279.5, 1279.5], size: size),
      baselineMillimeters: 63.807)
    let own = try HEIFFile(
      bytes: SpatialPhotoWriter().bytes(of: photo, options: SampleContents.raw))
    #expect(own.stereoPair?.left.intrinsics == real.stereoPair?.left.intrinsics)
    #expect(own.stereoPair?.left.position == real.stereoPair?.left.position)
    #expect(own.stereoPair?.right.position == real.stereoPair?.right.position)
    #expect(own.groups.map(\.type) == real.groups.map(\.type))
    func properties(_ file: HEIFFile) throws -> Set<String> {
      Set(try HEIFDraft(file).properties.map { String(decoding: $0[4..<8], as: UTF8.self) })
    }
    #expect(try properties(own) == properties(real))
  }
}
