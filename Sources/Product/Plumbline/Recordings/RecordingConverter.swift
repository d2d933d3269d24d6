import PlumblineImages
public import PlumblineIO
import PlumblineModel
public import PlumblineRecordings
public import PlumblineStreams

/// Writes recordings again in another format, and says what the format could not hold.
public struct RecordingConverter: Sendable {
  /// The format that is written.
  public var format: RecordingFormat
  /// Whether color is written; videos cost most of the time.
  public var hasColor: Bool
  /// The rate of a recording none of whose frames has a time: the frame of number *n* gets *n* over it,
  /// and the provenance says so; `nil` to leave them without.
  public var framesPerSecond: Double?

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - format: What is written, which says whether it is a file or a folder.
  ///   - hasColor: Whether color is written.
  ///   - framesPerSecond: The rate of a recording without times; `nil` to leave it without.
  public init(_ format: RecordingFormat, hasColor: Bool = true, framesPerSecond: Double? = nil) {
    self.format = format
    self.hasColor = hasColor
    self.framesPerSecond = framesPerSecond
  }

  /// Converts a recording to a file or folder that appears whole or not at all.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - indices: Which of the frames, ascending.
  ///   - path: The name of the file or folder.
  ///   - existing: What happens to a file of that name; a folder is never replaced.
  ///   - origin: The recording's name, which the output carries.
  ///   - progress: Called before each frame with how many are done; what it throws ends the work.
  /// - Returns: What was written, and what was left out.
  /// - Throws: As ``convert(_:indices:to:fileName:origin:progress:)`` does; then nothing stays.
  public func convert(
    _ recording: Recording, indices: [Int], path: String,
    existing: OutputTransaction.ExistingFiles = .keep, origin: String,
    progress: (Int) throws -> Void = { _ in }
  ) throws -> ConversionSummary {
    let place = try RecordingPlace(
      path: path, isFolder: format.fileEnding == nil, existing: existing)
    let summary: ConversionSummary
    do {
      summary = try convert(
        recording, indices: indices, to: place, fileName: place.fileName, origin: origin,
        progress: progress)
    } catch {
      place.discard()
      throw place.named(error)
    }
    try place.publish()
    return summary
  }

  /// Converts a recording frame after frame; one is in memory at a time.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - indices: Which of the frames, ascending.
  ///   - output: Where to; a single file is made under `fileName`.
  ///   - fileName: The name of a single file; folders ignore it.
  ///   - origin: The recording's name, which the output carries.
  ///   - progress: Called before each frame with how many are done; what it throws ends the work.
  /// - Returns: What was written, and what was left out; frames that cannot be read or held are
  ///   ``ConversionSummary/skipped`` while there are others.
  /// - Throws: ``RecordingWritingError`` for an output that cannot be written, and for a recording
  ///   of which the format can hold no frame; ``CaptureReadingError`` of the first frame when none
  ///   can be read, and for damaged motion samples. Cost: O(*n*).
  public func convert(
    _ recording: Recording, indices: [Int], to output: any RecordingOutput, fileName: String,
    origin: String, progress: (Int) throws -> Void = { _ in }
  ) throws -> ConversionSummary {
    let header = RecordingHeader(worldAxes: recording.worldAxes, origin: origin)
    var held = HeldAspects(findings: recording.findings)
    var writer = try format.writer(to: output, fileName: fileName, header: header)
    let readMotion = try recording.motion()
    let motion = readMotion.samples
    if !motion.isEmpty { held.aspects.insert(.motion) }
    let isTimed = recording.frames.contains { $0.timestampSeconds != nil }
    var (frameCount, motionCount) = (0, 0)
    var skipped: [ConversionSummary.SkippedFrame] = []
    var failure: (any Error)?
    for (done, index) in indices.enumerated() {
      try progress(done)
      let name = recording.frames[index].name
      do {
        let capture = try capture(of: recording, at: index, isTimed: isTimed)
        held.note(capture, hasColor: hasColor)
        // Streams are in the order of time: what was felt before the frame goes before it.
        if let time = capture.timestampSeconds {
          let upTo =
            motion[motionCount...].firstIndex { $0.timestampSeconds > time } ?? motion.count
          try writer.append(motion: Array(motion[motionCount..<upTo]))
          motionCount = upTo
        }
        try writer.append(capture, name: name)
        frameCount += 1
      } catch let error as RecordingWritingError {
        guard case .unrepresentable = error else { throw error }
        skipped.append(ConversionSummary.SkippedFrame(name: name, reason: "\(error)"))
        failure = failure ?? error
      } catch let error as CaptureReadingError {
        skipped.append(ConversionSummary.SkippedFrame(name: name, reason: "\(error)"))
        failure = failure ?? error.inside("frame \(printable(text: name))")
      }
    }
    if frameCount == 0, let failure { throw failure }
    // What was felt after the last frame belongs to a recording that is written to its end.
    if indices.last == recording.frames.count - 1 {
      try writer.append(motion: Array(motion[motionCount...]))
      motionCount = motion.count
    }
    try writer.finish()
    return ConversionSummary(
      format: format, frameCount: frameCount, skipped: skipped,
      colorlessFrames: held.colorlessFrames, colorlessReason: held.colorlessReason,
      motionCount: format.aspects.contains(.motion) ? motionCount : 0,
      unreadableMotionCount: readMotion.unreadableCount,
      firstUnreadableMotion: readMotion.firstUnreadable,
      leftOut: held.leftOut(by: format))
  }

  /// A frame as it is written, with its time where it can have one.
  private func capture(
    of recording: Recording, at index: Int, isTimed: Bool
  ) throws(CaptureReadingError) -> Capture {
    var capture = try recording.capture(
      at: index, color: hasColor ? .stored(format.colorFileKinds) : .none)
    capture.timestampSeconds =
      capture.timestampSeconds ?? recording.frames[index].timestampSeconds
    if !isTimed, capture.timestampSeconds == nil, let framesPerSecond {
      capture.timestampSeconds = Double(index) / framesPerSecond
      capture.provenance.append(
        ProvenanceStep(
          .assumedTimes, "frame number over \(framesPerSecond) per second, as told"))
    }
    return capture
  }
}

/// What the frames of a recording hold, gathered while they are written.
private struct HeldAspects {
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
      if calibration.distortion != nil { aspects.insert(.distortion) }
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
