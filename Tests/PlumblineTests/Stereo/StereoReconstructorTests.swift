import Plumbline
import PlumblineTestSupport
import Testing

@Suite("Depth from two images")
struct StereoReconstructorTests {
  private func images(_ pair: LayeredPair) -> (left: StereoImage, right: StereoImage) {
    (StereoImage(color: pair.left), StereoImage(color: pair.right))
  }

  private func calibration(_ pair: LayeredPair) -> StereoCalibration {
    let camera = CameraCalibration(intrinsics: pair.intrinsics)
    return StereoCalibration(left: camera, right: camera, rightFromLeft: pair.rightFromLeft)
  }

  private func result(
    _ pair: LayeredPair, _ reconstructor: StereoReconstructor
  ) throws -> StereoResult {
    let (left, right) = images(pair)
    return try reconstructor.reconstruct(left: left, right: right, fileName: "pair")
  }

  /// The median of |z − truth|/truth over pixels that were matched, and how many were.
  private func error(
    _ result: StereoResult, _ pair: LayeredPair, scale: Double = 1
  ) throws -> (median: Double, share: Double) {
    guard case .depth(let map)? = result.analysis.capture.depth?.values else {
      throw CancellationError()
    }
    let camera = try #require(result.analysis.capture.depth?.calibration?.intrinsics)
    let turn = result.rectification.rectifiedFromLeft
    var errors: [Double] = []
    for y in 0..<map.size.height {
      for x in 0..<map.size.width where !map.meters[x, y].isNaN {
        let z = Double(map.meters[x, y]) * scale
        let point = turn.inverse * camera.unproject([Double(x), Double(y)], depth: z)
        let pixel = pair.intrinsics.project(point)
        let (u, v) = (Int(pixel.x.rounded()), Int(pixel.y.rounded()))
        guard pair.depth.meters.contains(x: u, y: v) else { continue }
        errors.append(abs(point.z / Double(pair.depth.meters[u, v]) - 1))
      }
    }
    errors.sort()
    let median = errors.isEmpty ? .infinity : errors[errors.count / 2]
    return (median, Double(errors.count) / Double(map.size.pixelCount))
  }

  @Test("with a calibration depths are right in meters, and the capture says with which ±")
  func calibrated() throws {
    let pair = LayeredPair(turn: [0.01, -0.03, 0.02])
    var reconstructor = StereoReconstructor()
    reconstructor.calibration = calibration(pair)
    let result = try result(pair, reconstructor)
    let error = try error(result, pair)
    // A quarter of a pixel at 2.2 m with f·B = 17 px·m is 3 %; the median is well below.
    #expect(error.median < 0.02 && error.share > 0.6, "\(error)")
    #expect(result.geometry.basis == .calibration && result.isRangeFound)
    #expect(result.survey.verticalResidualPixels < 0.2)
    #expect(result.analysis.assessment.verdict != .relative)
    #expect(result.analysis.capture.depth?.sigmaMeters != nil)
    #expect(result.analysis.capture.source.camera == .stereo)
  }

  @Test("without one the same scene comes out but for its scale, and says so")
  func estimated() throws {
    let pair = LayeredPair(rightInLeft: [0.12, 0.004, 0.003], turn: [0.01, -0.03, 0.02])
    var reconstructor = StereoReconstructor()
    reconstructor.focalLengthPixels = pair.intrinsics.focalLength.x
    let result = try result(pair, reconstructor)
    let length = (pair.rightFromLeft.translation * pair.rightFromLeft.translation).sum()
      .squareRoot()
    let error = try error(result, pair, scale: length)
    #expect(error.median < 0.05 && error.share > 0.4, "\(error)")
    #expect(result.geometry.basis == .estimated && !result.geometry.calibration.isMetric)
    #expect(result.analysis.assessment.verdict == .relative)
    #expect(result.analysis.assessment.findings.contains { $0.code == .stereoRelative })
    reconstructor.baselineMeters = length
    // The middle of the images is no measured principal point.
    let told = try self.result(pair, reconstructor)
    #expect(!told.geometry.calibration.isMetric && told.analysis.assessment.verdict == .relative)
    #expect(told.analysis.assessment.findings.contains { $0.code == .stereoOffsetUnknown })
    #expect(!told.analysis.assessment.findings.contains { $0.code == .stereoRelative })
  }

