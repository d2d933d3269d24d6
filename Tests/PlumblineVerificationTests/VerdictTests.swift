import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// The whole table: what the depths are × whether the camera can be trusted × its lens.
@Suite struct VerdictTests {
  enum Depth: CaseIterable {
    case absolute, relative, unknownAccuracy, withoutUnit, oneDistance, twoDistances, empty
  }
  enum Camera: CaseIterable {
    case sound, wrongFocalLengths, wrongCenter, wrongShape, missing
  }
  enum Lens: CaseIterable {
    case distorted, rectified, unknown
  }

  static func capture(_ depth: Depth, _ camera: Camera, _ lens: Lens) -> SimulatedCapture {
    var faults: [CaptureFault] = []
    switch camera {
    case .sound, .missing: break
    case .wrongFocalLengths: faults.append(.focalLengths([46, 60]))
    case .wrongCenter: faults.append(.distortionCenter([22, 24]))
    case .wrongShape: faults.append(.claimedSize(RasterSize(width: 68, height: 48)))
    }
    if lens == .rectified { faults.append(.claimsNoDistortion) }
    if [.relative, .oneDistance, .twoDistances].contains(depth) {
      faults.append(.relative(scale: 0.8, offset: 0.1))
    }
    var capture = SimulatedCapture(faults)
    if camera == .missing { capture.record.calibration = nil }
    if lens == .unknown { capture.record.calibration?.distortion = nil }
    switch depth {
    case .absolute, .relative: break
    case .unknownAccuracy: capture.record.accuracy = .unknown
    case .withoutUnit: capture.record.hasUnit = false
    case .oneDistance: capture.knownDistances = [SimulatedCapture.knownFar]
    case .twoDistances:
      capture.knownDistances = [SimulatedCapture.knownNear, SimulatedCapture.knownFar]
    case .empty: capture.keep(0)
    }
    return capture
  }

  static func expected(_ depth: Depth, _ camera: Camera, _ lens: Lens) -> Verdict {
    switch depth {
    case .empty: return .untrusted
    case .relative, .unknownAccuracy, .withoutUnit: return .relative
    case .oneDistance, .twoDistances: return isTrusted(camera, lens) ? .corrected : .untrusted
    case .absolute:
      guard isTrusted(camera, lens) else { return .untrusted }
      return lens == .distorted ? .corrected : .measurable
    }
  }

  /// A wrong center of a lens that the file does not describe cannot be seen, and moves nothing.
  static func isTrusted(_ camera: Camera, _ lens: Lens) -> Bool {
    camera == .sound || camera == .wrongCenter && lens == .unknown
  }

  @Test(arguments: Depth.allCases, Camera.allCases)
  func everyCombination(_ depth: Depth, _ camera: Camera) throws {
    for lens in Lens.allCases {
      let assessment = try Self.capture(depth, camera, lens).assessment()
      let verdict = Self.expected(depth, camera, lens)
      #expect(assessment.verdict == verdict, "\(lens)")
      #expect(assessment.isCalibrationTrusted == Self.isTrusted(camera, lens), "\(lens)")
      #expect(assessment.verdict.isMeasurable == (verdict == .measurable || verdict == .corrected))
      #expect((assessment.uncertainty == nil) == (depth == .empty))
      if verdict.isMeasurable {
        // A capture that can be measured carries no fault and says how well.
        #expect(!assessment.findings.contains { $0.severity == .fault })
        #expect(assessment.uncertainty?.lengthPercent != nil)
        #expect(assessment.reason.contains("±"))
      } else {
        #expect(assessment.findings.first?.severity == .fault)
      }
      #expect(assessment.reason.hasPrefix(Self.beginnings[verdict] ?? "?"), "\(assessment.reason)")
    }
  }

  static let beginnings: [Verdict: String] = [
    .measurable: "Meters as it is: depth ± ", .corrected: "Meters after correction: depth ± ",
    .relative: "Relative only: ", .untrusted: "Do not measure: ",
  ]

  @Test(
    "A relative verdict says what keeps it from meters",
    arguments: [
      (Depth.relative, "no known scale and offset"), (.unknownAccuracy, "absolute"),
      (.withoutUnit, "no unit"),
    ])
  func relativeSaysWhy(depth: Depth, words: String) throws {
    let reason = try Self.capture(depth, .sound, .distorted).assessment().reason
    #expect(reason.contains(words))
  }

  @Test(
    "What can be corrected says how; what was corrected says nothing more",
    arguments: Depth.allCases)
  func remedies(depth: Depth) throws {
    let findings = try Self.capture(depth, .sound, .distorted).assessment().findings
    for finding in findings {
      #expect(finding.correction != .available || !finding.remedies.isEmpty, "\(finding)")
      #expect(finding.correction != .applied || finding.remedies.isEmpty, "\(finding)")
    }
    let lacksScale = [.relative, .unknownAccuracy, .withoutUnit].contains(depth)
    #expect(findings.contains { $0.remedies.last == .measureDistances } == lacksScale)
    // What the file leaves open can also be stated; what it calls relative cannot.
    let stated: [Depth: Remedy] = [.unknownAccuracy: .stateMetric, .withoutUnit: .stateUnit]
    let first = findings.first { $0.remedies.last == .measureDistances }?.remedies.first
    #expect(!lacksScale || first == stated[depth] ?? .measureDistances)
  }

