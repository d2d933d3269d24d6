import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

@Suite("Rows of a file that states no turns") struct StraightenedRowTests {
  /// The pair as a spatial photo states it: positions and focal lengths, no turns.
  private static func result(_ pair: LayeredPair) throws -> StereoResult {
    var (left, right) = (StereoImage(color: pair.left), StereoImage(color: pair.right))
    let camera = CameraCalibration(intrinsics: pair.intrinsics)
    (left.camera, right.camera) = (camera, camera)
    left.referenceFromCamera = .identity
    right.referenceFromCamera = RigidTransform(
      rotation: .identity, translation: pair.rightFromLeft.inverse.translation)
    return try StereoReconstructor().reconstruct(left: left, right: right, fileName: "pair")
  }

  @Test(
    "A known turn is found, undone and reported with its ±",
    arguments: [SIMD3(0.012, 0, 0.008), SIMD3(-0.01, 0, -0.015), SIMD3(0.002, 0.012, 0.006)])
  func straightened(turn: SIMD3<Double>) throws {
    let pair = LayeredPair(size: RasterSize(width: 400, height: 300), turn: turn)
    let result = try Self.result(pair)
    #expect(result.geometry.basis == .file)
    let finding = try #require(
      result.analysis.assessment.findings.first { $0.code == .stereoVerticalResidual })
    #expect(finding.evidence.contains("±"), "\(finding)")
    let sigma = try #require(result.geometry.calibration.uncertainty?.offsetPixels)
    // A yaw of 0.012 radians may move disparities by 4.3 px.
    #expect(turn.y == 0 ? sigma < 1.5 : sigma > 4 && sigma < 7, "\(sigma)")
    let found = result.geometry.calibration.rightFromLeft.rotation.axisAngle
    let truth = pair.rightFromLeft.rotation.axisAngle
    // A tenth of a pixel of 360 px focal length is 0.0003 radians.
    #expect(abs(found.x - truth.x) < 0.001, "\(found) \(truth)")
    #expect(abs(found.z - truth.z) < 0.002, "\(found) \(truth)")
    // Rows of this image change by 0.1 px for 0.002 radians.
    #expect(abs(found.y - truth.y) < 0.004, "\(found) \(truth)")
  }

  @Test("Rows that agree are left as the file states them") func straight() throws {
    let pair = LayeredPair(size: RasterSize(width: 400, height: 300))
    let result = try Self.result(pair)
    #expect(result.geometry.calibration.rightFromLeft.rotation == .identity)
    #expect(!result.analysis.assessment.findings.contains { $0.code == .stereoVerticalResidual })
  }

  /// What a pair suffers from.
  enum Fault: String, CaseIterable {
    case pitch, roll, yaw, scale, rightLens, bothLenses, all
  }

  /// A pair whose faults are drawn: turns of 0.4°, scales of 0.4 %, lenses of k1 = 0.03.
  private static func pair(_ fault: Fault, seed: UInt64) -> LayeredPair {
    var random = SeededGenerator(seed: seed)
    func draw(_ kinds: Fault..., size: Double) -> Double {
      let value = size * random.gaussian()
      return fault == .all || kinds.contains(fault) ? value : 0
    }
    let turn = SIMD3(
      draw(.pitch, size: 0.007), draw(.yaw, size: 0.007), draw(.roll, size: 0.007))
    var faults = LayeredPair.Faults()
    faults.scale = draw(.scale, size: 0.004)
    faults.leftRadial = draw(.bothLenses, size: 0.03)
    faults.rightRadial = faults.leftRadial + draw(.rightLens, size: 0.03)
    return LayeredPair(
      size: RasterSize(width: 400, height: 300), turn: turn, seed: seed, faults: faults)
  }

  /// The shares of the depths within one and two σ of the truth, and the median σ over depth.
  private static func coverage(
    _ pair: LayeredPair
  ) throws -> (one: Double, two: Double, sigma: Double, error: Double) {
    let result = try result(pair)
    let map = StereoDepth(result.match, result.rectification)
    var (count, one, two) = (0.0, 0.0, 0.0)
    var sigmas: [Double] = []
    var errors: [Double] = []
    for y in stride(from: 0, to: map.depth.size.height, by: 3) {
      for x in stride(from: 0, to: map.depth.size.width, by: 3) {
        let depth = Double(map.depth.meters[x, y])
        guard !depth.isNaN else { continue }
        let ray = map.intrinsics.unproject([Double(x), Double(y)], depth: 1)
        let truth = pair.lengths(along: map.depthFromLeft.inverse * ray)
        let error = abs(depth - truth), sigma = Double(map.sigma[x, y])
        count += 1
        one += error <= sigma ? 1 : 0
        two += error <= 2 * sigma ? 1 : 0
        sigmas.append(sigma / depth)
        errors.append(error / truth)
      }
    }
    let middle = sigmas.count / 2
    return (one / count, two / count, sigmas.sorted()[middle], errors.sorted()[middle])
  }

  /// `PLUMBLINE_ROW_SEEDS=30` draws as many pairs of each kind and prints the table of stereo.md.
  @Test("The ± of depths holds what faults that no file states leave") func coverage() throws {
    let told = ProcessInfo.processInfo.environment["PLUMBLINE_ROW_SEEDS"].flatMap { UInt64($0) }
    var (ones, twos): ([Double], [Double]) = ([], [])
    for fault in told == nil ? [.roll, .yaw] : Fault.allCases {
      let found = try (1...(told ?? 2)).map { try Self.coverage(Self.pair(fault, seed: $0)) }
      func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
      let (one, two) = (mean(found.map(\.one)), mean(found.map(\.two)))
      ones.append(one)
      twos.append(two)
      if told != nil {
        print(
          "| \(fault.rawValue) | \((100 * one).fixed(1)), \((100 * two).fixed(1)) % | "
            + "\((100 * mean(found.map(\.sigma))).fixed(2)) % | "
            + "\((100 * mean(found.map(\.error))).fixed(2)) % |")
      }
    }
    let one = ones.reduce(0, +) / Double(ones.count), two = twos.reduce(0, +) / Double(twos.count)
    #expect(told != nil || one > 0.55 && two > 0.85, "\(ones) \(twos)")
  }

  @Test(
    "spatial_photo.heic: rows of points that were not fitted come together too",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func leftOutPoints() throws {
    let bytes = try RealData.bytes("photos/spatial_photo.heic")
    let pair = try StereoImageReader().pair(from: bytes)
    let (a, b) = (try #require(pair.left.camera), try #require(pair.right.camera))
    let places = (
      try #require(pair.left.referenceFromCamera), try #require(pair.right.referenceFromCamera)
    )
    let calibration = StereoCalibration(
      left: a, right: b, rightFromLeft: places.1.inverse * places.0)
    let rectification = try StereoRectification(calibration, focalLength: .coarser)
    let images = try rectification.rectified(left: pair.left.color, right: pair.right.color)
    let survey = PairSurvey(images.pair, infinityPixels: -rectification.principalOffsetPixels)
    let halves = (0..<2).map { half in
      survey.matches.enumerated().filter { $0.offset % 2 == half }.map(\.element)
    }
    for half in 0..<2 {
      let correction = try #require(RowCorrection.fitted(to: halves[half], rectification))
      func middle(_ matches: [PairMatch]) -> Double {
        correction.misses(of: matches, rectification).map { abs($0) }.sorted()[matches.count / 2]
      }
      let (fitted, other) = (middle(halves[half]), middle(halves[1 - half]))
      let before = halves[1 - half].map { abs($0.right.y - $0.left.y) }.sorted()[
        halves[1 - half].count / 2]
      if ProcessInfo.processInfo.environment["PLUMBLINE_ROW_SEEDS"] != nil {
        print(
          "half \(half): \(before.fixed(2)) px before, fitted \(fitted.fixed(2)), left out "
            + "\(other.fixed(2)); \(correction)")
      }
      #expect(other < before / 2 && other < 1.5 * fitted + 0.1, "\(before) \(fitted) \(other)")
    }
  }
}
