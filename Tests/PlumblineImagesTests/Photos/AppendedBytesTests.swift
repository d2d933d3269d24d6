import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

/// What is reported of bytes behind the images of a JPEG photo.
@Suite("Bytes behind a JPEG photo")
struct AppendedBytesTests {
  /// What is reported of the file itself, apart from its depth.
  private static func told(_ bytes: [UInt8]) throws -> [Finding] {
    try CaptureReader().capture(from: bytes).findings.filter {
      $0.code.rawValue.hasPrefix("file")
    }
  }

  /// A photo whose depth a directory names, as PNG (without loss) or as JPEG.
  private static func photo(
    _ coding: PhotoWritingOptions.AuxiliaryCoding
  ) throws -> [UInt8] {
    var photo = PhotoContents(color: SamplePhotos.image(3))
    photo.depth = SamplePhotos.depth(3)
    return try JPEGPhotoWriter().bytes(
      of: photo, options: PhotoWritingOptions(depthLayout: .dynamicDepth, depthCoding: coding))
  }

  @Test(
    "A map that a directory names is no stranger, whatever its kind",
    arguments: [PhotoWritingOptions.AuxiliaryCoding.lossless, .lossy(quality: 95)])
  func named(coding: PhotoWritingOptions.AuxiliaryCoding) throws {
    let bytes = try Self.photo(coding)
    #expect(try CaptureReader().capture(from: bytes).depth != nil)
    #expect(try Self.told(bytes).isEmpty)
  }

  @Test("What follows the named items is told, with its place and count")
  func unnamed() throws {
    for coding in [PhotoWritingOptions.AuxiliaryCoding.lossless, .lossy(quality: 95)] {
      let bytes = try Self.photo(coding)
      for (text, name) in [("nobody knows", "unknown data"), ("....SEFH....SEFT", "Samsung")] {
        let findings = try Self.told(bytes + Array(text.utf8))
        #expect(findings.map(\.code) == [.fileTrailer])
        #expect(findings.first?.message.hasPrefix("\(text.utf8.count) bytes follow") == true)
        #expect(findings.first?.message.contains(name) == true)
        #expect(findings.first?.evidence == "byte \(bytes.count)")
      }
      // Zeros are padding.
      #expect(try Self.told(bytes + [0, 0, 0]).isEmpty)
    }
  }

  @Test("Videos that the later directory names are no strangers, and padding before them is none")
  func video() throws {
    let (bytes, _, _) = try JPEGPhotoEditingTests.motionPhoto()
    #expect(try Self.told(bytes).isEmpty)
    #expect(try Self.told(bytes + [1]).map(\.code) == [.fileTrailer])
  }

  @Test("A directory that does not fit the file accounts for nothing")
  func wrongLengths() throws {
    let bytes = try Self.photo(.lossless)
    // Its item ends behind the file; the depth is lost as well, which is an error of its own.
    let cut = Array(bytes.dropLast(3))
    #expect(throws: CaptureReadingError.self) { try CaptureReader().capture(from: cut) }
    var video = try JPEGPhotoEditingTests.motionPhoto().bytes
    video.removeLast(3)
    #expect(try Self.told(video).map(\.code).contains(.fileTrailer))
  }
}
