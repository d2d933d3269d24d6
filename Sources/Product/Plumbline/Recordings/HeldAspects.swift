import PlumblineModel
import PlumblineRecordings

/// What the frames of a recording hold, gathered while they are written.
struct HeldAspects {
  var aspects: Set<RecordingAspect> = []
  private(set) var colorlessFrames = 0
  private(set) var colorlessReason: String?
  private var firstIntrinsics: PinholeIntrinsics?
  /// Why no frame of the recording has color, such as a video that was cut off.
  private let recordingColorLoss: String?

  init(findings: [Finding]) { recordingColorLoss = Self.colorLoss(in: findings) }

  /// What is held and has no place in a format.
  func leftOut(by format: RecordingFormat) -> [RecordingAspect] {
    RecordingAspect.allCases.filter { aspects.contains($0) && !format.aspects.contains($0) }
  }

  /// The findings' text about color that is stored and cannot be used.
  private static func colorLoss(in findings: [Finding]) -> String? {
    findings.first { $0.code == .sequenceFilmUndecoded || $0.code == .fileDamagedImage }?.message
  }

  /// Notes what a frame holds.
  mutating func note(_ capture: Capture, hasColor: Bool) {
    if hasColor, capture.colorSize != nil { aspects.insert(.color) }
    if hasColor, capture.color == nil, capture.colorFile == nil,
      let reason = Self.colorLoss(in: capture.findings) ?? recordingColorLoss
        ?? capture.colorSize.map({ "the recording has no image of \($0) for this frame" })
    {
      colorlessFrames += 1
      colorlessReason = colorlessReason ?? reason
    }
    if capture.timestampSeconds != nil { aspects.insert(.timestamps) }
    if capture.worldFromCamera != nil { aspects.insert(.poses) }
    if !capture.provenance.isEmpty || capture.source.model != nil { aspects.insert(.provenance) }
    guard let record = capture.depth else { return }
    if record.confidence != nil { aspects.insert(.confidence) }
    if record.sigmaMeters != nil { aspects.insert(.sigma) }
    if record.residual != nil { aspects.insert(.residual) }
    if let calibration = record.calibration {
      aspects.insert(.intrinsics)
      // A lens that moves nothing is what a rectified image states.
      if calibration.distortion?.isZero == false { aspects.insert(.distortion) }
      firstIntrinsics = firstIntrinsics ?? calibration.intrinsics
      if calibration.intrinsics != firstIntrinsics { aspects.insert(.intrinsicsPerFrame) }
    }
    if !aspects.contains(.exactDepth), !record.isWholeMillimeters { aspects.insert(.exactDepth) }
  }
}

extension DepthRecord {
  /// Whether 16-bit millimeters hold every depth exactly; O(*n*).
  fileprivate var isWholeMillimeters: Bool {
    guard case .depth(let map) = values else { return false }
    return map.meters.samples.allSatisfy { meters in
      guard meters > 0 else { return true }
      let millimeters = (meters * 1000).rounded()
      return millimeters <= 65_535 && millimeters / 1000 == meters
    }
  }
}
