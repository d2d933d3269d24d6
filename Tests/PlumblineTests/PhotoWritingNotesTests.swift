import Plumbline
import PlumblineTestSupport
import Testing

/// What `write` says of things that were left out or that others cannot read.
@Suite struct PhotoWritingNotesTests {
  private static let image = Raster(size: RasterSize(width: 64, height: 48)) { x, y in
    RGB8(red: UInt8(2 * x), green: UInt8(3 * y), blue: 40)
  }

  private static func depth(bits: Int) -> PhotoDepth {
    let codes = Raster(size: RasterSize(width: 16, height: 12)) { x, y in UInt16(1 + x + 16 * y) }
    return PhotoDepth(
      codes: bits == 8 ? .uint8(codes.map { UInt8($0) }) : .uint16(codes, bitDepth: bits),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: (1 << bits) - 1, minimumValue: 0.5, maximumValue: 3),
      quantity: .disparity)
  }

  /// What is said of what was done, then of what is lost.
  private static func notes(
    _ photo: [UInt8], _ change: (inout PhotoWriter) -> Void
  ) throws -> [String] {
    var writer = PhotoWriter()
    writer.options.hevc = .raw
    change(&writer)
    let result = try writer.write(photo, fileName: "photo")
    return result.notes + result.findings.map(\.message)
  }

  @Test("Depth of 16 bits in HEIC is said to be for this program", arguments: [8, 10, 16])
  func bits(bits: Int) throws {
    var photo = PhotoContents(color: Self.image)
    photo.depth = Self.depth(bits: bits)
    let jpeg = try JPEGPhotoWriter().bytes(of: photo)
    let said = { (notes: [String]) in notes.contains { $0.hasPrefix("depth of 16 bits in HEIC") } }
    #expect(try said(Self.notes(jpeg) { $0.container = .heic }) == (bits == 16))
    #expect(
      try !said(Self.notes(jpeg) { $0.framing.maximumSize = RasterSize(width: 32, height: 32) }))
    // Attached to a HEIC whose image is copied.
    let heic = try HEIFPhotoWriter().bytes(
      of: PhotoContents(color: Self.image), options: PhotoWritingOptions(hevc: .raw))
    let capture = try CaptureReader().capture(from: jpeg)
    let source = PhotoDepthSource(name: "map", record: try #require(capture.depth))
    #expect(
      try said(
        Self.notes(heic) {
          $0.depth = .other(source)
          $0.depthBits = 16
        }) == (bits == 16))
  }

  @Test("A layout that cannot say what depth is worth, or that nothing was put in, is told")
  func layouts() throws {
    var photo = PhotoContents(color: Self.image)
    photo.depth = Self.depth(bits: 8)
    photo.depth?.accuracy = .absolute
    let jpeg = try JPEGPhotoWriter().bytes(of: photo)
    let source = PhotoDepthSource(
      name: "map", record: try #require(try CaptureReader().capture(from: jpeg).depth))
    for layout in PhotoWritingOptions.DepthLayout.allCases {
      let kept = try Self.notes(jpeg) { $0.options.depthLayout = layout }
      #expect(kept.contains { $0.hasPrefix("no depth was written") } == (layout != .apple))
      let put = try Self.notes(jpeg) {
        $0.options.depthLayout = layout
        $0.depth = .other(source)
      }
      #expect(put.contains { $0.hasPrefix("this layout has no place") } == (layout != .apple))
      #expect(!put.contains { $0.hasPrefix("no depth was written") })
    }
  }

  /// A JPEG with an extended packet that holds an image and settings.
  private static func extended(isDamaged: Bool = false) throws -> [UInt8] {
    func packet(_ attributes: String) -> String {
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" \
      xmlns:GImage="http://ns.google.com/photos/1.0/image/" \
      xmlns:xmpNote="http://ns.adobe.com/xmp/note/" \(attributes)/></rdf:RDF></x:xmpmeta>
      """
    }
    let name = "0123456789ABCDEF0123456789ABCDEF"
    var segments = JPEGFileBuilder.xmp(packet("xmpNote:HasExtendedXMP=\"\(name)\""))
    let rest = JPEGFileBuilder.extendedXMP(
      packet("crs:Mask=\"m\" GImage:Data=\"AAAA\""), guid: name, chunk: 200)
    // The first chunk alone leaves a gap.
    segments += isDamaged ? Array(rest.prefix(2 + 2 + 35 + 32 + 8 + 200)) : rest
    return JPEGFileBuilder.inserting(segments, into: try JPEGEncoder(quality: 80).encoded(image))
  }

  @Test("Extended XMP is carried, or what of it is not is said")
  func extendedXMP() throws {
    let photo = try Self.extended()
    #expect(try Self.notes(photo) { $0.framing.bakesOrientation = true }.count == 1)
    let converted = try Self.notes(photo) { $0.container = .heic }
    #expect(
      converted == [
        "extended XMP was left out, which HEIC has no place for: "
          + "http://ns.adobe.com/camera-raw-settings/1.0/Mask, "
          + "http://ns.google.com/photos/1.0/image/Data"
      ])
    let cropped = try Self.notes(photo) {
      $0.framing.crop = PixelRectangle(x: 0, y: 0, width: 32, height: 24)
    }
    #expect(
      cropped == ["the image inside XMP (GImage) was left out: it shows the photo as it was"])
    let both = try Self.notes(photo) {
      $0.framing.crop = PixelRectangle(x: 0, y: 0, width: 32, height: 24)
      $0.container = .heic
    }
    #expect(
      both.count == 2
        && both.last?.hasSuffix(": http://ns.adobe.com/camera-raw-settings/1.0/Mask") == true)
    let damaged = try Self.notes(try Self.extended(isDamaged: true)) { $0.container = .heic }
    #expect(damaged == ["extended XMP was left out: it is damaged"])
    // Copied bytes lose nothing.
    #expect(try Self.notes(photo) { $0.framing.turn = .right }.isEmpty)
  }

  @Test("The other eye's image and what stands behind a JPEG are missed by name")
  func besides() throws {
    let size = Self.image.size
    let pair = try SpatialPhotoWriter().bytes(
      of: SpatialPhoto(
        left: Self.image, right: Self.image,
        intrinsics: PinholeIntrinsics(
          focalLength: [60, 60], principalPoint: [32, 24], size: size), baselineMillimeters: 60),
      options: PhotoWritingOptions(hevc: .raw))
    #expect(
      try Self.notes(pair) { $0.container = .jpeg }
        == ["the image for the other eye was left out"])
    #expect(try Self.notes(pair) { $0.framing.turn = .right }.isEmpty)
    // Depth behind the image is carried, in whatever layout; zeros are padding.
    var photo = PhotoContents(color: Self.image)
    photo.depth = Self.depth(bits: 8)
    for layout in PhotoWritingOptions.DepthLayout.allCases {
      let jpeg = try JPEGPhotoWriter().bytes(
        of: photo, options: PhotoWritingOptions(depthLayout: layout))
      #expect(try Self.notes(jpeg + [0, 0]) { $0.framing.bakesOrientation = true }.isEmpty)
      let video = Array("\0\0\0\u{18}ftypmp42film".utf8)
      let notes = try Self.notes(jpeg + video) { $0.framing.bakesOrientation = true }
      #expect(notes.count == 1 && notes[0].contains("(\(video.count) bytes) was left out"))
    }
  }

  @Test("Colors that JPEG cannot name are said, others get a profile")
  func colors() throws {
    for (space, isSaid) in [
      (PhotoColorSpace(primaries: 12, transfer: 13), false),
      (PhotoColorSpace(primaries: 9, transfer: 18), true),
    ] {
      var photo = PhotoContents(color: Self.image)
      photo.metadata.colorSpace = space
      let heic = try HEIFPhotoWriter().bytes(of: photo, options: PhotoWritingOptions(hevc: .raw))
      let notes = try Self.notes(heic) { $0.container = .jpeg }
      #expect(notes.contains { $0.contains("\(space)") } == isSaid)
    }
  }
}
