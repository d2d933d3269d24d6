import Plumbline
import PlumblineTestSupport
import Testing

/// A photo whose every part says where it lies: image, depth at another size, matte, gain map, camera.
@Suite struct PhotoFramingTests {
  private static let size = RasterSize(width: 252, height: 168)
  private static let mapSize = RasterSize(width: 48, height: 32)

  private static func photo(_ orientation: ImageOrientation = .up) -> PhotoContents {
    var photo = PhotoContents(
      color: Raster(size: size) { x, y in RGB8(red: UInt8(x), green: UInt8(y), blue: 7) })
    photo.metadata.orientation = orientation
    var depth = PhotoDepth(
      codes: .uint16(Raster(size: mapSize) { x, y in UInt16(50 * y + x + 1) }, bitDepth: 16),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 65535, minimumValue: 0.5, maximumValue: 3),
      quantity: .disparity)
    depth.accuracy = .absolute
    depth.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [500, 500], principalPoint: [310, 215],
        size: RasterSize(width: 630, height: 420)),
      distortion: LensDistortion(
        center: [312, 209], size: RasterSize(width: 630, height: 420),
        distorting: .table([0, 0.02]),
        undistorting: .table([0, -0.02])))
    photo.depth = depth
    photo.mattes = [
      Matte(
        kind: .portraitEffects,
        coverage: Raster(size: RasterSize(width: 84, height: 56)) { x, _ in UInt8(x) },
        orientation: orientation)
    ]
    photo.gainMap = GainMap(
      samples: .uint8(Raster(size: RasterSize(width: 84, height: 56)) { x, y in UInt8(x + y) }))
    return photo
  }

  /// The pixel of the image on which the center of a depth pixel lies.
  private static func place(_ x: Int, _ y: Int, of map: RasterSize, in image: RasterSize)
    -> SIMD2<Double>
  {
    [
      (Double(x) + 0.5) * Double(image.width) / Double(map.width) - 0.5,
      (Double(y) + 0.5) * Double(image.height) / Double(map.height) - 0.5,
    ]
  }

  private static func codes(_ photo: PhotoContents) throws -> Raster<UInt16> {
    guard case .uint16(let codes, _) = try #require(photo.depth).codes else {
      throw CaptureReadingError(.missing, expected: "16 bits", found: "8")
    }
    return codes
  }

  @Test(arguments: [
    PixelRectangle(x: 21, y: 20, width: 168, height: 112),
    PixelRectangle(x: 0, y: 0, width: 252, height: 168),
    PixelRectangle(x: 83, y: 40, width: 126, height: 84),
  ])
  func croppedDepthLiesWhereItLay(_ crop: PixelRectangle) throws {
    let before = Self.photo()
    let (after, notes) = try PhotoFraming(crop: crop).applied(to: before)
    let image = after.color
    // The image says by its codes where it was cut out.
    let corner = SIMD2(Double(image[0, 0].red), Double(image[0, 0].green))
    #expect(
      notes.isEmpty == (image.size == crop.size && corner == [Double(crop.x), Double(crop.y)]))
    let map = try Self.codes(after)
    for (x, y) in [(0, 0), (map.width - 1, map.height - 1), (map.width / 2, 1)] {
      let code = Int(map[x, y]) - 1
      let old = Self.place(code % 50, code / 50, of: Self.mapSize, in: Self.size)
      let new = Self.place(x, y, of: map.size, in: image.size) + corner
      // Both edges of the image are whole pixels: half a pixel at most.
      #expect(abs(old.x - new.x) <= 0.5 && abs(old.y - new.y) <= 0.5, "\(crop), \(x), \(y)")
    }
    // The camera sees the same ray at the same pixel of the image.
    let camera = try #require(after.depth?.calibration)
    let whole = try #require(before.depth?.calibration).scaled(to: Self.size)
    #expect(camera.intrinsics.size == image.size)
    let offset = camera.intrinsics.principalPoint + corner - whole.intrinsics.principalPoint
    #expect(max(abs(offset.x), abs(offset.y)) < 1e-9)
    let center = try #require(camera.distortion).center + corner
    let lens = try #require(whole.distortion).center
    #expect(max(abs(center.x - lens.x), abs(center.y - lens.y)) < 1e-9)
    // Mattes and gain map keep their codes; their position is that of the crop within a pixel of theirs.
    let matte = try #require(after.mattes.first).coverage
    #expect(abs(Int(matte[0, 0]) - Int(corner.x / 3)) <= 1)
    #expect(after.gainMap?.samples.size == matte.size)
  }

  @Test(arguments: ImageOrientation.allCases)
  func cropsCountInThePhotoAsItIsShown(_ orientation: ImageOrientation) throws {
    let photo = Self.photo(orientation)
    let upright = orientation.uprightSize(of: Self.size)
    let crop = PixelRectangle(x: 0, y: 0, width: upright.width / 2, height: upright.height / 2)
    var upfront = photo.color.oriented(by: orientation)
    let after = try PhotoFraming(crop: crop).applied(to: photo).photo
    let shown = after.color.oriented(by: orientation)
    upfront = upfront.cropped(
      to: PixelRectangle(x: 0, y: 0, width: shown.width, height: shown.height))
    #expect(shown == upfront)
  }

  @Test(arguments: ImageOrientation.allCases)
  func bakingTurnsEverythingAlike(_ orientation: ImageOrientation) throws {
    let before = Self.photo(orientation)
    let after = try PhotoFraming(bakesOrientation: true).applied(to: before).photo
    #expect(after.metadata.orientation == .up)
    #expect(after.color == before.color.oriented(by: orientation))
    #expect(try Self.codes(after) == Self.codes(before).oriented(by: orientation))
    #expect(after.mattes.first?.orientation == .up)
    #expect(
      after.depth?.calibration == before.depth?.calibration?.oriented(by: orientation))
    // Baked twice is baked once.
    let again = try PhotoFraming(bakesOrientation: true).applied(to: after).photo
    #expect(again.color == after.color)
  }

  @Test func fourQuarterTurnsAreNone() throws {
    var photo = Self.photo(.rightMirrored)
    for _ in 0..<4 { photo = try PhotoFraming(turn: .right).applied(to: photo).photo }
    #expect(photo.metadata.orientation == .rightMirrored)
    #expect(!PhotoFraming(turn: .right).movesPixels)
  }

  @Test func resizingKeepsRaysAndNeverGrows() throws {
    let before = Self.photo()
    let after = try PhotoFraming(maximumSize: RasterSize(width: 9, height: 9))
      .applied(to: before).photo
    #expect(after.color.size == RasterSize(width: 9, height: 6))
    #expect(after.depth?.size == RasterSize(width: 9, height: 6))
    let camera = try #require(after.depth?.calibration).intrinsics
    let whole = try #require(before.depth?.calibration).intrinsics
    #expect(abs(camera.focalLength.x - whole.focalLength.x / 70) < 1e-9)
    #expect(abs((camera.principalPoint.x + 0.5) - (whole.principalPoint.x + 0.5) / 70) < 1e-9)
    let grown = try PhotoFraming(maximumSize: RasterSize(width: 900, height: 900))
      .applied(to: before).photo
    #expect(grown.color == before.color)
  }

  @Test func refusesWhatCannotBeCut() {
    for crop in [
      PixelRectangle(x: 250, y: 0, width: 9, height: 9),
      PixelRectangle(x: 0, y: 0, width: 0, height: 4),
      PixelRectangle(x: -1, y: 0, width: 9, height: 9),
      PixelRectangle(x: 0, y: 0, width: 4, height: 4),
    ] {
      #expect(throws: PhotoWritingError.self) {
        _ = try PhotoFraming(crop: crop).applied(to: Self.photo())
      }
    }
  }
}
