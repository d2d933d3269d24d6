import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams
import PlumblineTestSupport
import Testing

/// What a changed JPEG photo keeps, byte for byte.
@Suite("JPEG photo editing")
struct JPEGPhotoEditingTests {
  static let writer = JPEGPhotoWriter()

  static func edit(_ change: (inout PhotoEdit) -> Void) -> PhotoEdit {
    var edit = PhotoEdit()
    change(&edit)
    return edit
  }

  static let strip = edit { $0.depth = .remove }

  /// Every segment of the primary image but the index, and its compressed data.
  static func parts(_ image: JPEGImage) -> [[UInt8]] {
    var parts = image.segments.map { [$0.marker.rawValue] + image.bytes[$0.payload] }
    parts.removeAll { $0.starts(with: [0xE2] + Array("MPF\0".utf8)) }
    let scan = image.segments.first { $0.marker == .startOfScan }
    return parts + [Array(image.bytes[(scan?.payload.upperBound ?? 0)...])]
  }

  /// Whether every entry of the index names an image that is there, with its length.
  static func expectRightIndex(_ bytes: [UInt8]) throws {
    let file = try JPEGFile(bytes[...])
    #expect(!file.notes.contains { $0.code.rawValue.contains("ultiPicture") }, "\(file.notes)")
    #expect(!file.notes.contains { $0.code == .imageFoundByScanning }, "\(file.notes)")
  }

  @Test("A file whose index is right comes back as it is, and a wrong index comes back right")
  func noChange() throws {
    let bytes = try Self.writer.bytes(of: SamplePhotos.photo(1))
    #expect(try Self.writer.edited(bytes, PhotoEdit()) == bytes)
    let images = try JPEGFile(bytes[...]).images
    let primary = try JPEGEncoder(quality: 90).encoded(SamplePhotos.image(1))
    let others = images.dropFirst().map { Array($0.bytes) }
    for endianness in [ByteReader.Endianness.big, .little] {
      let right = JPEGFileBuilder.file(primary: primary, others: others, endianness: endianness)
      #expect(try Self.writer.edited(right, PhotoEdit()) == right)
      let wrong = JPEGFileBuilder.file(
        primary: primary, others: others, endianness: endianness, lengthError: -224)
      #expect(try Self.writer.edited(wrong, PhotoEdit()) == right)
    }
  }

  @Test("Depth goes and comes; all else stays byte for byte", arguments: 0..<6)
  func depthChanges(seed: UInt64) throws {
    let bytes = try Self.writer.bytes(of: SamplePhotos.photo(seed))
    let before = try JPEGFile(bytes[...])
    let stripped = try Self.writer.edited(bytes, Self.strip)
    try Self.expectRightIndex(stripped)
    let after = try JPEGFile(stripped[...])
    #expect(Self.parts(after.primary) == Self.parts(before.primary))
    #expect(after.images.count == before.images.count - 1)
    #expect(
      after.images.dropFirst().map { Array($0.bytes) }
        == before.images.dropFirst().map { Array($0.bytes) }.enumerated()
        .filter { $0.offset != 1 }.map(\.element))
    #expect(try CaptureReader().capture(from: stripped).depth == nil)
    #expect(try Self.writer.edited(stripped, Self.strip) == stripped)

