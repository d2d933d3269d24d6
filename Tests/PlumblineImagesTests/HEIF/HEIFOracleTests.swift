import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// Pixels as `heif_pixels.py` gives them.
private struct PeerPixels {
  let size: RasterSize
  let bytes: ArraySlice<UInt8>

  init(_ photo: String, _ arguments: String...) throws {
    let path = try RealData.url("photos/\(photo)").path
    let output =
      switch arguments.count {
      case 1: try PythonPeer.run("heif_pixels.py", path, arguments[0])
      default: try PythonPeer.run("heif_pixels.py", path, arguments[0], arguments[1])
      }
    let end = try #require(output.firstIndex(of: 10))
    let numbers = String(decoding: output[..<end], as: UTF8.self).split(separator: " ")
    size = RasterSize(width: try #require(Int(numbers[0])), height: try #require(Int(numbers[1])))
    bytes = output[(end + 1)...]
  }
}

@Suite(
  "HEIF: libheif as oracle",
  .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)),
  .enabled(
    if: PythonPeer.has("pillow_heif"), Comment(rawValue: PythonPeer.absence("pillow_heif"))))
struct HEIFOracleTests {
  @Test(
    "Every depth map equals libheif's bit for bit",
    arguments: ["pug.heic", "truedepth_iphone14.heic"])
  func depth(photo: String) throws {
    let file = try HEIFFile(bytes: RealData.bytes("photos/\(photo)"))
    let depth = try #require(try file.auxiliaries().first { $0.kind == .depth })
    let image = try HEIFImageDecoder(file, threadCount: 1).samples(of: depth.itemID, .shown)
    let peer = try PeerPixels(photo, "depth")
    guard case .uint8(let raster) = image.pixels else {
      Issue.record("8-bit samples expected")
      return
    }
    #expect(raster.size == peer.size)
    #expect(raster.packed.samples[...] == peer.bytes)
  }

  @Test(
    "Every matte and gain map equals libheif's bit for bit",
    arguments: ["pug.heic", "truedepth_iphone14.heic"])
  func auxiliaries(photo: String) throws {
    let file = try HEIFFile(bytes: RealData.bytes("photos/\(photo)"))
    let decoder = HEIFImageDecoder(file, threadCount: 2)
    for auxiliary in try file.auxiliaries() where auxiliary.kind != .depth {
      let image = try decoder.samples(of: auxiliary.itemID, .shown)
      let peer = try PeerPixels(photo, "aux", "\(auxiliary.itemID)")
      guard case .uint8(let raster) = image.pixels else { continue }
      #expect(raster.size == peer.size)
      #expect(raster.packed.samples[...] == peer.bytes, "\(auxiliary.type)")
    }
  }

  @Test(
    "Color equals libheif's bit for bit, for any number of threads",
    arguments: ["pug.heic", "truedepth_iphone14.heic", "spatial_photo.heic"])
  func color(photo: String) throws {
    let file = try HEIFFile(bytes: RealData.bytes("photos/\(photo)"))
    let peer = try PeerPixels(photo, "color")
    let image = try HEIFImageDecoder(file, threadCount: 3).color(of: file.primaryItemID, .shown)
    #expect(image.pixels.size == peer.size)
    #expect(worstDifference(image.pixels, peer.bytes) == 0)
    let single = try HEIFImageDecoder(file, threadCount: 1).color(of: file.primaryItemID, .shown)
    let isSame = single.pixels.samples.elementsEqual(image.pixels.samples)
    #expect(isSame)
  }

  /// The largest difference of two codes.
  private func worstDifference(_ raster: Raster<RGB8>, _ bytes: ArraySlice<UInt8>) -> Int {
    raster.samples.withUnsafeBytes { ours in
      bytes.withUnsafeBytes { theirs in
        guard ours.count == theirs.count else { return .max }
        var worst = 0
        for index in 0..<ours.count {
          worst = max(worst, abs(Int(ours[index]) - Int(theirs[index])))
        }
        return worst
      }
    }
  }
}
