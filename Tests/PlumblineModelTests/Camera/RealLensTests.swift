import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

/// The exact tables of two tablets, which lie beside the checkout and not inside it.
@Suite("Real lenses", .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct RealLensTests {
  enum Tablet: String, CaseIterable {
    case fourth = "iPadPro12_4gen_iOS15"
    case fifth = "iPadPro12_5gen_iOS15"

    var referenceSize: RasterSize {
      self == .fourth ? TabletLens.size : RasterSize(width: 2016, height: 1512)
    }
  }

  struct Metadata: Decodable {
    var center: String
    var distorting: [Float]
    var undistorting: [Float]

    enum CodingKeys: String, CodingKey {
      case center = "LensDistortionCenter"
      case distorting = "LensDistortionLookupTable"
      case undistorting = "LensDistortionInverseLookupTable"
    }
  }

  static func lens(_ tablet: Tablet) throws -> LensDistortion {
    let folder = "zeiss-truedepth/DepthEvalDataset/\(tablet.rawValue)"
    let data = Data(try RealData.bytes("\(folder)/DepthMetadata.json"))
    let first = try #require(try JSONDecoder().decode([Metadata].self, from: data).first)
    let numbers = first.center.split { "(), ".contains($0) }.compactMap { Double($0) }
    try #require(numbers.count == 2)
    return LensDistortion(
      center: [numbers[0], numbers[1]], size: tablet.referenceSize, pixelSizeMillimeters: 0.001,
      distorting: .table(first.distorting), undistorting: .table(first.undistorting))
  }

  @Test("Points move as Apple's reference moves them")
  func vectors() throws {
    let lens = try Self.lens(.fourth)
    let distorted: [(SIMD2<Double>, SIMD2<Double>)] = [
      (lens.center, lens.center), ([2000, 500], [2002.230851, 496.837887]),
      ([0, 0], [-17.074411, -12.870766]), ([3088, 2316], [3106.394012, 2329.726258]),
    ]
    let undistorted: [(SIMD2<Double>, SIMD2<Double>)] = [
      ([2000, 500], [1997.810561, 503.103413]), ([3087, 10], [3071.173965, 21.711282]),
    ]
    let differences =
      distorted.map { lens.distorted($0) - $1 } + undistorted.map { lens.undistorted($0) - $1 }
    for difference in differences {
      // Pixels, printed to 1e-6.
      #expect(max(abs(difference.x), abs(difference.y)) < 1e-6)
    }
    #expect(abs(lens.distortingMagnification(atRadius: 0) + 1.392e-6) < 1e-9)
  }

  @Test(
    "The two tables undo each other but for the corner",
    arguments: [(Tablet.fourth, 0.009), (.fifth, 0.059)])
  func roundTrip(tablet: Tablet, tolerance: Double) throws {
    let lens = try Self.lens(tablet)
    var inner = 0.0
    var corner = 0.0
    for index in 0...2_000 {
      let radius = lens.maximumRadius * Double(index) / 2_000
      let point = lens.center + SIMD2(0.6, 0.8) * radius
      let difference = lens.undistorted(lens.distorted(point)) - point
      let distance =
        (difference * difference).sum().squareRoot() * 640 / Double(tablet.referenceSize.width)
      if index <= 1_760 { inner = max(inner, distance) }
      corner = max(corner, distance)
    }
    // Pixels at 640×480, printed to 0.001; the corner leaves the table by up to half a pixel.
    #expect(inner < tolerance + 0.0006)
    #expect(corner < 0.6)
  }

  @Test("Eight even powers of millimeters give the tables", arguments: Tablet.allCases)
  func polynomial(tablet: Tablet) throws {
    let lens = try Self.lens(tablet)
    for case .table(let samples)? in [lens.distorting, lens.undistorting] {
      let fitted = RadialMagnification.coefficients(
        EvenPowers.fit(samples, maximumMillimeters: lens.maximumRadius * 0.001))
      let worst = samples.indices.map { index in
        abs(
          Double(samples[index])
            - fitted.offset(
              atRadius: lens.maximumRadius * Double(index) / Double(samples.count - 1),
              maximumRadius: lens.maximumRadius, pixelSizeMillimeters: 0.001))
      }.max()
      // 1e-4 % for the fourth generation, 4e-6 % for the fifth; odd powers leave ten times more.
      #expect(try #require(worst) < (tablet == .fourth ? 2e-6 : 5e-8))
    }
  }

  @Test("Rays are within 0.001 px of the exact function", arguments: Tablet.allCases)
  func rays(tablet: Tablet) throws {
    let size = tablet.referenceSize
    let center = SIMD2(Double(size.width), Double(size.height)) / 2
    let focalLength = SIMD2(repeating: 0.93 * Double(size.width))
    var calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(focalLength: focalLength, principalPoint: center, size: size))
    for isInverted in [false, true] {
      calibration.distortion = try Self.lens(tablet)
      if isInverted { calibration.distortion?.undistorting = nil }
      #expect(RayMapTests.worstPixel(calibration) < 0.001)
    }
  }
}
