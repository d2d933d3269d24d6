import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// What libheif says of a file; see `heif_written.py`.
private struct PeerAnswer: Decodable {
  struct Depth: Decodable {
    struct Metadata: Decodable {
      // swift-format-ignore: the peer's names
      var d_min: Double?
      var d_max: Double?
      var z_near: Double?
      var z_far: Double?
    }
    var size: [Int]
    var mode: String
    var metadata: Metadata?
  }
  var size: [Int]
  var exif: String
  var xmp: String
  var icc: String
  var depth: [Depth]
  var auxiliaries: [String: [Int]]
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

@Suite(
  "HEIF: what is written, read by libheif",
  .enabled(
    if: PythonPeer.has("pillow_heif"), Comment(rawValue: PythonPeer.absence("pillow_heif"))))
struct HEIFWritingPeerTests {
  private func answer(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> PeerAnswer {
    try folder.put(bytes, at: "photo.heic")
    let output = try PythonPeer.run("heif_written.py", folder.file("photo.heic"), folder.path)
    return try JSONDecoder().decode(PeerAnswer.self, from: Data(output))
  }

  private func contents(bitDepth: Int) -> PhotoContents {
    var contents = PhotoContents(color: colorful(150, 130))
    contents.metadata.orientation = .right
    contents.metadata.exif = SampleContents.exif(orientation: .right)
    contents.metadata.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    contents.metadata.iccProfile = (0..<132).map { UInt8($0) }
    let codes = mixedCodes(96, 64, bitDepth: bitDepth, seed: 9)
    var depth = PhotoDepth(
      codes: bitDepth == 8 ? .uint8(codes.map { UInt8($0) }) : .uint16(codes, bitDepth: bitDepth),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: (1 << bitDepth) - 1, minimumValue: 0.5, maximumValue: 3.25),
      quantity: .disparity)
    depth.accuracy = .absolute
    depth.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [120, 120], principalPoint: [74.5, 64.5],
        size: RasterSize(width: 150, height: 130)), pixelSizeMillimeters: 0.001)
    contents.depth = depth
    let coverage = mixedCodes(75, 65, bitDepth: 8, seed: 10).map { UInt8($0) }
    contents.mattes = [Matte(kind: .hair, coverage: coverage, orientation: .right)]
    return contents
  }

  private func check(_ bitDepth: Int, _ hevc: PhotoWritingOptions.HEVCCoding) throws {
    let contents = contents(bitDepth: bitDepth)
    let bytes = try HEIFPhotoWriter().bytes(
      of: contents, options: PhotoWritingOptions(companionCoding: .lossless, hevc: hevc))
    let folder = try TemporaryFolder()
    let found = try answer(bytes, folder)
    // libheif turns the image upright, and its companions.
    #expect(found.size == [130, 150])
    #expect(found.exif.hasSuffix(hexadecimal(try #require(contents.metadata.exif))))
    #expect(Array(found.xmp.utf8) == contents.metadata.xmp)
    #expect(found.icc == hexadecimal(try #require(contents.metadata.iccProfile)))
    #expect(found.depth.first?.size == [64, 96])
    #expect(found.depth.first?.metadata?.d_min == 0.5)
    #expect(found.depth.first?.metadata?.d_max == 3.25)
    #expect(found.auxiliaries == ["urn:com:apple:photo:2019:aux:semantichairmatte": [65, 75]])
    let samples = try #require(contents.depth).codes
    var expected: [UInt8] = []
    switch samples {
    case .uint8(let raster): expected = raster.oriented(by: .right).samples
    case .uint16(let raster, let bits):
      for code in raster.oriented(by: .right).samples {
        expected.appendLittleEndian(code << UInt16(16 - bits))
      }
    }
    #expect(folder.bytes("depth") == expected)
  }

  // Not 16 bits: `hvcC` counts to 15 (three bits above 8), and libheif compares; nor 14, which
  // pillow_heif shifts as if they were 10.
  @Test("Raw depth, its range, matte and metadata", arguments: [8, 10, 12])
  func raw(bitDepth: Int) throws { try check(bitDepth, .raw) }

  @Test(
    "The same coded by x265", .enabled(if: hasX265, x265Absence), arguments: [8, 10, 12])
  func x265(bitDepth: Int) throws { try check(bitDepth, .x265) }

  @Test(
    "Real photos with another depth map: libheif finds the new one and the old mattes",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)),
    arguments: ["pug.heic", "truedepth_iphone14.heic", "spatial_photo.heic"])
  func edited(photo: String) throws {
    var edit = PhotoEdit()
    let depth = try #require(contents(bitDepth: 8).depth)
    edit.depth = .replace(depth)
    let original = try RealData.bytes("photos/\(photo)")
    let bytes = try HEIFPhotoWriter().edited(original, edit, options: SampleContents.raw)
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    let before = try answer(original, first)
    let after = try answer(bytes, second)
    #expect(after.depth.count == 1 && after.depth.first?.metadata?.d_max == 3.25)
    #expect(after.auxiliaries == before.auxiliaries && after.exif == before.exif)
    #expect(after.icc == before.icc && after.xmp == before.xmp && after.size == before.size)
  }

  @Test("A depth map is added to a file of libheif's own encoder, whose image stays as it is")
  func foreign() throws {
    let folder = try TemporaryFolder()
    _ = try PythonPeer.evaluate(
      """
      import sys, pillow_heif
      from PIL import Image
      image = Image.linear_gradient("L").convert("RGB")
      pillow_heif.from_pillow(image).save(sys.argv[1], quality=60, exif=b"Exif\\0\\0MM\\0*\\0\\0\\0\\x08\\0\\0\\0\\0\\0\\0")
      """, folder.file("foreign.heic"))
    let original = try #require(folder.bytes("foreign.heic"))
    var edit = PhotoEdit()
    edit.depth = .replace(try #require(contents(bitDepth: 8).depth))
    let bytes = try HEIFPhotoWriter().edited(original, edit, options: SampleContents.raw)
    let comparison = try HEIFComparison(original, bytes)
    #expect(comparison.removed == [] && comparison.changed == [] && comparison.boxes == [])
    let found = try answer(bytes, folder)
    #expect(found.depth.first?.metadata?.d_min == 0.5 && found.size == [256, 256])
    edit.depth = .remove
    let removed = try HEIFPhotoWriter().edited(bytes, edit)
    let back = try HEIFComparison(original, removed)
    #expect(back.added == [] && back.removed == [] && back.changed == [] && back.links == [])
  }

  private static let hasExifTool = (try? ProgramFile(named: "exiftool")) != nil

  @Test("exiftool reads what the depth's own XMP says", .enabled(if: hasExifTool, "no exiftool"))
  func exiftool() throws {
    let bytes = try HEIFPhotoWriter().bytes(
      of: contents(bitDepth: 8), options: SampleContents.raw)
    let folder = try TemporaryFolder()
    try folder.put(bytes, at: "photo.heic")
    let output = try ProgramAnswer(
      of: "exiftool", ["-a", "-s", "-G3", "-ee", "-n", folder.file("photo.heic")], seconds: 60
    ).bytes
    // A line is: the document, the name, a colon, the value.
    var values: [String: String] = [:]
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let name = parts[0].split(separator: " ").last else { continue }
      values[String(name)] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    #expect(values["Orientation"] == "6")
    #expect(values["FloatMinValue"].flatMap(Double.init) == 0.5)
    #expect(values["FloatMaxValue"].flatMap(Double.init) == 3.25)
    #expect(values["Accuracy"] == "absolute")
    #expect(values["IntrinsicMatrixReferenceWidth"] == "150")
    #expect(values["SemanticSegmentationMatteVersion"] == "65536")
    #expect(values["Error"] == nil)
  }
}
