import PlumblineModel
import PlumblineScreens
import PlumblineTestSupport
import Testing

@Suite("Effects of the preview")
struct PreviewEffectTests {
  /// A striped wall 3 m away behind a plain square 0.6 m away.
  static func capture(orientation: ImageOrientation = .up) -> Capture {
    let size = RasterSize(width: 96, height: 72)
    func isNear(_ x: Int, _ y: Int) -> Bool { (30..<66).contains(x) && (18..<54).contains(y) }
    var capture = Capture(source: CaptureSource(camera: .trueDepth, interface: .avfoundation))
    capture.color = Raster(size: size) { x, y in
      isNear(x, y)
        ? RGB8(red: 200, green: 40, blue: 40)
        : RGB8(red: 0, green: x % 4 < 2 ? 250 : 0, blue: 0)
    }
    (capture.colorSize, capture.colorOrientation) = (size, orientation)
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: size) { x, y in isNear(x, y) ? 0.6 : 3 })),
      storedType: "fdep", accuracy: .absolute)
    record.orientation = orientation
    record.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [80, 80], principalPoint: [47.5, 35.5], size: size))
    capture.depth = record
    return capture
  }

  /// How far neighbors of a row differ in green, on the average: the contrast of the stripes.
  static func contrast(_ image: Raster<RGB8>, rows: Range<Int>) -> Double {
    var sum = 0
    for y in rows {
      for x in 0..<image.width - 2 {
        sum += abs(Int(image[x, y].green) - Int(image[x + 2, y].green))
      }
    }
    return Double(sum) / Double(rows.count * (image.width - 2))
  }

  @Test("Without an effect the image is the camera's")
  func plain() throws {
    var renderer = PreviewEffectRenderer()
    let capture = Self.capture()
    let plain = try renderer.image(of: capture, isMirror: false)
    let mirrored = try renderer.image(of: capture, isMirror: true)
    #expect(plain == capture.color && mirrored == plain?.oriented(by: .upMirrored))
    #expect(renderer.rateText == nil)
  }

  @Test("The portrait blurs what is far and leaves the subject")
  func portrait() throws {
    var renderer = PreviewEffectRenderer()
    let capture = Self.capture()
    let plainImage = try renderer.image(of: capture, isMirror: false)
    let plain = try #require(plainImage)
    renderer.effect = .portrait
    renderer.fNumber = 1.4
    let blurredImage = try renderer.image(of: capture, isMirror: false)
    let blurred = try #require(blurredImage)
    #expect(blurred.size == plain.size)
    #expect(Self.contrast(blurred, rows: 2..<12) < 0.7 * Self.contrast(plain, rows: 2..<12))
    #expect(blurred[48, 36] == plain[48, 36])
  }

  @Test("The background is the chosen color where it is far, and the subject stays")
  func background() throws {
    var renderer = PreviewEffectRenderer()
    renderer.effect = .background
    renderer.color = RGB8(red: 10, green: 20, blue: 240)
    var image: Raster<RGB8>?
    for _ in 0..<5 { image = try renderer.image(of: Self.capture(), isMirror: false) }
    let result = try #require(image)
    #expect(result[48, 36].red > 150)
    #expect(result[3, 3] == RGB8(red: 10, green: 20, blue: 240))
  }

  @Test("Images are upright, whatever the effect", arguments: PreviewEffect.allCases)
  func upright(effect: PreviewEffect) throws {
    var (stored, turned) = (PreviewEffectRenderer(), PreviewEffectRenderer())
    (stored.effect, turned.effect) = (effect, effect)
    let plainImage = try stored.image(of: Self.capture(), isMirror: false)
    let plain = try #require(plainImage)
    let rightImage = try turned.image(of: Self.capture(orientation: .right), isMirror: false)
    let right = try #require(rightImage)
    #expect(right == plain.oriented(by: .right))
  }

  @Test("Without depth there is no effect, without color no image")
  func missing() throws {
    var renderer = PreviewEffectRenderer()
    var capture = Self.capture()
    capture.depth = nil
    for effect in [PreviewEffect.portrait, .background] {
      renderer.effect = effect
      let image = try renderer.image(of: capture, isMirror: false)
      #expect(image == nil)
    }
    capture.color = nil
    renderer.effect = .none
    let image = try renderer.image(of: capture, isMirror: false)
    #expect(image == nil)
  }

  @Test("The rate is that of the times at which images were shown, over two seconds")
  func rate() throws {
    var renderer = PreviewEffectRenderer()
    renderer.effect = .portrait
    renderer.shown(at: 0)
    #expect(renderer.rateText == nil)
    _ = try renderer.image(of: Self.capture(), isMirror: false)
    for index in 1...40 { renderer.shown(at: Double(index) * 0.25) }
    #expect(renderer.rateText == "4.0 images/s of 96×72, stored size")
    renderer.effect = .none
    #expect(renderer.rateText == nil)
    renderer.fNumber = .nan
    #expect(renderer.fNumber == 2.8)
    renderer.fNumber = 0.5
    #expect(renderer.fNumber == 1.4)
  }
}
