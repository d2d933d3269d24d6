import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// One capture that is wrong in one way, with exactly the findings that it deserves.
struct FaultyCase: Sendable, CustomTestStringConvertible {
  var name: String
  var codes: Set<FindingCode>
  var capture: SimulatedCapture

  /// Adds to the one finding of the sound capture, whose lens is not rectified.
  init(
    _ name: String, _ codes: Set<FindingCode>, replacesLens: Bool = false,
    _ capture: SimulatedCapture
  ) {
    self.name = name
    self.codes = replacesLens ? codes : codes.union([.calibrationDistorted])
    self.capture = capture
  }

  var testDescription: String { name }
}

@Suite struct FindingTests {
  static let sound = SimulatedCapture()

  static let depth: [FaultyCase] = [
    FaultyCase("sound", [], sound),
    FaultyCase(
      "relative", [.depthRelative], SimulatedCapture([.relative(scale: 0.8, offset: 0.1)])),
    FaultyCase(
      "scaled", [.depthRelative, .depthScaledByDistance],
      SimulatedCapture([.relative(scale: 0.8, offset: 0.1)]).with {
        $0.knownDistances = [SimulatedCapture.knownNear, SimulatedCapture.knownFar]
      }),
    FaultyCase("accuracy", [.depthAccuracyUnknown], sound.with { $0.record.accuracy = .unknown }),
    FaultyCase("unit", [.depthUnitUnknown], sound.with { $0.record.hasUnit = false }),
    FaultyCase("filtered", [.depthFiltered], sound.with { $0.record.isFiltered = true }),
    FaultyCase("filter unknown", [.depthFilterUnknown], sound.with { $0.record.isFiltered = nil }),
    FaultyCase("low quality", [.depthLowQuality], sound.with { $0.record.quality = "low" }),
    FaultyCase("low confidence", [.depthLowConfidence], sound.with { $0.trust(0.5) }),
    FaultyCase("empty", [.depthEmpty], sound.with { $0.keep(0) }),
    FaultyCase("sparse", [.depthSparse], sound.with { $0.keep(0.5) }),
    FaultyCase(
      "quantized", [.depthQuantized],
      sound.with { capture in
        capture.record = SimulatedTrueDepthSensor.perfect.measurement(
          of: SimulatedCapture.scene, from: SimulatedCapture.camera, seed: 7
        ).depthRecord(isStored: true)
      }),
    FaultyCase(
      "attached", [.depthAttached],
      sound.with { $0.provenance = [ProvenanceStep(.attached, "64×48 of other.npy")] }),
    FaultyCase("flying pixels", [.depthFlyingPixels], SimulatedCapture(sensor: flyingSensor)),
  ]

  static let calibration: [FaultyCase] = [
    FaultyCase(
      "missing", [.calibrationMissing], replacesLens: true,
      sound.with { $0.record.calibration = nil }),
    FaultyCase(
      "focal aspect", [.calibrationFocalAspect], SimulatedCapture([.focalLengths([46, 60])])),
    FaultyCase(
      "principal point", [.calibrationPrincipalPoint],
      sound.with { $0.record.calibration?.intrinsics.principalPoint = [40, 24] }),
    FaultyCase(
      "distortion center", [.calibrationPrincipalPoint],
      SimulatedCapture([.distortionCenter([22, 24])])),
    FaultyCase(
      "field of view", [.calibrationFieldOfView], SimulatedCapture([.focalLengthScaled(by: 10)])),
    FaultyCase(
      "aspect", [.calibrationAspect], replacesLens: true,
      SimulatedCapture([.claimedSize(RasterSize(width: 68, height: 48))])),
    FaultyCase(
      "other size", [.calibrationOtherSize],
      sound.with {
        $0.record.calibration =
          SimulatedCapture.camera.scaled(to: RasterSize(width: 256, height: 192)).calibration
      }),
    FaultyCase(
      "rectified", [.calibrationRectified], replacesLens: true,
      SimulatedCapture([.claimsNoDistortion])),
    FaultyCase(
      "distortion unknown", [.calibrationDistortionUnknown], replacesLens: true,
      sound.with { $0.record.calibration?.distortion = nil }),
    FaultyCase("no device", [.deviceUnknown], sound.with { $0.source.model = nil }),
    FaultyCase(
      "unmeasured device", [.deviceUnmeasured], sound.with { $0.source.model = "iPhone 99" }),
  ]

