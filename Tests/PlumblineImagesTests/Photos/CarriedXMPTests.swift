import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineRecordings
/// What becomes of XMP when a photo is written anew.
@Suite("XMP of new photo files")
struct CarriedXMPTests {
  private static let settings = "http://ns.adobe.com/camera-raw-settings/1.0/"
  private static let image = "http://ns.google.com/photos/1.0/image/"
  private static let name = "0123456789ABCDEF0123456789ABCDEF"
  /// More than a segment holds.
  private static let long = String(repeating: "0123456789abcdef", count: 9_000)

  private static func packet(_ attributes: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
    xmlns:crs="\(settings)" xmlns:GImage="\(image)" \
    xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" \
    xmlns:xmpNote="http://ns.adobe.com/xmp/note/" \(attributes)/></rdf:RDF></x:xmpmeta>
    """
  }

  /// The same with depth in it, as Google's cameras do.
  private static func adding(_ depth: PhotoDepth, to bytes: [UInt8]) throws -> [UInt8] {
    try JPEGPhotoWriter().edited(
      bytes, JPEGPhotoWriterTests.replacing(depth),
      options: PhotoWritingOptions(depthLayout: .googleDepth))
  }

  /// A JPEG with an extended packet under a name that is not that of its bytes.
  private static func jpeg(_ attributes: String) throws -> [UInt8] {
    let main = packet("crs:Version=\"15\" xmpNote:HasExtendedXMP=\"\(name)\"")
    return JPEGFileBuilder.inserting(
      JPEGFileBuilder.xmp(main) + JPEGFileBuilder.extendedXMP(packet(attributes), guid: name),
      into: try JPEGEncoder(quality: 80).encoded(SamplePhotos.image(4)))
  }

  @Test("An extended packet goes into a new JPEG whole, under the name of its bytes")
  func carried() throws {
    let depth = SamplePhotos.depth(2)
    let source = try Self.adding(
      depth, to: Self.jpeg("crs:Mask=\"\(Self.long)\" GImage:Mime=\"a\""))
    let contents = try PhotoContents(reading: source)
    #expect(contents.depth?.codes == depth.codes)
    #expect(
      contents.metadata.extendedXMP?.names == [Self.settings + "Mask", Self.image + "Mime"])
    var bytes = try JPEGPhotoWriter().bytes(of: contents)
    for _ in 0..<2 {
      let image = try JPEGFile(bytes[...]).primary
      let packet = try #require(try image.xmpPacket())
      #expect(packet[Self.settings, "Version"]?.text == "15")
      #expect(packet[Self.settings, "Mask"]?.text == Self.long)
      #expect(packet[Self.image, "Mime"]?.text == "a")
      // Depth goes as depth.
      #expect(try PhotoContents(reading: bytes).depth?.codes == depth.codes)
      #expect(!packet.properties.keys.contains { $0.namespace.hasSuffix("depthmap/") })
      let extended = try #require(image.extendedXMP.first)
      #expect(extended.guid == ExtendedXMP.guid(of: extended.bytes))
      #expect(packet["http://ns.adobe.com/xmp/note/", "HasExtendedXMP"]?.text == extended.guid)
      bytes = try JPEGPhotoWriter().bytes(of: PhotoContents(reading: bytes))
    }
  }

  @Test("An extended packet that nothing changes is renamed where its name was wrong")
  func renamed() throws {
    let source = try Self.jpeg("crs:Mask=\"\(Self.long)\"")
    let bytes = try JPEGPhotoWriter().bytes(of: PhotoContents(reading: source))
    let image = try JPEGFile(bytes[...]).primary
    let extended = try #require(image.extendedXMP.first)
    #expect(extended.bytes == Array(Self.packet("crs:Mask=\"\(Self.long)\"").utf8))
    #expect(extended.guid != Self.name && extended.guid == ExtendedXMP.guid(of: extended.bytes))
    #expect(try image.xmpPacket()?[Self.settings, "Mask"]?.text == Self.long)
  }

  @Test("A packet of nothing but depth goes with its note")
  func emptied() throws {
    let plain = JPEGFileBuilder.inserting(
      JPEGFileBuilder.xmp(Self.packet("crs:Version=\"15\"")),
      into: try JPEGEncoder(quality: 80).encoded(SamplePhotos.image(4)))
    let source = try Self.adding(SamplePhotos.depth(2), to: plain)
    #expect(try JPEGFile(source[...]).primary.extendedXMP.count == 1)
    let bytes = try JPEGPhotoWriter().bytes(of: PhotoContents(reading: source))
    let image = try JPEGFile(bytes[...]).primary
    #expect(image.extendedXMP.isEmpty && !bytes.containsText("HasExtendedXMP"))
    #expect(try image.xmpPacket()?[Self.settings, "Version"]?.text == "15")
  }

  @Test("Images inside metadata go, and larger ones by name")
  func previews() throws {
    var metadata = try PhotoContents(
      reading: Self.jpeg("crs:Mask=\"m\" GImage:Data=\"AAAA\" GImage:Mime=\"image/jpeg\"")
    ).metadata
    metadata.exif = SamplePhotos.exif(orientation: 1)
    metadata.xmp = Array(
      Self.packet(
        "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmp:Thumbnails=\"t\" xmp:Rating=\"3\""
      )
      .utf8)
    let names = try metadata.removePreviews()
    #expect(names == ["the image inside XMP (GImage)"])
    let thumbnail: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 4, 5, 0xFF, 0xD9]
    #expect(metadata.exif?.firstRange(of: thumbnail) == nil)
    let main = try XMPPacket(try #require(metadata.xmp))
    #expect(main["http://ns.adobe.com/xap/1.0/", "Thumbnails"] == nil)
    #expect(main["http://ns.adobe.com/xap/1.0/", "Rating"]?.text == "3")
    #expect(metadata.extendedXMP?.names == [Self.settings + "Mask"])
    // What is no XMP stays what it is, and a packet of images alone goes whole.
    metadata.xmp = [1, 2, 3]
    metadata.extendedXMP = ExtendedXMP(bytes: Array(Self.packet("GImage:Data=\"A\"").utf8))
    #expect(try metadata.removePreviews().count == 1)
    #expect(metadata.xmp == [1, 2, 3] && metadata.extendedXMP == nil)
  }

  @Test("HEIC says nothing of packets and images that are not in it")
  func heic() throws {
    var contents = try PhotoContents(reading: Self.jpeg("crs:Mask=\"m\""))
    contents.metadata.xmp = Array(
      Self.packet(
        "crs:Version=\"15\" GDepth:Format=\"RangeInverse\" xmpNote:HasExtendedXMP=\"\(Self.name)\""
      ).utf8)
    let options = PhotoWritingOptions(hevc: .raw)
    let bytes = try HEIFPhotoWriter().bytes(of: contents, options: options)
    let packet = try XMPPacket(try #require(PhotoContents(reading: bytes).metadata.xmp))
    #expect(packet.properties.keys.map(\.local) == ["Version"])
    // A packet without any of that keeps its bytes.
    contents.metadata.xmp = Array(Self.packet("crs:Version=\"15\"").utf8)
    let plain = try HEIFPhotoWriter().bytes(of: contents, options: options)
    #expect(try PhotoContents(reading: plain).metadata.xmp == contents.metadata.xmp)
  }
}
