import Foundation
import PlumblineImages
import PlumblineModel
import PlumblineStreams
import PlumblineTestSupport
import Testing

/// Real photos changed and written again, compared segment by segment.
@Suite("Real JPEG photos", .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct RealJPEGPhotoTests {
  static let names = [
    "iphonex_dual_depth.jpg", "iphonex_dual_matte.jpg", "gdepth_range_inverse.jpg",
  ]

  @Test("Nothing asked: nothing differs but lengths in an index that was wrong", arguments: names)
  func noChange(name: String) throws {
    let bytes = try RealData.bytes("photos/\(name)")
    let edited = try JPEGPhotoWriter().edited(bytes, PhotoEdit())
    #expect(edited.count == bytes.count)
    if let index = try JPEGFile(bytes[...]).primary.multiPictureIndex {
      // The length of the primary image, of which two or three bytes differ.
      #expect(zip(edited[index.indices], index).count { $0 != $1 } <= 3)
      #expect(Data(edited[..<index.startIndex]) == Data(bytes[..<index.startIndex]))
      #expect(Data(edited[index.endIndex...]) == Data(bytes[index.endIndex...]))
      try JPEGPhotoEditingTests.expectRightIndex(edited)
      #expect(try JPEGPhotoWriter().edited(edited, PhotoEdit()) == edited)
    } else {
      #expect(Data(edited) == Data(bytes))
    }
  }

  @Test("Depth taken out and put back: every other segment and image stays", arguments: names)
  func depthChanges(name: String) throws {
    let bytes = try RealData.bytes("photos/\(name)")
    let writer = JPEGPhotoWriter()
    let stripped = try writer.edited(bytes, JPEGPhotoEditingTests.strip)
    #expect(try CaptureReader(color: .none).capture(from: stripped).depth == nil)
    let (before, after) = (try JPEGFile(bytes[...]), try JPEGFile(stripped[...]))
    let isXMP: ([UInt8]) -> Bool = { $0.dropFirst().starts(with: "http://ns.adobe.com/x".utf8) }
    let isKept: ([UInt8]) -> Bool = { name.hasPrefix("iphone") || !isXMP($0) }
    #expect(
      JPEGPhotoEditingTests.parts(after.primary).filter(isKept)
        == JPEGPhotoEditingTests.parts(before.primary).filter(isKept))
    if !name.hasPrefix("iphone") {
      // The image before its blur stays in the extended packet.
      let packets = [before, after].map { try? $0.primary.xmpPacket() }
      let key = XMPName("http://ns.google.com/photos/1.0/image/", "Data")
      #expect(packets[1]?.properties[key] == packets[0]?.properties[key])
      #expect(packets[1]?.properties[key] != nil)
    }
    // A map of three megapixels takes seconds in a build without optimization.
    guard name.hasPrefix("iphone") else { return }
    let depth = try #require(try PhotoContents(reading: bytes).depth)
    for layout in [PhotoWritingOptions.DepthLayout.apple, .dynamicDepth] {
      let options = PhotoWritingOptions(depthLayout: layout)
      let attached = try writer.edited(
        stripped, JPEGPhotoWriterTests.replacing(depth), options: options)
      let back = try #require(try PhotoContents(reading: attached).depth)
      #expect(back.codes == depth.codes)
      // Near and far are reciprocals in Google's layouts.
      #expect(abs(back.quantization.maximumValue - depth.quantization.maximumValue) < 1e-12)
      if layout == .apple { #expect(back.calibration == depth.calibration) }
      try JPEGPhotoEditingTests.expectRightIndex(attached)
      let again = try writer.edited(attached, JPEGPhotoEditingTests.strip)
      #expect(
        JPEGPhotoEditingTests.parts(try JPEGFile(again[...]).primary).filter { !isXMP($0) }
          == JPEGPhotoEditingTests.parts(after.primary).filter { !isXMP($0) })
    }
  }
}
