import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// Opens a file and decodes everything in it that is an image, as the readers above would.
private func readAll(_ bytes: [UInt8], decoding: Bool) throws(CaptureReadingError) {
  let file = try HEIFFile(bytes: bytes)
  let decoder = HEIFImageDecoder(file, threadCount: 1)
  _ = file.stereoPair
  _ = file.unknownItemTypes
  let auxiliaries = try file.auxiliaries()
  for auxiliary in auxiliaries {
    _ = try DepthRepresentation.read(auxiliarySubtype: auxiliary.subtype)
  }
  for item in file.items { _ = try? file.data(of: item.id) }
  _ = try file.exif(of: file.primaryItemID)
  _ = try file.xmp(of: file.primaryItemID)
  guard decoding else {
    _ = try HEIFComposition(
      of: file.primaryItemID, in: file, maximumPixels: file.limits.colorPixels)
    return
  }
  for auxiliary in auxiliaries where auxiliary.kind == .depth {
    _ = try decoder.samples(of: auxiliary.itemID, .shown)
  }
  _ = try decoder.color(of: file.primaryItemID, .shown)
}

@Suite(
  "HEIF: hostile files", .serialized,
  // Ends a test that hangs; in a debug build on a busy machine each takes a minute at most.
  .timeLimit(.minutes(10)),
  .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct HEIFHostileTests {
  @Test("Every crafted file is refused with a place, or read where its manifest allows it")
  func crafted() throws {
    let manifest = String(
      decoding: try RealData.bytes("bad/crafted/MANIFEST.tsv"), as: UTF8.self)
    var count = 0
    for line in manifest.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let name = String(fields[0])
      guard name.contains(".heic") else { continue }
      count += 1
      let bytes = try RealData.bytes("bad/crafted/\(name)")
      let error = #expect(throws: CaptureReadingError.self, "\(name)") {
        // The flipped photos may be sound where the flips fell into padding or metadata.
        try readAll(bytes, decoding: true)
        if name.hasPrefix("flip") {
          throw CaptureReadingError(.missing, path: ["-"], expected: "-", found: "-")
        }
      }
      #expect(error?.expected.isEmpty == false)
      #expect(error?.found.isEmpty == false)
    }
    #expect(count > 40)
  }

  @Test(
    "The tables themselves refuse cycles, duplicates, lies and bombs",
    arguments: [
      ("grid_self", CaptureReadingError.Reason.malformed, "dimg"),
      ("grid_cycle2", .malformed, "dimg"), ("grid_cycle40", .malformed, "dimg"),
      ("grid_256x256_one_tile", .limitExceeded, "dimg"), ("iloc_wrap64", .malformed, "iloc"),
      ("iloc_amplify", .limitExceeded, "iloc"), ("iinf_4g", .limitExceeded, "iinf"),
      ("ipma_badindex", .malformed, "ipma"), ("infe_dup", .malformed, "iinf"),
      ("hvcc_lies", .malformed, "hvcC"), ("clap_zero", .malformed, "clap"),
      ("pitm_missing", .malformed, "pitm"),
    ])
  func tables(name: String, reason: CaptureReadingError.Reason, place: String) throws {
    let bytes = try RealData.bytes("bad/crafted/\(name).heic")
    let error = #expect(throws: CaptureReadingError.self) { try HEIFFile(bytes: bytes) }
    #expect(error?.reason == reason)
    #expect(error?.path.contains(place) == true, "\(String(describing: error))")
  }

  @Test("Items that refer to each other are listed once; items inside each other are refused")
  func cycles() throws {
    let file = try HEIFFile(bytes: RealData.bytes("bad/crafted/aux_cycle.heic"))
    #expect(try file.auxiliaries().map(\.itemID) == [1, 2])
    #expect(try file.auxiliaries(of: 1).map(\.itemID) == [2])
    let inside = try HEIFFile(bytes: RealData.bytes("bad/crafted/iloc_item_cycle.heic"))
    let error = #expect(throws: CaptureReadingError.self) { try inside.data(of: 1) }
    #expect(error?.reason == .malformed)
  }

  @Test(
    "Other projects' hostile files neither crash nor hang",
    arguments: ["bad/libheif", "bad/pillow_heif", "bad/image-rs"])
  func corpora(folder: String) throws {
    for url in try RealData.files(under: folder) {
      let bytes = [UInt8](try Data(contentsOf: url))
      try? readAll(bytes, decoding: true)
    }
  }

  @Test(
    "Photos cut at 200 lengths are refused without a crash",
    arguments: ["pug", "truedepth_iphone14", "spatial_photo"])
  func truncation(photo: String) throws {
    let bytes = try RealData.bytes("photos/\(photo).heic")
    for step in 0..<200 {
      // Half of the cuts fall into the tables, which fill the first few thousand bytes.
      let length = step < 100 ? step * 60 : bytes.count * (step - 100) / 100
      let cut = Array(bytes.prefix(length))
      #expect(throws: CaptureReadingError.self, "\(length) bytes") {
        try readAll(cut, decoding: false)
      }
    }
  }

  @Test(
    "2,000 seeded byte flips in the tables never crash",
    arguments: ["pug", "truedepth_iphone14", "spatial_photo"])
  func flips(photo: String) throws {
    var bytes = try RealData.bytes("photos/\(photo).heic")
    var generator = SeededGenerator(seed: 0x48_45_49_46)
    for _ in 0..<2_000 {
      // Flipped in place and back, since a copy of the photo would cost more than reading it.
      var undo: [(index: Int, byte: UInt8)] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<5_000, using: &generator)
        undo.append((index, bytes[index]))
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      try? readAll(bytes, decoding: false)
      for flip in undo.reversed() { bytes[flip.index] = flip.byte }
    }
  }
}