    let depth = SamplePhotos.depth(seed + 100)
    let replaced = try Self.writer.edited(bytes, JPEGPhotoWriterTests.replacing(depth))
    try Self.expectRightIndex(replaced)
    try JPEGPhotoWriterTests.expectSame(
      try PhotoContents(reading: replaced).depth, depth, seed)
    #expect(Self.parts(try JPEGFile(replaced[...]).primary) == Self.parts(before.primary))
    // Putting the first map back gives the first file back.
    let original = try #require(try PhotoContents(reading: bytes).depth)
    let again = try Self.writer.edited(replaced, JPEGPhotoWriterTests.replacing(original))
    #expect(again == bytes)
  }

  @Test("Mattes and gain maps go alone, and with the last image the index goes too")
  func companions() throws {
    let bytes = try Self.writer.bytes(of: SamplePhotos.photo(2))
    let noMattes = try Self.writer.edited(bytes, Self.edit { $0.keepsMattes = false })
    try Self.expectRightIndex(noMattes)
    let capture = try CaptureReader().capture(from: noMattes)
    #expect(capture.mattes.isEmpty && capture.depth != nil && capture.gainMap != nil)
    let noGain = try Self.writer.edited(bytes, Self.edit { $0.keepsGainMap = false })
    #expect(try CaptureReader().capture(from: noGain).gainMap == nil)
    #expect(try CaptureReader().capture(from: noGain).mattes.count == 6)
    let bare = try Self.writer.edited(
      bytes,
      Self.edit {
        $0.depth = .remove
        $0.keepsMattes = false
        $0.keepsGainMap = false
      })
    let file = try JPEGFile(bare[...])
    #expect(file.images.count == 1 && file.primary.multiPictureIndex == nil && file.trailer == nil)
    let depth = SamplePhotos.depth(2)
    let attached = try Self.writer.edited(bare, JPEGPhotoWriterTests.replacing(depth))
    try Self.expectRightIndex(attached)
    #expect(try Self.writer.edited(attached, Self.strip) == bare)
  }

  @Test(
    "A new orientation changes Exif and XMP in their places", arguments: ImageOrientation.allCases)
  func orientation(orientation: ImageOrientation) throws {
    let bytes = try Self.writer.bytes(of: SamplePhotos.photo(3))
    let turned = try Self.writer.edited(bytes, Self.edit { $0.orientation = orientation })
    #expect(turned.count == bytes.count)
    #expect(zip(turned, bytes).count { $0 != $1 } <= 2)
    let capture = try CaptureReader(color: .none).capture(from: turned)
    #expect(capture.colorOrientation == orientation)
    #expect(capture.depth?.orientation == orientation)
    #expect(turned.containsText("tiff:Orientation=\"\(orientation.rawValue)\""))
    let bare = try JPEGEncoder(quality: 80).encoded(SamplePhotos.image(3))
    let given = try Self.writer.edited(bare, Self.edit { $0.orientation = orientation })
    #expect(try CaptureReader().capture(from: given).colorOrientation == orientation)
    #expect(Array(given.suffix(bare.count - 20)) == Array(bare.suffix(bare.count - 20)))
  }

  @Test("GDepth beside another map in one extended packet: the other stays, the names follow")
  func extended() throws {
    let rest = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:GImage="http://ns.google.com/photos/1.0/image/" \
      xmlns:D="http://ns.google.com/photos/1.0/depthmap/" D:Data="AAAA" GImage:Data="BBBB"/>\
      </rdf:RDF></x:xmpmeta>
      """
    let guid = "0123456789ABCDEF0123456789ABCDEF"
    let main = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:D="http://ns.google.com/photos/1.0/depthmap/" \
      xmlns:xmpNote="http://ns.adobe.com/xmp/note/" D:Format="RangeLinear" D:Near="1" D:Far="2" \
      D:Mime="image/png" xmpNote:HasExtendedXMP="\(guid)"/></rdf:RDF></x:xmpmeta>
      """
    let image = try JPEGEncoder(quality: 80).encoded(SamplePhotos.image(4))
    let bytes = JPEGFileBuilder.inserting(
      JPEGFileBuilder.xmp(main) + JPEGFileBuilder.extendedXMP(rest, guid: guid, chunk: 100),
      into: image)
    let stripped = try Self.writer.edited(bytes, Self.strip)
    let packet = try #require(try JPEGFile(stripped[...]).primary.xmpPacket())
    #expect(packet["http://ns.google.com/photos/1.0/image/", "Data"]?.text == "BBBB")
    #expect(!packet.properties.keys.contains { $0.namespace.hasSuffix("depthmap/") })
    let file = try JPEGFile(stripped[...])
    #expect(file.primary.extendedXMP.count == 1)
    #expect(file.primary.extendedXMP[0].guid != guid)
    // A map in the same packet as what was there.
    let depth = SamplePhotos.depth(4)
    let options = PhotoWritingOptions(depthLayout: .googleDepth)
    let again = try Self.writer.edited(
      stripped, JPEGPhotoWriterTests.replacing(depth), options: options)
    #expect(try PhotoContents(reading: again).depth?.codes == depth.codes)
    let merged = try #require(try JPEGFile(again[...]).primary.xmpPacket())
    #expect(merged["http://ns.google.com/photos/1.0/image/", "Data"]?.text == "BBBB")
  }

  /// A photo with a gain map and a video behind it, as Android writes them.
  static func motionPhoto() throws -> (bytes: [UInt8], gain: [UInt8], video: [UInt8]) {
    let gain = try JPEGEncoder(quality: 70).encoded(SamplePhotos.image(6))
    let video = Array("\0\0\0\u{18}ftypmp42film".utf8) + [0xFF, 0xD8, 0xFF, 9, 9, 9]
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF \
      xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="" \
      xmlns:C="http://ns.google.com/photos/1.0/container/" \
      xmlns:I="http://ns.google.com/photos/1.0/container/item/" \
      xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"><C:Directory><r:Seq>\
      <r:li r:parseType="Resource"><C:Item I:Semantic="Primary" I:Mime="image/jpeg"/></r:li>\
      <r:li r:parseType="Resource"><C:Item I:Semantic="GainMap" I:Mime="image/jpeg" \
      I:Length="\(gain.count)"/></r:li><r:li r:parseType="Resource"><C:Item \
      I:Semantic="MotionPhoto" I:Mime="video/mp4" I:Length="\(video.count)"/></r:li></r:Seq>\
      </C:Directory></r:Description></r:RDF></x:xmpmeta>
      """
    let primary = try JPEGEncoder(quality: 80).encoded(SamplePhotos.image(5))
    let head = JPEGFileBuilder.inserting(JPEGFileBuilder.xmp(packet), into: primary)
    return (head + gain + video, gain, video)
  }

  @Test(
    "A directory of appended images still finds each of them",
    arguments: PhotoWritingOptions.DepthLayout.allCases)
  func directory(layout: PhotoWritingOptions.DepthLayout) throws {
    let (bytes, gain, video) = try Self.motionPhoto()
    func items(_ bytes: [UInt8]) throws -> [[UInt8]] {
      let file = try JPEGFile(bytes[...])
      let packet = try #require(try file.primary.xmpPacket())
      // The later directory alone, as readers of videos look for it.
      var copy = packet.properties
      copy = copy.filter { $0.key.local == "Directory" }
      let later = try #require(copy.values.first)
      var start = file.primary.range.upperBound
      return later.items.enumerated().compactMap { number, item in
        let fields = item["http://ns.google.com/photos/1.0/container/", "Item"] ?? item
        let name = "http://ns.google.com/photos/1.0/container/item/"
        if number == 0 {
          start += Int(fields[name, "Padding"]?.number ?? 0)
          return nil
        }
        let length = Int(fields[name, "Length"]?.number ?? 0)
        defer { start += length }
        return Array(bytes[start..<start + length])
      }
    }
    #expect(try items(bytes) == [gain, video])
    let depth = SamplePhotos.depth(7, quantity: .depth)
    let options = PhotoWritingOptions(depthLayout: layout)
    let attached = try Self.writer.edited(
      bytes, JPEGPhotoWriterTests.replacing(depth), options: options)
    #expect(try items(attached) == [gain, video])
    #expect(attached.suffix(video.count) == video[...])
    #expect(try PhotoContents(reading: attached).depth?.codes == depth.codes)
    let stripped = try Self.writer.edited(attached, Self.strip)
    #expect(try items(stripped) == [gain, video])
    #expect(try PhotoContents(reading: stripped).depth == nil)
    let noGain = try Self.writer.edited(attached, Self.edit { $0.keepsGainMap = false })
    #expect(try items(noGain) == [video])
    #expect(!noGain.containsText("hdrgm:Version"))
    #expect(try PhotoContents(reading: noGain).depth?.codes == depth.codes)
  }

  @Test("Bytes that nobody knows, and what follows the last image, stay")
  func unknown() throws {
    var bytes = try Self.writer.bytes(of: SamplePhotos.photo(8))
    let arot = JPEGFileBuilder.segment(10, "AROT", [0, 1, 2, 3])
    bytes = JPEGFileBuilder.inserting(arot, into: bytes) + Array("trailer SEFT".utf8)
    let depth = SamplePhotos.depth(9)
    for edit in [Self.strip, JPEGPhotoWriterTests.replacing(depth)] {
      let edited = try Self.writer.edited(bytes, edit)
      try Self.expectRightIndex(edited)
      let file = try JPEGFile(edited[...])
      #expect(file.primary.payloads(of: .application(10)).count == 1)
      #expect(file.trailer?.kind == .samsung)
      #expect(edited.suffix(12).elementsEqual("trailer SEFT".utf8))
    }
  }

  @Test("Damaged packets are refused where they must change")
  func damagedPackets() throws {
    let image = try JPEGEncoder(quality: 80).encoded(SamplePhotos.image(4))
    let doctype = "<!DOCTYPE x [<!ENTITY a \"b\">]><x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>"
    for packet in ["<x:xmpmeta", "", doctype] {
      let bytes = JPEGFileBuilder.inserting(JPEGFileBuilder.xmp(packet), into: image)
      #expect(try Self.writer.edited(bytes, PhotoEdit()) == bytes)
      #expect(throws: PhotoWritingError.self) { try Self.writer.edited(bytes, Self.strip) }
    }
    #expect(throws: PhotoWritingError.self) { try Self.writer.edited([], Self.strip) }
    #expect(throws: PhotoWritingError.self) {
      try Self.writer.edited(Array(image.dropLast(40)), Self.strip)
    }
  }

  @Test("Damaged files are refused or changed, and what comes out can be read as well as they")
  func hostile() throws {
    let depth = SamplePhotos.depth(1)
    var photo = SamplePhotos.photo(11)
    photo.mattes = Array(photo.mattes.prefix(1))
    photo.metadata.iccProfile = nil
    var seeds: [[UInt8]] = [try Self.motionPhoto().bytes]
    for layout in PhotoWritingOptions.DepthLayout.allCases {
      seeds.append(
        try Self.writer.bytes(of: photo, options: PhotoWritingOptions(depthLayout: layout)))
    }
    let edits = [
      Self.strip, JPEGPhotoWriterTests.replacing(depth), PhotoEdit(),
      Self.edit {
        $0.orientation = .right
        $0.keepsGainMap = false
      },
    ]
    for (number, bytes) in seeds.enumerated() {
      let damaged =
        ByteDamage.truncations(of: bytes.count, steps: 20).map { Array(bytes[..<$0]) }
        + (0..<40).map { ByteDamage.flipped(bytes, seed: $0, within: 4096) }
        + (0..<40).map { ByteDamage.flipped(bytes, seed: $0) }
      for (place, damaged) in damaged.enumerated() {
        let edit = edits[(number + place) % edits.count]
        let layout = PhotoWritingOptions.DepthLayout.allCases[place % 3]
        let options = PhotoWritingOptions(depthLayout: layout)
        guard let edited = try? Self.writer.edited(damaged, edit, options: options) else {
          continue
        }
        let file = try JPEGFile(edited[...])
        #expect(file.primary.isComplete)
        if case .remove = edit.depth {
          #expect((try? CaptureReader(color: .none).capture(from: edited))?.depth == nil)
        }
      }
    }
  }
}
