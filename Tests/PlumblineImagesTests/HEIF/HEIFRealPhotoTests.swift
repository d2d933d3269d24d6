import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@Suite(
  "HEIF: real photos", .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct HEIFRealPhotoTests {
  @Test("pug.heic: primary 49 is a 4032×3024 grid, depth item 54 has 768×576 and a range")
  func pug() throws {
    let file = try HEIFFile(bytes: RealData.bytes("photos/pug.heic"))
    #expect(file.primaryItemID == 49)
    #expect(file.brands.contains("heic"))
    let auxiliaries = try file.auxiliaries(of: 49)
    #expect(auxiliaries.map(\.itemID) == [52, 54])
    #expect(auxiliaries.map(\.kind) == [.hdrGainMap, .depth])
    #expect(try file.unknownAuxiliaryTypes() == [])
    #expect(file.unknownItemTypes == [])
    let range = try DepthRepresentation.read(auxiliarySubtype: auxiliaries[1].subtype)
    let (minimum, maximum): (Double, Double) = (1.498046875, 4.3828125)
    #expect(range?.minimumDisparity == minimum)
    #expect(range?.maximumDisparity == maximum)
    #expect(try file.exif(of: 49)?.prefix(2) == [0x4D, 0x4D])
    let xmp = try file.xmp(of: 54)
    #expect(xmp.count == 1)
    #expect(String(decoding: xmp[0], as: UTF8.self).contains("IntrinsicMatrix"))
    let composition = try HEIFComposition(of: 49, in: file, maximumPixels: 128 << 20)
    #expect(composition.size == RasterSize(width: 4032, height: 3024))
    #expect(composition.tiles.count == 48)
    let depth = try HEIFComposition(of: 54, in: file, maximumPixels: 16 << 20)
    #expect(depth.size == RasterSize(width: 768, height: 576))
    #expect(depth.parameters.chroma == .monochrome)
  }

  @Test("truedepth_iphone14.heic: five mattes and a depth map of 480×640")
  func trueDepth() throws {
    let file = try HEIFFile(bytes: RealData.bytes("photos/truedepth_iphone14.heic"))
    let auxiliaries = try file.auxiliaries(of: file.primaryItemID)
    let kinds = Set(auxiliaries.map(\.kind))
    #expect(
      kinds == [
        .depth, .portraitEffectsMatte, .semanticMatte("hair"), .semanticMatte("glasses"),
        .semanticMatte("skin"), .semanticMatte("teeth"),
      ])
    let depth = try #require(auxiliaries.first { $0.kind == .depth })
    let image = try HEIFImageDecoder(file, threadCount: 1).samples(of: depth.itemID)
    #expect(image.pixels.size == RasterSize(width: 480, height: 640))
    #expect(image.transformations == [])
  }

  @Test("spatial_photo.heic: a stereo pair 63.8 mm apart with its focal length")
  func spatial() throws {
    let file = try HEIFFile(bytes: RealData.bytes("photos/spatial_photo.heic"))
    let pair = try #require(file.stereoPair)
    #expect(pair.left.itemID == 26)
    #expect(pair.right.itemID == 52)
    #expect(pair.baselineInMillimeters == 63.807)
    for view in [pair.left, pair.right] {
      #expect(view.intrinsics?.focalLengthPerWidth == Double(0x2622_D86E) / 0x4000_0000)
      #expect(view.intrinsics?.principalPointPerWidth == 0.5)
      #expect(view.intrinsics?.principalPointPerHeight == 0.5)
    }
  }
}
