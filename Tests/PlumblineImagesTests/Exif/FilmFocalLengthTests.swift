import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

/// The focal length that Exif states, and how far it is to be believed.
@Suite struct FilmFocalLengthTests {
  private static func focal(_ entries: [TIFFBuilder.Field]) throws -> FilmFocalLength? {
    var builder = TIFFBuilder(isBigEndian: true)
    builder.exif = entries
    return try ExifMetadata(tiff: builder.bytes[...]).filmFocalLength
  }

  @Test("Whole millimeters of video come first")
  func video() throws {
    let found = try #require(
      try Self.focal([
        .rational(0x920A, 570, 100), .long(0xA002, 6_000), .long(0xA003, 4_000),
        .short(0xA405, 26), .rational(0xA20E, 9_999, 1),
      ]))
    #expect(found.millimeters == 26 && found.sigmaShare == 0.5 / 26)
    #expect(found.basis.contains("FocalLengthIn35mmFilm"))
    // Half a millimeter of a long lens is less than lenses differ.
    #expect(FilmFocalLength(wholeMillimeters: 200)?.sigmaShare == 0.01)
    #expect(FilmFocalLength(wholeMillimeters: 0) == nil)
  }

  @Test("A lens's own length counts where the sensor's pixels are stated", arguments: [2, 3, 4])
  func sensor(unit: Int) throws {
    // 6000×4000 pixels on 36 mm × 24 mm: video itself.
    let across = [2: (254_000, 60), 3: (100_000, 60), 4: (10_000, 60)][unit] ?? (1, 1)
    // Pixels per unit are 6000/36 mm times the unit in millimeters.
    let found = try #require(
      try Self.focal([
        .rational(0x920A, 50, 1), .long(0xA002, 6_000), .long(0xA003, 4_000),
        .rational(0xA20E, UInt32(across.0), UInt32(across.1)), .short(0xA210, UInt16(unit)),
      ]))
    #expect(abs(found.millimeters - 50) < 1e-9, "\(found.millimeters)")
    #expect(found.sigmaShare == 0.03 && found.basis.contains("FocalPlaneXResolution"))
    #expect(
      try Self.focal([.rational(0x920A, 50, 1), .long(0xA002, 6_000), .long(0xA003, 4_000)]) == nil)
  }
}
