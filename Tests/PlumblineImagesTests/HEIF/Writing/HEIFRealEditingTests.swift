import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@Suite(
  "HEIF: editing real photos",
  .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct HEIFRealEditingTests {
  private static let photos = ["pug.heic", "truedepth_iphone14.heic", "spatial_photo.heic"]
  private let writer = HEIFPhotoWriter()

  private func edited(_ bytes: [UInt8], _ change: (inout PhotoEdit) -> Void) throws -> [UInt8] {
    var edit = PhotoEdit()
    change(&edit)
    return try writer.edited(bytes, edit, options: SampleContents.raw)
  }

  @Test(
    "Changed in nothing, the same bytes; taken apart and put together, the same tables",
    arguments: photos)
  func nothing(photo: String) throws {
    let bytes = try RealData.bytes("photos/\(photo)")
    #expect(try edited(bytes) { _ in } == bytes)
    let together = try HEIFDraft(HEIFFile(bytes: bytes)).bytes(from: bytes)
    #expect(together == bytes)
  }

  @Test("Stripped of depth, mattes and gain map, all else is as it was", arguments: photos)
  func strip(photo: String) throws {
    let bytes = try RealData.bytes("photos/\(photo)")
    let result = try edited(bytes) {
      $0.depth = .remove
      $0.keepsMattes = false
      $0.keepsGainMap = false
    }
    let comparison = try HEIFComparison(bytes, result)
    let file = try HEIFFile(bytes: bytes)
    let auxiliaries = try file.auxiliaries()
    // Each auxiliary image has one packet of its own.
    #expect(comparison.removed.count == 2 * auxiliaries.count)
    #expect(comparison.added == [] && comparison.changed == [] && comparison.boxes == [])
    #expect(try HEIFFile(bytes: result).auxiliaries().isEmpty)
    let gone = try comparison.removed.reduce(0) { sum, name in
      sum + (try file.data(of: HEIFItemID(name.prefix { $0 != " " }) ?? 0).count)
    }
    // Their bytes are gone, and the tables' entries.
    #expect(bytes.count - result.count >= gone)
    #expect(bytes.count - result.count <= gone + 400 * comparison.removed.count)
  }

  @Test(
    "Its own depth in place of its own, again and again: no code moves",
    arguments: [("pug.heic", 2), ("truedepth_iphone14.heic", 10)])
  func drift(photo: String, times: Int) throws {
    let original = try RealData.bytes("photos/\(photo)")
    func depth(_ bytes: [UInt8]) throws -> PhotoDepth {
      var reader = CaptureReader(color: .none)
      reader.readsCompanions = false
      return try PhotoDepth(#require(try reader.capture(from: bytes).depth))
    }
    let first = try depth(original)
    var bytes = original
    for _ in 0..<times {
      let own = try depth(bytes)
      bytes = try edited(bytes) { $0.depth = .replace(own) }
    }
    let last = try depth(bytes)
    #expect(last.codes == first.codes && last.quantization == first.quantization)
    #expect(last.calibration == first.calibration)
    let comparison = try HEIFComparison(original, bytes)
    // The map and its packet, whose numbers may be taken by the new ones.
    let old = try #require(try HEIFFile(bytes: original).auxiliaries().first { $0.kind == .depth })
    let concerned = ["\(old.itemID) ", "\(old.itemID + 1) "]
    #expect(comparison.removed.count == comparison.added.count)
    #expect(
      (comparison.removed + comparison.changed).allSatisfy { name in
        concerned.contains { name.hasPrefix($0) }
      })
    #expect(comparison.boxes == [])
  }

  @Test("Depth is added to a photo that has none")
  func adding() throws {
    let bytes = try RealData.bytes("photos/spatial_photo.heic")
    let depth = PhotoDepth(
      codes: .uint16(mixedCodes(64, 64, bitDepth: 16, seed: 1), bitDepth: 16),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 65_535, minimumValue: 0.1, maximumValue: 5),
      quantity: .depth)
    let result = try edited(bytes) { $0.depth = .replace(depth) }
    let comparison = try HEIFComparison(bytes, result)
    #expect(comparison.removed == [] && comparison.changed == [] && comparison.boxes == [])
    #expect(comparison.added.count == 2)
    let capture = try CaptureReader(color: .none).capture(from: result)
    #expect(capture.depth?.storedSamples == depth.codes)
    // What the group of both eyes says is the same.
    #expect(capture.stereoPair?.baselineMillimeters == 63.807)
  }

  @Test("Turned, every part turns with it", arguments: photos.dropLast())
  func turned(photo: String) throws {
    let bytes = try RealData.bytes("photos/\(photo)")
    let before = try CaptureReader(color: .none).capture(from: bytes)
    let result = try edited(bytes) { $0.orientation = .left }
    let after = try CaptureReader(color: .none).capture(from: result)
    #expect(after.colorOrientation == .left && before.colorOrientation != .left)
    #expect(after.depth?.orientation == .left)
    #expect(after.mattes.allSatisfy { $0.orientation == .left })
    let comparison = try HEIFComparison(bytes, result)
    #expect(comparison.added == [] && comparison.removed == [] && comparison.boxes == [])
    let exif = try HEIFFile(bytes: result).exif(of: HEIFFile(bytes: result).primaryItemID)
    #expect(try ExifMetadata(tiff: #require(exif), limits: ReadingLimits()).orientation == 8)
  }
}