  static let image: [FaultyCase] = [
    FaultyCase(
      "cropped", [.imageCropped],
      sound.with { $0.record.cleanAperture = PixelRectangle(x: 2, y: 4, width: 56, height: 40) }),
    FaultyCase(
      "uncovered", [.calibrationUncovered],
      sound.with {
        // Corners in the left half only.
        $0.record.calibrationUncertainty = CalibrationUncertainty(
          focalLengthPixels: [0.1, 0.1],
          projection: ProjectionUncertainty(
            columns: 2, rows: 1, sigmaPixels: [0.1, 2], cornerCounts: [40, 0], imageWidth: 64),
          basis: "a board")
      }),
    FaultyCase("turned", [.imageTurned], sound.with { $0.record.orientation = .right }),
    FaultyCase(
      "mirrored", [.imageTurned, .imageMirrored],
      sound.with { $0.record.orientation = .upMirrored }),
    FaultyCase("edited", [.imageEdited], sound.with { $0.source.system = "Some Editor 3" }),
    FaultyCase("system", [], sound.with { $0.source.system = "16.2" }),
  ]

  static let flyingSensor: SimulatedTrueDepthSensor = {
    var sensor = SimulatedTrueDepthSensor.perfect
    sensor.flyingPixelShare = 1
    return sensor
  }()

  @Test(arguments: depth + calibration + image) func eachFaultIsFoundAndNothingElse(
    _ one: FaultyCase
  )
    throws
  {
    let findings = try one.capture.assessment().findings
    #expect(Set(findings.map(\.code)) == one.codes)
    #expect(findings.count == one.codes.count)
  }