  @Test("a baseline that was told makes calibrated cameras metric, with its ±, but not measurable")
  func toldBaseline() throws {
    let pair = LayeredPair(rightInLeft: [0.12, 0.004, 0.003], turn: [0.01, -0.03, 0.02])
    var (left, right) = images(pair)
    left.camera = CameraCalibration(intrinsics: pair.intrinsics)
    right.camera = left.camera
    (left.cameraBasis, right.cameraBasis) = (.calibration, .calibration)
    let length = (pair.rightFromLeft.translation * pair.rightFromLeft.translation).sum()
      .squareRoot()
    var reconstructor = StereoReconstructor()
    reconstructor.baselineMeters = length
    let result = try reconstructor.reconstruct(left: left, right: right, fileName: "pair")
    #expect(try error(result, pair).median < 0.05)
    #expect(result.geometry.calibration.isMetric)
    #expect(result.analysis.assessment.verdict == .corrected)
    #expect(result.analysis.assessment.findings.contains { $0.code == .stereoGeometryTold })
    let known = try #require(result.geometry.calibration.uncertainty)
    #expect(abs((known.baselineMeters ?? 0) - 0.01 * length) < 1e-12)
    #expect(known.focalLengthShare == 0.02 && (known.offsetPixels ?? 0) > 0)
    // The Exif's middle is none.
    right.cameraBasis = .exif
    let exif = try reconstructor.reconstruct(left: left, right: right, fileName: "pair")
    #expect(exif.analysis.assessment.verdict == .relative)
  }

  @Test(
    "rectified images are relative until an offset is told, and by numbers told not measurable")
  func toldGeometry() throws {
    let pair = LayeredPair()
    var reconstructor = StereoReconstructor()
    reconstructor.rectified = .init(
      focalLengthPixels: pair.intrinsics.focalLength.x, baselineMeters: 0.08)
    let unknown = try result(pair, reconstructor)
    #expect(unknown.analysis.assessment.verdict == .relative)
    #expect(
      unknown.analysis.assessment.findings.contains {
        $0.code == .stereoOffsetUnknown && $0.severity == .caution
      })

    reconstructor.rectified?.offsetPixels = 0
    let told = try result(pair, reconstructor)
    #expect(told.analysis.assessment.verdict == .corrected)
    #expect(told.analysis.assessment.findings.contains { $0.code == .stereoGeometryTold })
    // The law of stereo.md at each pixel: no ± is below that of what was given.
    guard case .depth(let map)? = told.analysis.capture.depth?.values,
      let sigma = told.analysis.capture.depth?.sigmaMeters
    else { throw CancellationError() }
    let scale = pair.intrinsics.focalLength.x * 0.08
    for (z, own) in zip(map.meters.samples, sigma.samples) where !z.isNaN {
      let z = Double(z)
      let offset = 0.33 * z / scale
      let least = z * (0.02 * 0.02 + 0.01 * 0.01 + offset * offset).squareRoot()
      #expect(Double(own) >= 0.999 * least)
    }
  }

  @Test("images that are rectified already keep their pixels")
  func rectified() throws {
    let pair = LayeredPair()
    var reconstructor = StereoReconstructor()
    reconstructor.rectified = .init(
      focalLengthPixels: pair.intrinsics.focalLength.x, baselineMeters: 0.08, offsetPixels: 0)
    let result = try result(pair, reconstructor)
    #expect(result.images.leftColor == pair.left)
    let error = try error(result, pair)
    #expect(error.median < 0.02 && error.share > 0.6, "\(error)")
    reconstructor.maximumPixels = pair.intrinsics.size.pixelCount / 4
    let reduced = try self.result(pair, reconstructor)
    #expect(reduced.rectification.size == RasterSize(width: 120, height: 90))
    #expect(reduced.reduction == 2)
  }

  @Test(
    "extrinsics of dual photos are taken in the direction in which rows agree, and that is said",
    arguments: [false, true])
  func dual(isOpposite: Bool) throws {
    // Turned enough that the wrong direction puts rows 0.06 rad of 216 px apart.
    let pair = LayeredPair(turn: [0.03, 0, 0])
    var (left, right) = images(pair)
    let leftFromRight = pair.rightFromLeft.inverse
    let place = isOpposite ? pair.rightFromLeft : leftFromRight
    let reference = CameraExtrinsics(rotation: .identity, translationMillimeters: .zero)
    left.camera = CameraCalibration(intrinsics: pair.intrinsics, extrinsics: reference)
    left.referenceFromCamera = reference.referenceFromCamera
    let other = CameraExtrinsics(
      rotation: place.rotation, translationMillimeters: place.translation * 1000)
    right.camera = CameraCalibration(intrinsics: pair.intrinsics, extrinsics: other)
    right.referenceFromCamera = other.referenceFromCamera
    let result = try StereoReconstructor().reconstruct(left: left, right: right, fileName: "dual")
    #expect(result.geometry.basis == .file && result.geometry.calibration.isMetric)
    #expect(result.analysis.assessment.findings.contains { $0.code == .stereoExtrinsicsUnverified })
    #expect(try error(result, pair).median < 0.02)
  }

  @Test("any number of threads gives the same disparities")
  func threads() throws {
    let pair = LayeredPair(turn: [0, -0.02, 0.01])
    var reconstructor = StereoReconstructor()
    reconstructor.calibration = calibration(pair)
    reconstructor.threads = 1
    let first = try result(pair, reconstructor)
    reconstructor.threads = 3
    let second = try result(pair, reconstructor)
    let bits = { (result: StereoResult) in result.match.disparity.pixels.samples.map(\.bitPattern) }
    #expect(bits(first) == bits(second))
  }

  @Test("a calibration that does not fit is named")
  func unfit() throws {
    let pair = LayeredPair(turn: [0, -0.02, 0])
    var wrong = calibration(pair)
    // 0.012 rad of 216 px: the rows lie 2.6 px apart.
    let bump = try #require(Rotation(axisAngle: [0.012, 0, 0]))
    wrong.rightFromLeft.rotation = bump * wrong.rightFromLeft.rotation
    var reconstructor = StereoReconstructor()
    reconstructor.calibration = wrong
    let result = try result(pair, reconstructor)
    #expect(result.analysis.assessment.findings.contains { $0.code == .stereoVerticalResidual })
  }
}

