import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// Checks are tight on both sides of their limits.
@Suite struct ThresholdTests {
  static let sound = SimulatedCapture()

  func codes(_ change: (inout SimulatedCapture) -> Void) throws -> Set<FindingCode> {
    Set(try Self.sound.with(change).assessment().findings.map(\.code))
  }

  @Test(arguments: [(1.0099, false), (1.0101, true), (0.9901, false), (0.9899, true)])
  func focalLengthsMayDifferByOnePercent(ratio: Double, isWrong: Bool) throws {
    let found = try codes { $0.record.calibration?.intrinsics.focalLength.x = 60 * ratio }
    #expect(found.contains(.calibrationFocalAspect) == isWrong)
  }

  @Test(arguments: [(0.099, false), (0.101, true)], [-1.0, 1.0])
  func centersMayLieATenthOffTheMiddle(limit: (share: Double, isWrong: Bool), sign: Double) throws {
    let middle = SIMD2(31.5, 23.5)
    let sides = SIMD2(64.0, 48.0)
    for axis in 0..<2 {
      var point = middle
      point[axis] += sign * limit.share * sides[axis]
      let principal = try codes { $0.record.calibration?.intrinsics.principalPoint = point }
      let lens = try codes { $0.record.calibration?.distortion?.center = point }
      #expect(principal.contains(.calibrationPrincipalPoint) == limit.isWrong)
      #expect(lens.contains(.calibrationPrincipalPoint) == limit.isWrong)
    }
  }

  /// The message names the point that is farther off, with its own number.
  @Test func theWorseCenterIsNamed() throws {
    let both = Self.sound.with {
      $0.record.calibration?.intrinsics.principalPoint = [31.5 + 0.12 * 64, 23.5]
      $0.record.calibration?.distortion?.center = [31.5, 23.5 - 0.3 * 48]
    }
    let finding = try both.assessment().findings.first { $0.code == .calibrationPrincipalPoint }
    #expect(finding?.message == "the distortion center lies 30 % of the image away from the middle")
    #expect(finding?.evidence == "(31.5, 9.1) of 64×48")
  }

  /// Focal lengths whose field of view across 64 px is the given angle: 32 / tan(angle / 2).
  @Test(arguments: [
    (11.9, 307.038, true), (12.1, 301.927, false), (129.8, 14.989, false), (130.2, 14.856, true),
  ])
  func phonesSeeTwelveToOneHundredThirtyDegrees(
    degrees: Double, focalLength: Double, isWrong: Bool
  ) throws {
    let found = try codes {
      $0.record.calibration?.intrinsics.focalLength = SIMD2(repeating: focalLength)
      $0.record.calibration?.intrinsics.principalPoint = [31.5, 23.5]
    }
    #expect(found.contains(.calibrationFieldOfView) == isWrong, "\(degrees)°")
  }

  @Test(arguments: [
    (0.705, nil), (0.695, Finding.Severity.note), (0.205, .note), (0.195, .caution), (0, nil),
  ])
  func sparseMapsAreNoted(share: Double, severity: Finding.Severity?) throws {
    let findings = try Self.sound.with { $0.keep(share) }.assessment().findings
    #expect(findings.first { $0.code == .depthSparse }?.severity == severity)
    #expect(findings.contains { $0.code == .depthEmpty } == (share == 0))
  }

  /// The same shares as those of holes: to a filter both are the same.
  @Test(
    arguments: [
      (0.705, nil), (0.695, Finding.Severity.note), (0.205, .note), (0.195, .caution),
      (0, .caution), (1, nil),
    ], [UInt8(1), 2, 255])
  func littleTrustedMapsAreNoted(
    one: (share: Double, severity: Finding.Severity?), maximumLevel: UInt8
  ) throws {
    let capture = Self.sound.with { $0.trust(one.share, maximumLevel: maximumLevel) }
    let findings = try capture.assessment().findings
    #expect(findings.first { $0.code == .depthLowConfidence }?.severity == one.severity)
  }

  /// Holes and pixels that a filter invented have no confidence either, and findings of their own.
  @Test func onlyMeasuredPixelsNeedTrust() throws {
    let holes = Self.sound.with {
      $0.keep(0.5)
      $0.trust(0.4)
    }
    // 10 of 50 hundredths are low.
    #expect(!(try holes.assessment().findings.contains { $0.code == .depthLowConfidence }))
    let invented = Self.sound.with { capture in
      capture.trust(0.4)
      let size = capture.record.size
      capture.record.inventedPixels = Raster(size: size) { x, y in
        y * size.width + x < size.pixelCount / 2 ? 0 : 1
      }
    }
    #expect(!(try invented.assessment().findings.contains { $0.code == .depthLowConfidence }))
    // A map of another size says nothing of these pixels.
    let other = Self.sound.with {
      $0.record.confidence = ConfidenceMap(
        levels: Raster(size: RasterSize(width: 8, height: 6)) { _, _ in 0 }, maximumLevel: 2)
    }
    #expect(!(try other.assessment().findings.contains { $0.code == .depthLowConfidence }))
  }

  /// Codes come out of files; their count must not overflow.
  @Test func hugeCodesAreOnlyReported() throws {
    let found = try codes {
      $0.record.quantization = LinearQuantization(
        minimumCode: .min, maximumCode: .max, minimumValue: 0.5, maximumValue: 2)
    }
    #expect(found.contains(.depthQuantized))
  }

  /// Pixels outside of the clean aperture were not missed by the sensor.
  @Test func croppedPixelsAreNotHoles() throws {
    let cropped = Self.sound.with {
      $0.record.cleanAperture = PixelRectangle(x: 8, y: 6, width: 20, height: 15)
      $0.record.isFiltered = nil
    }
    let finding = try cropped.assessment().findings.first { $0.code == .depthFilterUnknown }
    #expect(finding?.evidence == "0 of 300 pixels missing")
  }
}