  @Test("Depths that a reader found to be cut off are not measurable, with known distances or not")
  func truncatedDepths() throws {
    for depth in [Depth.absolute, .oneDistance, .twoDistances] {
      let simulated = Self.capture(depth, .sound, .distorted)
      var capture = simulated.capture
      capture.findings.append(
        Finding(.depthTruncatedToMeters, .fault, "cut off to whole meters", evidence: "depth_data"))
      let assessment = CaptureAssessment(capture, try simulated.corrected())
      #expect(assessment.verdict == .untrusted)
      #expect(assessment.reason.hasPrefix("Do not measure: "))
    }
  }

  @Test("A camera that was replaced before is the file's own; replaced now it is a correction")
  func replacedCameras() throws {
    let simulated = Self.capture(.absolute, .sound, .rectified)
    var capture = simulated.capture
    let finding = Finding(
      .calibrationReplaced, .note, "replaced", evidence: "a file", correction: .applied)
    let step = ProvenanceStep(.calibrationReplaced, "f became another")
    // How often the camera was replaced, and how often before the file was read.
    for (all, before, verdict) in [
      (0, 0, Verdict.measurable), (1, 0, .corrected), (1, 1, .measurable), (2, 1, .corrected),
      (2, 2, .measurable), (0, 1, .measurable),
    ] {
      capture.findings = [Finding](repeating: finding, count: all)
      let assessment = CaptureAssessment(
        capture, try simulated.corrected(),
        earlier: [ProvenanceStep](repeating: step, count: before))
      #expect(assessment.verdict == verdict, "\(all) \(before)")
      let named = assessment.findings.filter { $0.code == .depthCorrectedBefore }
      #expect(named.count == min(before, 1))
      #expect(named.allSatisfy { $0.severity == .note && $0.message.contains(step.name) })
    }
  }

  @Test("Corrections and filters are named; parts of reading and what was taken back are not")
  func earlierSteps() {
    func steps(_ names: String...) -> [String] {
      names.map { ProvenanceStep(name: $0, detail: "") }.corrections.map(\.name)
    }
    #expect(steps("read", "inverted", "cropped", "scaled", "rectified-points") == [])
    #expect(steps("read", "rectified", "focal-replaced") == ["rectified", "focal-replaced"])
    #expect(steps("rectified", "undone-rectified") == [])
    #expect(steps("mirrored", "rectified", "undone-mirrored") == ["rectified"])
    #expect(steps("flying-removed", "another program's") == ["flying-removed"])
  }

  @Test(arguments: [(Lens.distorted, 0.5), (.rectified, 6.5), (.unknown, 1.4)])
  func lengthsAreAsGoodAsTheLensIsKnown(lens: Lens, percent: Double) throws {
    let assessment = try Self.capture(.absolute, .sound, lens).assessment()
    #expect(assessment.uncertainty?.lengthPercent == percent)
    // Only 6.5 % is above the 3 % up to which a capture is plainly measurable.
    let limits = assessment.limits.map(\.lengthPercent)
    #expect(limits == (lens == .rectified ? [6.5] : []))
    #expect(assessment.reason.contains("only to ± 6.5 %") == (lens == .rectified))
    let expected: [Lens: Bool] = [.distorted: false, .rectified: true]
    #expect(assessment.isRectified == expected[lens])
  }

  /// A fitted estimate says that it is one, and when its focal length was not measured.
  @Test func anAssumedFocalLengthIsSaidBesideLengths() throws {
    let simulated = SimulatedCapture()
    var capture = simulated.capture
    capture.source.camera = .unknown
    capture.provenance = EstimateOrigin(model: "a model", fittedTo: "3 distances").steps(
      detail: "", fit: nil)
    let focal = try #require(capture.depth?.calibration?.intrinsics.focalLength)
    func assessment() throws -> CaptureAssessment {
      CaptureAssessment(capture, try simulated.corrected())
    }
    let known = try assessment()
    #expect(!known.reason.contains("not measured"))
    capture.findings = [Finding(.estimateFocalAssumed, .caution, "assumed", evidence: "assumed")]
    capture.depth?.calibrationUncertainty = CalibrationUncertainty(
      focalLengthPixels: 0.25 * focal, basis: "assumed")
    let assumed = try assessment()
    #expect(assumed.reason.contains("an estimate of a model fitted to 3 distances"))
    #expect(assumed.reason.hasSuffix(" % with a focal length that was not measured."))
    #expect(try #require(assumed.uncertainty?.lengthPercent) > 25)
  }

  @Test func theStepIsGivenInMillimetersOnlyForMeters() throws {
    var capture = SimulatedCapture()
    #expect(try capture.assessment().stepMillimetersAtMedian == nil)
    capture.record.quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 250, minimumValue: 0, maximumValue: 2.5)
    let assessment = try capture.assessment()
    let median = try #require(assessment.statistics?.medianMeters)
    let step = try #require(assessment.stepMillimetersAtMedian)
    #expect(abs(step - median * median * 10) < 1e-9)
    capture.record.accuracy = .relative
    #expect(try capture.assessment().stepMillimetersAtMedian == nil)
  }
}
