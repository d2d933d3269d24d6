import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import PlumblineVision
import Testing

@Suite struct StereoDepthTests {
  @Test(arguments: RectificationTests.centers)
  func exactDisparitiesGiveTheScenesDepthInTheLeftImagesStand(center: SIMD3<Double>) throws {
    var calibration = try RectificationTests.pair(right: center)
    calibration.uncertainty = StereoUncertainty(
      baselineMeters: 0.0006, focalLengthShare: 0.004, offsetPixels: 0.1, basis: "made up")
    let rectification = try StereoRectification(calibration)
    // A plane z = 1.2 + 0.3·x of the left camera's frame.
    let normal = SIMD3(-0.3, 0, 1.0)
    let inRectified = rectification.rectifiedFromLeft * normal
    let size = rectification.size
    let disparities = Raster(size: size) { x, y -> Float in
      let ray = rectification.left.unproject(SIMD2(Double(x), Double(y)), depth: 1)
      return Float(rectification.disparity(ofDepth: 1.2 / (inRectified * ray).sum()))
    }
    let match = StereoMatch(
      disparity: PixelDisparityMap(pixels: disparities),
      sigmaPixels: Raster(size: size, repeating: 0.25), removed: StereoMatch.Removals())
    let depth = StereoDepth(match, rectification)
    #expect(depth.depth.size == rectification.turn.uprightSize(of: size))
    #expect(depth.intrinsics.size == depth.depth.size)
    let planeInDepth = depth.depthFromLeft * normal
    for y in stride(from: 0, to: depth.depth.size.height, by: 9) {
      for x in stride(from: 0, to: depth.depth.size.width, by: 7) {
        let z = Double(depth.depth.meters[x, y])
        let point = depth.intrinsics.unproject(SIMD2(Double(x), Double(y)), depth: z)
        // Single precision of a disparity of tens of pixels.
        #expect(abs((planeInDepth * point).sum() - 1.2) < 1e-5, "meters")
        let across = rectification.sigma(ofDepth: z, sigmaPixels: 1)
        let shares = 0.0006 / rectification.baselineMeters
        let expected =
          (across * across * (0.25 * 0.25 + 0.1 * 0.1) + z * z * (shares * shares + 1.6e-5))
          .squareRoot()
        #expect(abs(Double(depth.sigma[x, y]) / expected - 1) < 1e-4)
      }
    }
  }

  @Test func whatIsNotInFrontIsMissingAndSoIsItsSigma() throws {
    let rectification = try StereoRectification(try RectificationTests.pair())
    let values: [Float] = [.nan, 0, -3, 1e-9, 5]
    let size = rectification.size
    let disparities = Raster(size: size) { x, _ in values[x % values.count] }
    let depth = StereoDepth(
      disparity: PixelDisparityMap(pixels: disparities),
      sigmaPixels: Raster(size: size, repeating: 0.2), rectification)
    for x in 0..<20 {
      #expect(depth.depth.meters[x, 0].isNaN == (x % 5 != 4))
      #expect(depth.sigma[x, 0].isNaN == (x % 5 != 4))
    }
  }

  @Test(arguments: [true, false])
  func theCaptureSaysWhatItIs(isMetric: Bool) throws {
    var calibration = try RectificationTests.pair(right: [0.003, 0.06, 0.002])
    calibration.isMetric = isMetric
    calibration.uncertainty = StereoUncertainty(focalLengthShare: 0.01, basis: "made up")
    let rectification = try StereoRectification(calibration)
    let images = try rectification.rectified(
      left: Raster(
        size: calibration.left.intrinsics.size, repeating: RGB8(red: 9, green: 8, blue: 7)),
      right: Raster(
        size: calibration.right.intrinsics.size, repeating: RGB8(red: 9, green: 8, blue: 7)))
    let depth = StereoDepth(
      disparity: PixelDisparityMap(pixels: Raster(size: rectification.size, repeating: 8)),
      sigmaPixels: Raster(size: rectification.size, repeating: 0.2), rectification)
    let capture = depth.capture(color: images, matching: "by hand")
    let record = try #require(capture.depth)
    #expect(capture.source.camera == .stereo)
    #expect(capture.color?.size == record.size)
    #expect(capture.colorSize == record.size)
    #expect(record.accuracy == (isMetric ? .absolute : .relative))
    #expect(record.hasUnit == isMetric)
    #expect(record.isRectified == true)
    #expect(record.calibration?.intrinsics == depth.intrinsics)
    #expect(record.calibration?.distortion == nil)
    #expect(record.calibrationUncertainty?.focalLengthPixels?.x == 2.1)
    #expect(record.sigmaMeters?.size == record.size)
    #expect(
      capture.provenance.map(\.name) == ["rectified-pair", "matched", "depth-from-disparity"])
    #expect(capture.provenance[0].detail.contains(isMetric ? "baseline 60." : "unknown length"))
  }
}
