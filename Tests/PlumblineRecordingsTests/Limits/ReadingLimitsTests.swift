import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
/// Each limit is read: a sound file passes the usual limits and exceeds that one when it is lowered.
@Suite struct ReadingLimitsTests {
  /// A limit that is lowered, and what reads a sound file under limits.
  struct Case: Sendable, CustomTestStringConvertible {
    let limit: String
    let lower: @Sendable (inout ReadingLimits) -> Void
    let read: @Sendable (ReadingLimits) throws -> Void

    init(
      _ limit: String, _ path: any WritableKeyPath<ReadingLimits, Int> & Sendable, _ value: Int,
      _ read: @escaping @Sendable (ReadingLimits) throws -> Void
    ) {
      self.limit = limit
      lower = { $0[keyPath: path] = value }
      self.read = read
    }

    var testDescription: String { limit }
  }

  /// Limits that refuse nothing, and what tests them instead.
  private static let others = [
    "mcapCacheBytes": "a budget: chunks beyond it are read again (cache() below)",
    "mcapSummaryBytes": "a file with a longer summary is read without its index (summary() below)",
    "brands": "brands beyond it are ignored (brands() below)",
    "json": "limits of their own (JSONReaderTests)",
    "codecs": "no count (IsolatedDecodingTests)",
    "unbackedJPEGPixels": "a claim is refused above it only (JPEGClaimTests)",
  ]

  @Test("Every limit is in the table")
  func complete() {
    let names = Set(Mirror(reflecting: ReadingLimits()).children.compactMap(\.label))
    let tested = Set(Self.cases.map(\.limit)).union(Self.others.keys)
    #expect(names == tested, "\(names.symmetricDifference(tested).sorted())")
    #expect(Set(Self.cases.map(\.limit)).isDisjoint(with: Self.others.keys))
  }

  @Test("A sound file passes, and is refused by a lower limit", arguments: cases)
  func limit(_ limit: Case) throws {
    try limit.read(ReadingLimits())
    var lowered = ReadingLimits()
    limit.lower(&lowered)
    let error = #expect(throws: CaptureReadingError.self) { try limit.read(lowered) }
    #expect(error?.reason == .limitExceeded, "\(String(describing: error))")
    #expect(error?.found.isEmpty == false)
  }

  @Test func brands() throws {
    let bytes = Self.heif().bytes
    #expect(try HEIFFile(bytes: bytes).brands.count == 3)
    var limits = ReadingLimits()
    limits.brands = 2
    #expect(try HEIFFile(bytes: bytes, limits: limits).brands.count == 2)
  }

  @Test func cache() throws {
    let file = try MCAPSamples.file(SampleCaptures.frames(3))
    func depths(_ limits: ReadingLimits) throws -> [String] {
      let recording = try MCAPSamples.recording(file, limits: limits)
      return try [0, 1, 2, 0].map { String(describing: try recording.capture(at: $0).depth) }
    }
    var limits = ReadingLimits()
    limits.mcapCacheBytes = 1
    #expect(try depths(limits) == depths(ReadingLimits()))
  }

  @Test func summary() throws {
    let file = try MCAPSamples.file(SampleCaptures.frames(3))
    #expect(try MCAPSamples.recording(file).findings.isEmpty)
    var limits = ReadingLimits()
    limits.mcapSummaryBytes = 100
    let recording = try MCAPSamples.recording(file, limits: limits)
    #expect(recording.frames.count == 3)
    #expect(recording.findings.map(\.code) == [.sequenceWithoutIndex])
    #expect(recording.findings.contains { "\($0.message) \($0.evidence)".contains("100") })
  }
}

// MARK: Files

