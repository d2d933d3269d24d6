import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct LensPlausibilityTests {
  static let size = RasterSize(width: 640, height: 480)

  static func lens(
    _ percents: [Double], pixelSize: Double = 0.01, center: SIMD2<Double> = [320, 240]
  ) -> LensDistortion {
    LensDistortion(
      center: center, size: size, pixelSizeMillimeters: pixelSize, distorting: nil,
      undistorting: .coefficients(percents))
  }

  @Test("Lenses of phones, and none at all, are believed")
  func real() throws {
    #expect(Self.lens([Double](repeating: 0, count: 8)).isPlausible)
    // The coefficients of an iPhone X at 4 mm from the center.
    let iPhone = [0, 0.4513, 0.2366, -0.5340, 0.2544, -0.05423, 0.005520, -0.0002188]
    #expect(Self.lens(iPhone, pixelSize: 0.0063).isPlausible)
    #expect(try #require(DemoCapture.healthy.camera.calibration.distortion).isPlausible)
  }

  @Test(
    "What folds the image over, or leaves the numbers there are, is no lens",
    arguments: [
      lens([-100, 0]), lens([-200, 0]), lens([60, 0]), lens([1e300, 1e300]), lens([0, -40]),
      lens([0, 1], pixelSize: 1e300), lens([0, 1], center: [1e300, 1e300]),
    ])
  func hostile(_ lens: LensDistortion) {
    #expect(!lens.isPlausible)
  }
}
