import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

/// A spatial photo of two small gray images, with the given boxes.
private struct SpatialFile {
  var intrinsics: [UInt8] = SpatialFile.intrinsics(focal: 0.75)
  var positions: [[UInt8]] = [SpatialFile.position(0), SpatialFile.position(63_800)]
  var isDraft = false
  var members = [1, 2]
  var sizes = [(32, 16), (32, 16)]

  /// `cmin`: version, flags with 2³⁰ as denominator, then focal length and principal point.
  static func intrinsics(focal: Double, flags: [UInt8] = [0, 0x1E, 0]) -> [UInt8] {
    var bytes: [UInt8] = [0] + flags
    for share in [focal, 0.5, 0.25] { bytes += Self.word(Int(share * Double(1 << 30))) }
    return bytes
  }

  /// `cmex`: version, flags (bit 0: x follows; bit 3: a rotation follows), micrometers.
  static func position(_ micrometers: Int, flags: UInt8 = 1) -> [UInt8] {
    [0, 0, 0, flags] + word(micrometers)
  }

  /// A number as four bytes, the highest first, two's complement.
  private static func word(_ value: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
  }

  var bytes: [UInt8] {
    var builder = HEIFBuilder()
    for index in 0..<2 {
      let (width, height) = sizes[index]
      let luma = Raster<UInt16>(
        size: RasterSize(width: width, height: height), repeating: index == 0 ? 60 : 180)
      let half = RasterSize(width: width / 2, height: height / 2)
      let gray = Raster<UInt16>(size: half, repeating: 128)
      let image = RawHEVCImage(luma: luma, chroma: (gray, gray))
      func property(_ type: String, _ user: String, _ payload: [UInt8]) -> Int {
        guard isDraft else { return builder.addProperty(type, payload) }
        return builder.addProperty("uuid", Self.bytes(ofHex: user) + payload)
      }
      let properties = [
        builder.addProperty("hvcC", image.configuration), builder.addSize(width, height),
        property("cmin", "22cc04c7d6d94e079d904eb6ecbaf3a3", intrinsics),
        property("cmex", "4363e9145b7d4aab97aebea69803b434", positions[index]),
      ]
      builder.items.append(
        HEIFBuilder.Item(1 + index, "hvc1", image.data, properties: properties))
    }
    builder.groups = [("ster", members)]
    return builder.bytes
  }

  private static func bytes(ofHex text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }
}

@Suite("Spatial photos: both images")
struct SpatialPhotoTests {
  @Test("Both images come with their cameras, from the standard's boxes and from Apple's draft")
  func both() throws {
    for isDraft in [false, true] {
      var file = SpatialFile()
      file.isDraft = isDraft
      let (left, right) = try StereoImageReader().pair(from: file.bytes)
      #expect(left.color[3, 3].green < 80 && right.color[3, 3].green > 160)
      let camera = try #require(left.camera).intrinsics
      #expect(camera.focalLength == [24, 24])
      // Half of the width and a quarter of the height from the corner, half a pixel less here.
      #expect(camera.principalPoint == [15.5, 3.5])
      let a = try #require(left.referenceFromCamera)
      let b = try #require(right.referenceFromCamera)
      #expect(abs((b.translation - a.translation).x - 0.0638) < 1e-12)
      #expect(left.cameraBasis == .calibration && left.source.camera == .stereo)
    }
  }

  @Test("A camera to the left of the origin has a negative place")
  func negative() throws {
    var file = SpatialFile()
    file.positions[0] = SpatialFile.position(-31_900)
    let left = try StereoImageReader().pair(from: file.bytes).left
    #expect(left.referenceFromCamera?.translation.x == -0.0319)
  }

