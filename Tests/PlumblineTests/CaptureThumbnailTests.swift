import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

@Suite struct CaptureThumbnailTests {
  private static func size(of jpeg: [UInt8]?) throws -> RasterSize {
    let bytes = try #require(jpeg)
    return try #require(try CaptureReader().capture(from: bytes).color).size
  }

  @Test(arguments: ["healthy-truedepth.jpg", "untrusted-calibration.jpg"])
  func aPhotoGivesItsColorsUprightAndSmall(name: String) throws {
    let path = PackageRoot.url.appending(path: "Fixtures/demo/\(name)").path
    let jpeg = try CaptureThumbnail().jpeg(ofCaptureAt: path)
    let analysis = try CaptureAnalyzer().analyze(path: path)
    let color = try #require(analysis.capture.color).oriented(by: analysis.capture.colorOrientation)
    let size = try Self.size(of: jpeg)
    #expect(max(size.width, size.height) <= 96 && max(size.width, size.height) > 48)
    #expect(abs(size.aspectRatio / color.size.aspectRatio - 1) < 0.03)
    #expect(try #require(jpeg).count < 8000)
    // The same capture gives the same bytes.
    #expect(try CaptureThumbnail().jpeg(ofCaptureAt: path) == jpeg)
    let analyzed = try CaptureThumbnail().jpeg(of: analysis)
    #expect(try abs(Self.size(of: analyzed).aspectRatio / size.aspectRatio - 1) < 0.05)
  }

  @Test func depthWithoutColorIsShownInColors() throws {
    var capture = SampleCaptures.frame(0)
    capture.color = nil
    let analysis = try CaptureAnalyzer().analyze(capture, fileName: "frame")
    let jpeg = try CaptureThumbnail().jpeg(of: analysis)
    #expect(try Self.size(of: jpeg) == SampleCaptures.depthSize)
    capture.depth = nil
    let nothing = try CaptureAnalyzer().analyze(capture, fileName: "frame")
    #expect(try CaptureThumbnail().jpeg(of: nothing) == nil)
  }

  @Test func whatIsNoCaptureSaysWhy() {
    #expect(throws: InputError.self) { try CaptureThumbnail().jpeg(ofCaptureAt: "/nowhere/a.heic") }
    #expect(throws: CaptureReadingError.self) { try CaptureThumbnail().jpeg(of: [1, 2, 3]) }
  }

  @Test(
    "A HEIC photo gives the small image that it holds",
    .enabled(if: PythonPeer.has("pillow_heif"), "\(PythonPeer.absence("pillow_heif"))"))
  func embeddedThumbnail() throws {
    let folder = try TemporaryFolder()
    for (name, thumbnails) in [("with.heic", "[128]"), ("without.heic", "[]")] {
      _ = try PythonPeer.evaluate(
        """
        import sys, PIL.Image, pillow_heif
        image = PIL.Image.new("RGB", (640, 480), (200, 40, 40))
        image.paste((40, 40, 200), (0, 0, 320, 480))
        heif = pillow_heif.from_pillow(image)
        heif.save(sys.argv[1], quality=80, thumbnails=\(thumbnails))
        """, folder.file(name))
      let bytes = try #require(folder.bytes(name))
      let small = try HEIFThumbnail.image(in: bytes)
      #expect((small != nil) == (name == "with.heic"))
      if let small {
        #expect(max(small.width, small.height) == 128)
        #expect(small[20, 48].blue > 150 && small[100, 48].red > 150)
      }
      // Without depth its color is shown in any case.
      let jpeg = try #require(try CaptureThumbnail().jpeg(ofCaptureAt: folder.file(name)))
      let image = try #require(try CaptureReader().capture(from: jpeg).color)
      #expect(image.size == RasterSize(width: image.width, height: image.width * 3 / 4))
      #expect(image[image.width / 4, 20].blue > 150 && image[image.width * 3 / 4, 20].red > 150)
    }
  }
}
