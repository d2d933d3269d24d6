import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("HEVC: one image of a stream")
struct HEVCByteStreamTests {
  /// 64 × 48 pixels of one blue, Main profile, written by x265 for the tests of the viewer.
  static let blue: [UInt8] = {
    let text = """
      0000000140010c01ffff01600000030090000003000003001e9598090000000142010101600000030090000003000003001ea02083165959\
      ae4caf016808000003000800000300c840000000014401c173d0890000012801af1d80f00e08ffd797469ea3e2bf4e2ed29e
      """
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }()

  @Test("An image of x265 is the blue that it was made of")
  func imageOfX265() throws {
    let color = try HEVCByteStream(Self.blue, limits: ReadingLimits()).color()
    #expect(color.size == RasterSize(width: 64, height: 48))
    let first = try #require(color.samples.first)
    #expect(color.samples.allSatisfy { $0 == first })
    #expect(first.blue > 180 && first.red < 80, "\(first)")
  }

  @Test("A capture with such a color decodes it")
  func captureDecodesIt() throws {
    var capture = Capture(source: CaptureSource())
    capture.colorFile = EncodedImage(.hevc, bytes: Self.blue)
    #expect(try capture.decodedColor()?.size == RasterSize(width: 64, height: 48))
  }

  @Test("Our own lossless images come back sample by sample")
  func rawImages() throws {
    let luma = mixedCodes(40, 24, bitDepth: 8, seed: 5)
    let image = RawHEVCImage(luma: luma)
    var reader = ByteReader(image.configuration[...])
    let sets = try HEVCConfiguration.read(&reader).units
    // Behind the length of its one slice.
    let stream = (sets + [image.data.dropFirst(4)]).flatMap { [0, 0, 0, 1] + $0 }
    let color = try HEVCByteStream(stream, limits: ReadingLimits()).color()
    #expect(color.samples.map { UInt16($0.green) } == luma.samples)
  }

  @Test("What is cut off or no image is refused, at every length")
  func refused() {
    for count in 0..<Self.blue.count - 1 {
      let cut = Array(Self.blue.prefix(count))
      // The codec may make something of a slice without its end; it must not fail otherwise.
      do throws(CaptureReadingError) {
        let color = try HEVCByteStream(cut, limits: ReadingLimits()).color()
        #expect(color.size == RasterSize(width: 64, height: 48), "\(count) bytes")
      } catch {
        #expect([.malformed, .unsupported].contains(error.reason), "\(count) bytes: \(error)")
      }
    }
    #expect(throws: CaptureReadingError.self) {
      try HEVCByteStream(Self.blue + Self.blue, limits: ReadingLimits()).color()
    }
    var limits = ReadingLimits()
    limits.colorPixels = 64 * 48 - 1
    #expect(throws: CaptureReadingError.self) { try HEVCByteStream(Self.blue, limits: limits) }
  }
}