  /// Corrections of recordings follow from these, without a look at the pixels.
  @Test(arguments: depth + calibration + image) func cameraFindingsAreThoseOfTheWhole(
    _ one: FaultyCase
  ) throws {
    let families: [FindingFamily] = [.calibration, .image, .device]
    func codes(_ findings: [Finding]) -> [FindingCode] {
      // Whether depths lie outside of what a board showed is known from pixels alone.
      findings.filter { families.contains($0.code.family) && $0.code != .calibrationUncovered }
        .map(\.code)
        .sorted { $0.rawValue < $1.rawValue }
    }
    #expect(
      codes(CaptureAssessment.cameraFindings(of: one.capture.capture))
        == codes(try one.capture.assessment().findings))
  }

  /// A photo that says it was cropped may have its center anywhere; nothing else is forgiven.
  @Test func aCroppedPhotosCenterIsNoFault() throws {
    let crop = [ProvenanceStep(.photoCropped, "64×48 at (300, 0) of 640×480")]
    for one in Self.calibration where one.codes.contains(.calibrationPrincipalPoint) {
      let plain = try one.capture.assessment()
      let cropped = try one.capture.with { $0.provenance = crop }.assessment()
      #expect(!plain.isCalibrationTrusted && cropped.isCalibrationTrusted, "\(one.name)")
      let finding = cropped.findings.first { $0.code == .calibrationPrincipalPoint }
      #expect(finding?.severity == .note)
    }
    for one in Self.calibration where !one.codes.contains(.calibrationPrincipalPoint) {
      let cropped = try one.capture.with { $0.provenance = crop }.assessment()
      #expect(Set(cropped.findings.map(\.code)) == one.codes, "\(one.name)")
    }
  }

  /// The ± of attached depth is what came with it, whatever the phone's sensor is like.
  @Test func attachedDepthHasItsOwnSigma() throws {
    let attached = Self.sound.with {
      $0.provenance = [ProvenanceStep(.attached, "64×48 of other.npy")]
      guard case .disparity(let map) = $0.record.values else { return }
      $0.record.sigmaMeters = map.depthMap.meters.map { 0.02 * $0 * $0 }
    }
    let uncertainty = try #require(try attached.assessment().uncertainty)
    // Of the float map itself nothing is added; 20 mm at 1 m came with it.
    #expect(abs(uncertainty.total.sigmaMeters(atDepth: 1) - 0.02) < 1e-4)
  }

  /// Readers emit the other codes, from what they see in the bytes.
  @Test func everyCodeOfThisStageIsProduced() {
    let ofReaders: Set<FindingCode> = [
      .depthMissing, .depthRangeFromBitstream, .depthRangeUnknown, .depthAlongRay,
      .calibrationDamaged, .depthTruncatedToMeters, .calibrationPrescaled, .depthUnitAssumed,
      .depthEncodingAssumed, .calibrationAssumed, .depthBeyondSensor, .calibrationUnmodeledLens,
      .imageFurtherPages,
    ]
    // These need a device with a fault, or an image: `DeviceFindingTests` produces them.
    let elsewhere: Set<FindingCode> = [
      .deviceFocalBeforeCorrection, .deviceDepthZoomed, .depthMisaligned,
      // And these a step of `PlumblineCorrection`.
      .calibrationReplaced, .imageCompanionsLeftOut, .depthInvented,
      // And this steps that a file came with: `VerdictTests`.
      .depthCorrectedBefore,
      // And this a map of a LiDAR's size: `CompletedSurfaceTests`.
      .depthCompletedSurface,
    ]
    let here = FindingCode.allCases.filter { code in
      ["depth.", "calibration.", "device.", "image."].contains { code.rawValue.hasPrefix($0) }
        && !ofReaders.contains(code) && !elsewhere.contains(code)
    }
    let produced = (Self.depth + Self.calibration + Self.image).reduce(into: Set()) {
      $0.formUnion($1.codes)
    }
    #expect(produced == Set(here))
  }

  @Test func aPhotoWithoutDepthSaysSo() {
    var capture = Capture(source: CaptureSource())
    let plain = CaptureAssessment(capture, nil)
    #expect(plain.findings.map(\.code) == [.depthMissing])
    #expect(plain.reason == "There is no depth map in this file.")
    #expect(plain.verdict == .untrusted && !plain.isCalibrationTrusted)
    #expect(plain.findings.first?.remedies == [])
    capture.colorSize = RasterSize(width: 20, height: 10)
    #expect(CaptureAssessment(capture, nil).findings.first?.remedies == [.estimateDepth])
    capture.stereoPair = StereoPair(
      size: RasterSize(width: 20, height: 10), focalLengthPixels: nil, baselineMillimeters: 19.24)
    let spatial = CaptureAssessment(capture, nil)
    #expect(spatial.findings.first?.message.hasSuffix("20×10, 19.2 mm apart") == true)
    #expect(spatial.findings.first?.remedies == [.matchViews])
    capture.findings = [Finding(.depthRangeUnknown, .fault, "the range is unknown")]
    let unknown = CaptureAssessment(capture, nil)
    #expect(unknown.findings.map(\.code) == [.depthRangeUnknown])
    #expect(unknown.reason == "The range is unknown.")
  }

  @Test func faultsComeFirstAndOthersKeepTheirOrder() throws {
    let wrong = SimulatedCapture([.focalLengths([46, 60]), .relative(scale: 1, offset: 0)]).with {
      $0.record.isFiltered = true
      $0.source.model = nil
    }
    var capture = wrong.capture
    capture.findings = [
      Finding(.fileTrailer, .note, "a"), Finding(.fileDamagedMetadata, .caution, "b"),
      Finding(.imageCropped, .note, "c"),
    ]
    let findings = CaptureAssessment(capture, try wrong.corrected()).findings
    let expected: [FindingCode] = [
      .depthRelative, .calibrationFocalAspect, .fileDamagedMetadata, .depthFiltered, .fileTrailer,
      .imageCropped, .calibrationDistorted, .deviceUnknown,
    ]
    #expect(findings.map(\.code) == expected)
  }

  @Test(arguments: depth + calibration + image) func textsAreSingleSentences(_ one: FaultyCase)
    throws
  {
    let assessment = try one.capture.assessment()
    let reason = assessment.reason
    #expect(reason.hasSuffix(".") && !reason.hasSuffix(".."))
    #expect(reason.first?.isUppercase == true)
    #expect(!reason.contains(". ") && !reason.contains("\n"))
    for finding in assessment.findings {
      #expect(!finding.message.hasSuffix(".") && !finding.message.contains(". "))
      #expect(!finding.evidence.isEmpty)
    }
  }
}
