import Plumbline
import PlumblineTestSupport
import Testing

@Suite("Pairs whose geometry is not well known")
struct UncertainPairTests {
  @Test(
    "meters whose ± is above a tenth are rough ones, and matched pixels without a depth are counted",
    arguments: [(0.05, false), (2.5, true)])
  func uncertain(offsetPixels: Double, isRough: Bool) throws {
    let pair = LayeredPair(turn: [0.01, -0.03, 0.02])
    let camera = CameraCalibration(intrinsics: pair.intrinsics)
    var reconstructor = StereoReconstructor()
    var calibration = StereoCalibration(
      left: camera, right: camera, rightFromLeft: pair.rightFromLeft)
    calibration.uncertainty = StereoUncertainty(
      baselineMeters: 1e-4, focalLengthShare: 1e-3, offsetPixels: offsetPixels, basis: "a test")
    reconstructor.calibration = calibration
    let result = try reconstructor.reconstruct(
      left: StereoImage(color: pair.left), right: StereoImage(color: pair.right), fileName: "pair")
    let assessment = result.analysis.assessment
    let finding = assessment.findings.first { $0.code == .stereoDepthUncertain }
    #expect((finding?.severity == .caution) == isRough)
    #expect(assessment.verdict == (isRough ? .corrected : .measurable), "\(assessment.reason)")
    #expect(assessment.reason.hasPrefix(isRough ? "Rough meters: " : "Meters as it is: "))
    #expect(result.analysis.headline.words.hasPrefix(isRough ? "Rough meters" : "Measurable"))
    guard case .depth(let map)? = result.analysis.capture.depth?.values else {
      throw CancellationError()
    }
    #expect(result.depthCount == map.meters.samples.count { !$0.isNaN })
    let matched = result.match.disparity.pixels.samples.count { !$0.isNaN }
    #expect(
      matched == result.depthCount + result.missing.beyondInfinity + result.missing.uncertain)
  }

  @Test("rectified images that are stored in different ways are refused with their tags")
  func orientations() throws {
    let pair = LayeredPair()
    var (left, right) = (StereoImage(color: pair.left), StereoImage(color: pair.right))
    right.orientation = .right
    var reconstructor = StereoReconstructor()
    reconstructor.rectified = .init(focalLengthPixels: pair.intrinsics.focalLength.x)
    let error = #expect(throws: StereoError.self) {
      try reconstructor.reconstruct(left: left, right: right, fileName: "pair")
    }
    #expect(error?.found.contains("orientation 1") == true && error?.found.contains("6") == true)
    left.orientation = .right
    #expect(throws: Never.self) {
      try reconstructor.reconstruct(left: left, right: right, fileName: "pair")
    }
  }
}