extension ReadingLimitsTests {
  /// A photo with a depth map whose numbers are in XMP.
  private static func photo() throws -> [UInt8] {
    var contents = PhotoContents(
      color: Raster(size: RasterSize(width: 64, height: 48)) { x, y in
        RGB8(red: UInt8(x), green: UInt8(y), blue: 9)
      })
    contents.depth = PhotoDepth(
      codes: .uint8(Raster(size: RasterSize(width: 32, height: 24)) { x, y in UInt8(x + y) }),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 1, maximumValue: 2), quantity: .disparity)
    return try JPEGPhotoWriter().bytes(of: contents)
  }

  private static func readPhoto(_ limits: ReadingLimits) throws {
    _ = try CaptureReader(limits: limits).capture(from: photo())
  }

  private static let gray = Raster(size: RasterSize(width: 8, height: 8), repeating: UInt8(100))

  private static func jpeg() throws -> [UInt8] { try JPEGEncoder(quality: 80).encoded(gray) }

  /// Three items: the first is derived from the second, which is derived from the third; that one has three
  /// properties and three extents.
  private static func heif() -> HEIFBuilder {
    var builder = HEIFBuilder()
    let properties = [
      builder.addSize(8, 8), builder.addAuxiliaryType("urn:a"), builder.addAuxiliaryType("urn:b"),
    ]
    builder.items = [
      HEIFBuilder.Item(1, "iden", []), HEIFBuilder.Item(2, "iden", []),
      HEIFBuilder.Item(3, "mime", Array("text".utf8), properties: properties),
    ]
    builder.items[2].contentType = "application/rdf+xml"
    builder.items[2].extentLengths = [1, 1, 2]
    builder.references = [("dimg", 1, [2]), ("dimg", 2, [3]), ("cdsc", 3, [1, 2])]
    return builder
  }

  private static func readHEIF(_ limits: ReadingLimits) throws {
    _ = try HEIFFile(bytes: heif().bytes, limits: limits)
  }

  private static let xmp = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:a="urn:a" a:b="1" a:c="2"/></rdf:RDF></x:xmpmeta>
    """.utf8)

  private static func readXMP(_ limits: ReadingLimits) throws {
    _ = try XMPPacket(xmp[...], limits: limits)
  }

  /// Two files of a megabyte of zeros, which pack 1000:1.
  private static func readArchive(_ limits: ReadingLimits) throws {
    let output = MemoryOutput()
    var writer = ZIPWriter(file: try output.makeFile("a"))
    for name in ["one", "two"] {
      let zeros = [UInt8](repeating: 0, count: 1 << 20)
      try writer.add(name, zeros, method: .deflated(level: 9))
    }
    try writer.finish()
    let source = MemoryBytes(try output.folder.bytes(of: "a"))
    _ = try ZIPArchive(source, limits: limits).bytes(of: "one")
  }

  /// A file of runs of 16 equal bytes, which packs some 7:1, where the ratio counts for any length.
  private static func readModeratelyPackedArchive(_ limits: ReadingLimits) throws {
    let output = MemoryOutput()
    var writer = ZIPWriter(file: try output.makeFile("a"))
    try writer.add(
      "runs", (0..<4096).map { UInt8(truncatingIfNeeded: 37 * ($0 / 16)) },
      method: .deflated(level: 9))
    try writer.finish()
    var limits = limits
    limits.archiveRatioBytes = 1
    let source = MemoryBytes(try output.folder.bytes(of: "a"))
    _ = try ZIPArchive(source, limits: limits).bytes(of: "runs")
  }

  private static func readVideo(_ limits: ReadingLimits) throws {
    _ = try MP4Video(MemoryBytes(SampleMP4.video(3)), limits: limits)
  }

  private static func readMCAP(_ limits: ReadingLimits) throws {
    let recording = try MCAPSamples.recording(
      MCAPSamples.file(SampleCaptures.frames(3)), limits: limits)
    _ = try recording.capture(at: 0)
  }

  private static func readFrames(_ limits: ReadingLimits) throws {
    _ = try Recording(folder: RecordedFiles.dump([1, 2, 3]), limits: limits)
  }

  private static func readPLY(_ limits: ReadingLimits) throws {
    _ = try CaptureReader(limits: limits).capture(from: RecordedFiles.plyFrame())
  }

  /// A block with one directory of three entries.
  private static let tiff: [UInt8] =
    Array("II*\0".utf8) + [8, 0, 0, 0, 3, 0]
    + [1, 2, 3].flatMap { tag -> [UInt8] in [tag, 1, 3, 0, 1, 0, 0, 0, tag, 0, 0, 0] }
    + [0, 0, 0, 0]

  static let cases: [Case] = [
    Case("fileBytes", \.fileBytes, 1 << 19, readArchive),
    Case("colorPixels", \.colorPixels, 64 * 48 - 1, readPhoto),
    Case("auxiliaryPixels", \.auxiliaryPixels, 32 * 24 - 1, readPhoto),
    Case("auxiliaryXMLNodes", \.auxiliaryXMLNodes, 1, readPhoto),
    Case("decodedBytes", \.decodedBytes, 63) { limits in
      let png = PNGEncoder().encoded(gray)
      _ = try PNGImage(png[...], maximumPixels: 64, limits: limits)
    },
    Case("derivationDepth", \.derivationDepth, 0) { limits in
      // What the chain leads to is no image; the depth is checked before that.
      do throws(CaptureReadingError) {
        let file = try HEIFFile(bytes: heif().bytes, limits: limits)
        _ = try HEIFComposition(of: 1, in: file, maximumPixels: 64)
      } catch {
        if error.reason == .limitExceeded { throw error }
      }
    },
    Case("items", \.items, 2, readHEIF), Case("properties", \.properties, 2, readHEIF),
    Case("references", \.references, 1, readHEIF), Case("extents", \.extents, 2, readHEIF),
    Case("boxChildren", \.boxChildren, 2, readHEIF),
    Case("stringBytes", \.stringBytes, 4, readHEIF),
    Case("metadataBytes", \.metadataBytes, xmp.count - 1, readXMP),
    Case("exifEntries", \.exifEntries, 2) { limits in
      _ = try ExifMetadata(tiff: tiff[...], limits: limits)
    },
    Case("xmlDepth", \.xmlDepth, 2, readXMP), Case("xmlNodes", \.xmlNodes, 3, readXMP),
    Case("auxiliaryImages", \.auxiliaryImages, 1) { limits in
      var builder = heif()
      builder.references = [("auxl", 2, [1]), ("auxl", 3, [1])]
      _ = try HEIFFile(bytes: builder.bytes, limits: limits).auxiliaries()
    },
    Case("jpegSegments", \.jpegSegments, 3) { limits in
      _ = try JPEGFile(jpeg()[...], limits: limits)
    },
    Case("jpegScans", \.jpegScans, 0) { limits in
      _ = try JPEGFile(jpeg()[...], limits: limits).primary.color(limits: limits)
    },
    Case("jpegImages", \.jpegImages, 2) { limits in
      let image = try jpeg()
      let bytes = JPEGFileBuilder.file(primary: image, others: [image, image])
      _ = try JPEGFile(bytes[...], limits: limits)
    },
    Case("jpegFalseStarts", \.jpegFalseStarts, 2) { limits in
      let bytes = try jpeg() + [[UInt8]](repeating: [0xFF, 0xD8, 0xFF], count: 3).joined()
      _ = try JPEGFile(bytes[...], limits: limits)
    },
    Case("plyHeaderBytes", \.plyHeaderBytes, 40, readPLY),
    Case("plyElements", \.plyElements, 1, readPLY),
    Case("cloudPoints", \.cloudPoints, 1) { limits in
      let text =
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
        + "property float z\nend_header\n0 0 1\n0 1 1\n"
      _ = try PLYPoints(Array(text.utf8)[...], limits: limits)
    },
    Case("sequenceFrames", \.sequenceFrames, 2, readFrames),
    Case("folderFiles", \.folderFiles, 3, readFrames),
    Case("motionSamples", \.motionSamples, 1) { limits in
      let names = "timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z"
      let rows = "\(names)\n1,1,1,1,0,0,0\n2,1,1,1,0,0,0\n"
      _ = try StrayMotion.samples(Array(rows.utf8), limits: limits)
    },
    Case("videoImages", \.videoImages, 2, readVideo),
    Case("videoIndexBytes", \.videoIndexBytes, 100, readVideo),
    Case("videoImageBytes", \.videoImageBytes, 7, readVideo),
    Case("mcapMessages", \.mcapMessages, 2, readMCAP),
    Case("archiveEntries", \.archiveEntries, 1, readArchive),
    Case("archiveBytes", \.archiveBytes, 3 << 19, readArchive),
    Case("archiveInflatedBytes", \.archiveInflatedBytes, 1 << 19, readArchive),
    Case("archiveRatioBytes", \.archiveRatioBytes, 1 << 19, readArchive),
    Case("archiveRatio", \.archiveRatio, 1, readModeratelyPackedArchive),
  ]
}