@Suite("Pairs that give no depth")
struct StereoRefusalTests {
  private func failure(
    _ left: Raster<RGB8>, _ right: Raster<RGB8>,
    _ reconstructor: StereoReconstructor = StereoReconstructor()
  ) -> StereoError? {
    do {
      _ = try reconstructor.reconstruct(
        left: StereoImage(color: left), right: StereoImage(color: right), fileName: "pair")
      return nil
    } catch { return error as? StereoError }
  }

  private func calibrated(_ pair: LayeredPair) -> StereoReconstructor {
    let camera = CameraCalibration(intrinsics: pair.intrinsics)
    var reconstructor = StereoReconstructor()
    reconstructor.calibration = StereoCalibration(
      left: camera, right: camera, rightFromLeft: pair.rightFromLeft)
    return reconstructor
  }

  @Test("the same image twice, also behind noise of one level")
  func identical() {
    let pair = LayeredPair(rightInLeft: .zero)
    #expect(failure(pair.left, pair.left)?.found.contains("same image twice") == true)
    let other = pair.left.map { pixel in
      RGB8(red: pixel.red ^ 1, green: pixel.green ^ 1, blue: pixel.blue ^ 1)
    }
    #expect(failure(pair.left, other)?.found.contains("same image twice") == true)
    let reconstructor = calibrated(LayeredPair())
    #expect(failure(pair.left, other, reconstructor)?.found.contains("same image twice") == true)
  }

  @Test("swapped images, with a calibration and without")
  func swapped() {
    let pair = LayeredPair()
    #expect(failure(pair.right, pair.left)?.found.contains("swapped") == true)
    #expect(failure(pair.right, pair.left, calibrated(pair))?.found.contains("swapped") == true)
    var reconstructor = StereoReconstructor()
    reconstructor.rectified = .init(focalLengthPixels: 216, baselineMeters: 0.08)
    #expect(failure(pair.right, pair.left, reconstructor)?.found.contains("swapped") == true)
  }

  @Test("images of two sizes")
  func sizes() {
    let pair = LayeredPair()
    let part = pair.right.cropped(to: PixelRectangle(x: 0, y: 0, width: 200, height: 180))
    for reconstructor in [StereoReconstructor(), calibrated(pair)] {
      #expect(failure(pair.left, part, reconstructor)?.reason == .mismatch)
    }
  }

  @Test("a camera that only turned, a wall, and other scenes")
  func degenerate() {
    let turned = LayeredPair(rightInLeft: .zero, turn: [0, 0.04, 0.01])
    #expect(failure(turned.left, turned.right)?.found.contains("did not move") == true)
    // A quarter of the distance apart, so that the wall's slant cannot pass for a turn.
    let wall = LayeredPair(rightInLeft: [0.6, 0, 0], turn: [0, -0.2, 0], hasPanels: false)
    var reconstructor = StereoReconstructor()
    reconstructor.focalLengthPixels = wall.intrinsics.focalLength.x
    #expect(failure(wall.left, wall.right, reconstructor)?.found.contains("one plane") == true)
    let other = LayeredPair(seed: 2)
    #expect(failure(turned.left, other.right)?.reason == .degenerate)
    #expect(failure(turned.left, other.right, calibrated(other))?.reason == .degenerate)
  }

  @Test("a baseline of 0 in the calibration")
  func baseline() {
    let pair = LayeredPair()
    var reconstructor = calibrated(pair)
    reconstructor.calibration?.rightFromLeft.translation = .zero
    #expect(failure(pair.left, pair.right, reconstructor)?.reason == .degenerate)
  }

  @Test("a range in meters without meters, and one behind the cameras")
  func range() {
    let pair = LayeredPair()
    var reconstructor = StereoReconstructor()
    reconstructor.rangeMeters = 1...3
    #expect(failure(pair.left, pair.right, reconstructor)?.reason == .relative)
  }
}