  @Test("What no pair of cameras can be is refused, or costs the camera")
  func hostile() throws {
    func failure(_ change: (inout SpatialFile) -> Void) -> CaptureReadingError? {
      var file = SpatialFile()
      change(&file)
      do throws(CaptureReadingError) {
        _ = try StereoImageReader().pair(from: file.bytes)
        return nil
      } catch { return error }
    }
    #expect(failure { $0.members = [1, 1] }?.found.contains("twice") == true)
    #expect(failure { $0.members = [1, 9] }?.reason == .missing)
    #expect(failure { $0.members = [1] }?.reason == .missing)
    for focal in [0.0, -1, 1e-9] {
      #expect(failure { $0.intrinsics = SpatialFile.intrinsics(focal: focal) } != nil, "\(focal)")
    }
    #expect(
      failure { $0.positions[1] = SpatialFile.position(1, flags: 9) + [0, 0, 0, 0, 0, 0] }?.reason
        == .unsupported)
    // A box that ends inside of its numbers.
    #expect(failure { $0.intrinsics.removeLast(5) } != nil)
  }

  @Test("A file cut anywhere is refused with a sentence, never a trap")
  func cut() {
    let bytes = SpatialFile().bytes
    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
      #expect(throws: CaptureReadingError.self) {
        try StereoImageReader().pair(from: Array(bytes[..<count]))
      }
    }
  }

  @Test("A file with one image says what is needed")
  func single() throws {
    let image = try JPEGEncoder(quality: 90).encoded(
      Raster(size: RasterSize(width: 16, height: 16), repeating: RGB8(red: 9, green: 9, blue: 9)))
    do throws(CaptureReadingError) {
      _ = try StereoImageReader().pair(from: image)
      Issue.record("one image is no pair")
    } catch {
      #expect(error.reason == .missing && error.need == .sideBySide)
    }
    for text in ["", "{}", "hello"] {
      #expect(throws: CaptureReadingError.self) {
        try StereoImageReader().pair(from: Array(text.utf8))
      }
      #expect(throws: CaptureReadingError.self) {
        try StereoImageReader().image(from: Array(text.utf8))
      }
    }
  }

  @Test(
    "spatial_photo.heic: two images of 2560×2560, f 1525.7 px, 63.8 mm apart, left first",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func real() throws {
    let bytes = try RealData.bytes("photos/spatial_photo.heic")
    let (left, right) = try StereoImageReader().pair(from: bytes)
    let size = RasterSize(width: 2560, height: 2560)
    #expect(left.color.size == size && right.color.size == size)
    #expect(left.color != right.color)
    for image in [left, right] {
      let camera = try #require(image.camera).intrinsics
      #expect(abs(camera.focalLength.x - 2560 * Double(0x2622_D86E) / 0x4000_0000) < 1e-9)
      #expect(camera.principalPoint == [1279.5, 1279.5])
    }
    let a = try #require(left.referenceFromCamera)
    let b = try #require(right.referenceFromCamera)
    #expect(abs((b.translation - a.translation).x - 0.063807) < 1e-9)
    // The capture keeps its first image.
    let capture = try CaptureReader(color: .full).capture(from: bytes)
    #expect(capture.color == left.color || capture.color == right.color)
  }
}

@Suite("Images for stereo")
struct StereoImageTests {
  @Test("Halves of one image")
  func sideBySide() throws {
    let size = RasterSize(width: 6, height: 2)
    let whole = Raster(size: size) { x, y in RGB8(red: UInt8(x), green: UInt8(y), blue: 0) }
    let image = try StereoImageReader().image(from: PNGEncoder().encoded(whole))
    let (left, right) = try image.sideBySide()
    #expect(left.color.size == RasterSize(width: 3, height: 2))
    #expect(left.color[2, 1].red == 2 && right.color[0, 1].red == 3)
    let odd = StereoImage(
      color: Raster(
        size: RasterSize(width: 5, height: 2), repeating: RGB8(red: 0, green: 0, blue: 0)))
    #expect(throws: CaptureReadingError.self) { try odd.sideBySide() }
  }

  @Test("A JPEG of two views gives both; a gray depth map beside the image is none")
  func views() throws {
    let size = RasterSize(width: 32, height: 16)
    let images = try [40, 200].map { (level: UInt8) in
      let gray = RGB8(red: level, green: level, blue: level)
      return try JPEGEncoder(quality: 90).encoded(Raster(size: size, repeating: gray))
    }
    let (left, right) = try StereoImageReader().pair(from: images[0] + images[1])
    #expect(left.color[5, 5].red < 60 && right.color[5, 5].red > 180)
    let gray = try JPEGEncoder(quality: 90).encoded(
      Raster<UInt8>(size: size, repeating: 90).map { RGB8(red: $0, green: $0, blue: $0) }
        .cropped(to: PixelRectangle(x: 0, y: 0, width: 16, height: 16)))
    #expect(throws: CaptureReadingError.self) {
      try StereoImageReader().pair(from: images[0] + gray)
    }
  }

  @Test(
    "A photo gives its own camera, at the size of its image",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func photo() throws {
    let image = try StereoImageReader().image(from: RealData.bytes("photos/pug.heic"))
    let camera = try #require(image.camera).intrinsics
    #expect(image.cameraBasis == .calibration)
    #expect(camera.size == image.color.size)
    #expect(abs(camera.focalLength.x - 3032.59) < 0.01)
  }
}
