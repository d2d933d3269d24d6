import PlumblineImages
import PlumblineIO
import PlumblineModel
import Testing

@Suite struct JPEGAmplificationTests {
  @Test("Starts of images that are none are counted, since each costs a walk")
  func falseStarts() throws {
    let gray = Raster(size: RasterSize(width: 8, height: 8), repeating: UInt8(100))
    let photo = try JPEGEncoder(quality: 80).encoded(gray)
    let start: [UInt8] = [0xFF, 0xD8, 0xFF]
    let most = ReadingLimits().jpegFalseStarts
    let few = photo + [[UInt8]](repeating: start, count: most).joined()
    #expect(try JPEGFile(few[...]).images.count == 1)
    let many = few + start
    let error = #expect(throws: CaptureReadingError.self) { try JPEGFile(many[...]) }
    #expect(error?.reason == .limitExceeded)
  }
}
