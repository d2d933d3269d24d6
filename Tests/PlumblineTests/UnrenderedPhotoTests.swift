import Plumbline
import PlumblineTestSupport
import Testing

@testable import PlumblineIO
@testable import PlumblineImages

/// The image before the phone's blur, which a file may hold beside the blurred one (`GImage:Data`).
@Suite struct UnrenderedPhotoTests {
  private static let size = RasterSize(width: 64, height: 48)

  /// A photo with depth whose extended XMP holds what is given.
  private static func photo(data: String) throws -> EffectPhoto {
    var contents = PhotoContents(
      color: Raster(size: size, repeating: RGB8(red: 90, green: 90, blue: 90)))
    contents.depth = PhotoDepth(
      codes: .uint8(Raster(size: RasterSize(width: 32, height: 24)) { x, y in UInt8(5 * x + y) }),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 0.5, maximumValue: 3), quantity: .disparity)
    contents.metadata.extendedXMP = ExtendedXMP(
      bytes: Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:GImage="http://ns.google.com/photos/1.0/image/" GImage:Mime="image/jpeg" \
        GImage:Data="\(data)"/></rdf:RDF></x:xmpmeta>
        """.utf8))
    return try EffectPhoto(JPEGPhotoWriter().bytes(of: contents), fileName: "photo.jpg")
  }

  /// A file of stripes.
  private static func original(_ size: RasterSize) throws -> [UInt8] {
    let stripes = Raster(size: size) { x, _ in
      x / 8 % 2 == 0 ? RGB8(red: 200, green: 200, blue: 200) : RGB8(red: 20, green: 20, blue: 20)
    }
    return try JPEGEncoder(quality: 95).encoded(stripes)
  }

  @Test("A blur starts from it, other effects from the photo")
  func used() throws {
    let photo = try Self.photo(data: Base64.encoded(Self.original(Self.size)))
    let scene = try photo.scene(for: "blur")
    #expect(scene.isUnrendered && scene.findings.isEmpty)
    #expect(scene.color[4, 20].red > 180 && scene.color[12, 20].red < 40)
    let other = try photo.scene(for: "fog")
    #expect(!other.isUnrendered && abs(Int(other.color[4, 20].red) - 90) < 4)
  }

  @Test(
    "One that cannot be used is a finding with its reason", arguments: ["letters", "cut", "size"])
  func unusable(_ damage: String) throws {
    let whole = try Self.original(Self.size)
    let (data, reason) =
      switch damage {
      case "letters": ("!!\(Base64.encoded(whole))", "damaged")
      case "cut": (Base64.encoded(Array(whole.prefix(40))), "damaged")
      default:
        (Base64.encoded(try Self.original(RasterSize(width: 32, height: 24))), "another size")
      }
    let photo = try Self.photo(data: data)
    let scene = try photo.scene(for: "blur")
    #expect(!scene.isUnrendered && abs(Int(scene.color[4, 20].red) - 90) < 4)
    #expect(scene.findings.map(\.code) == [.photoOriginalUnusable])
    #expect(scene.findings.first?.message.contains(reason) == true, "\(scene.findings)")
    #expect(try photo.scene(for: "fog").findings.isEmpty)
  }
}
