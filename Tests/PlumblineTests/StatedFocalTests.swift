import Plumbline
import PlumblineInference
import PlumblineTestSupport
import Testing

/// A focal length that the photo's Exif states is used, and none is assumed in its place.
@Suite struct StatedFocalTests {
  private static let size = RasterSize(width: 120, height: 90)

  /// A photo with depth but without a camera, whose Exif states 52 mm of film, or nothing.
  private static func photo(film: UInt16?) throws -> [UInt8] {
    let image = Raster(size: size) { x, y in
      RGB8(red: UInt8(2 * x), green: UInt8(2 * y), blue: 60)
    }
    var contents = PhotoContents(color: image)
    contents.depth = PhotoDepth(
      codes: .uint8(Raster(size: RasterSize(width: 40, height: 30)) { x, y in UInt8(5 * x + y) }),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 0.5, maximumValue: 3), quantity: .disparity)
    contents.depth?.accuracy = .absolute
    if let film {
      // One directory with a pointer to Exif's, which holds the one number.
      contents.metadata.exif =
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26]
        + [0, 0, 0, 0] + [0, 1, 0xA4, 0x05, 0, 3, 0, 0, 0, 1, UInt8(film >> 8), UInt8(film & 255)]
        + [0, 0, 0, 0, 0, 0]
    }
    return try JPEGPhotoWriter().bytes(of: contents)
  }

  @Test("Effects take Exif's focal length and say so", arguments: [52, nil] as [UInt16?])
  func effects(film: UInt16?) throws {
    let opened = try EffectPhoto(Self.photo(film: film), fileName: "photo")
    let scene = try opened.scene(for: "blur")
    let notes = try BlurEffect().applied(to: scene).notes.map(\.code)
    #expect(notes.contains(.statedCamera) == (film != nil))
    #expect(notes.contains(.assumedCamera) == (film == nil))
    guard film != nil else { return }
    // The diagonal of 120×90 is 150 pixels, of film 43.27 mm.
    let focal = try #require(scene.intrinsics?.focalLength.x)
    #expect(abs(focal - 52 * 150 / 43.2666) < 0.01, "\(focal)")
    let basis = try #require(scene.statedCamera)
    #expect(basis.contains("52.0 mm") && basis.contains("± 1.0 %"), "\(basis)")
  }

  @Test("The ± of a camera by Exif is that of what Exif states")
  func camera() throws {
    let film = try #require(FilmFocalLength(wholeMillimeters: 13))
    let camera = PhotoCamera(exif: film, size: Self.size)
    #expect(camera.source == .exif && camera.focalSigmaShare == 0.5 / 13)
    let lens = try #require(
      FilmFocalLength(
        lensMillimeters: 4.6, pixelsPerMillimeter: [700, 700],
        size: RasterSize(width: 4_000, height: 3_000)))
    #expect(PhotoCamera(exif: lens, size: Self.size).focalSigmaShare == 0.03)
    #expect(abs(lens.millimeters - 4.6 * 43.2666 / (5_000.0 / 700)) < 0.001)
  }
}
