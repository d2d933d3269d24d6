import PlumblineImages
import PlumblineIO
import PlumblineModel
public import PlumblineRecordings
public import PlumblineStreams

/// A recording written again in another format, with what the format could not hold.
public struct RecordingConversion: Sendable {
  /// A frame that was not written.
  public struct SkippedFrame: Sendable {
    /// Its name.
    public var name: String
    /// Why the frame was skipped, in a sentence.
    public var reason: String
  }

  /// The format that was written.
  public private(set) var format: RecordingFormat
  /// The number of frames that were written.
  public private(set) var frameCount = 0
  /// The frames that were not, in the order of the recording.
  public private(set) var skipped: [SkippedFrame] = []
  /// Frames that were written without their color, which could not be decoded.
  public private(set) var colorlessFrames = 0
  /// Why the first of them has none, such as a program that is not there.
  public private(set) var colorlessReason: String?
  /// The number of motion samples that were written.
  public private(set) var motionCount = 0
  /// What the recording holds and the format does not, in the order of ``RecordingAspect``.
  public var leftOut: [RecordingAspect] {
    RecordingAspect.allCases.filter { present.contains($0) && !format.aspects.contains($0) }
  }
  private var present: Set<RecordingAspect> = []
  private var firstIntrinsics: PinholeIntrinsics?
  /// Why no frame of the recording has color, such as a video that was cut off.
  private var recordingColorLoss: String?

  /// Reads frame after frame and writes each; one is in memory at a time.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - format: What is written.
  ///   - indices: Which of the frames, ascending.
  ///   - hasColor: Whether color is written; videos cost most of the time.
  ///   - framesPerSecond: The rate of a recording none of whose frames has a time: the frame of
  ///     number *n* gets *n* over it, and the provenance says so; `nil` to leave them without.
  ///   - output: Where to; a single file is made under `fileName`.
  ///   - fileName: The name of a single file; folders ignore it.
  ///   - origin: The recording's name, which the output carries.
  ///   - progress: Called before each frame with how many are done; what it throws ends the work.
  /// - Throws: ``RecordingWritingError`` for an output that cannot be written, and for a recording
  ///   of which the format can hold no frame; ``CaptureReadingError`` of the first frame when none
  ///   can be read, and for damaged motion samples. Frames that cannot be read or held are
  ///   ``skipped`` while there are others.
  public init(
    _ recording: Recording, as format: RecordingFormat, indices: [Int], hasColor: Bool = true,
    framesPerSecond: Double? = nil, to output: any RecordingOutput, fileName: String,
    origin: String,
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    self.format = format
    let header = RecordingHeader(worldAxes: recording.worldAxes, origin: origin)
    recordingColorLoss = colorLoss(in: recording.findings)
    var writer = try format.writer(to: output, fileName: fileName, header: header)
    let motion = try recording.motionSamples()
    if !motion.isEmpty { present.insert(.motion) }
    let isTimed = recording.frames.contains { $0.timestampSeconds != nil }
    var written = 0
    var failure: (any Error)?
    for (done, index) in indices.enumerated() {
      try progress(done)
      let name = recording.frames[index].name
      do {
        var capture = try recording.capture(
          at: index, color: hasColor ? .stored(format.colorFileKinds) : .none)
        capture.timestampSeconds =
          capture.timestampSeconds ?? recording.frames[index].timestampSeconds
        if !isTimed, capture.timestampSeconds == nil, let framesPerSecond {
          capture.timestampSeconds = Double(index) / framesPerSecond
          capture.provenance.append(
            ProvenanceStep(
              "assumed-times", "frame number over \(framesPerSecond) per second, as told"))
        }
        note(capture, hasColor: hasColor)
        // Streams are in the order of time: what was felt before the frame goes before it.
        if let time = capture.timestampSeconds {
          let upTo = motion[written...].firstIndex { $0.timestampSeconds > time } ?? motion.count
          try writer.append(motion: Array(motion[written..<upTo]))
          written = upTo
        }
        try writer.append(capture, name: name)
        frameCount += 1
      } catch let error as RecordingWritingError {
        guard case .unrepresentable = error else { throw error }
        skipped.append(SkippedFrame(name: name, reason: "\(error)"))
        failure = failure ?? error
      } catch let error as CaptureReadingError {
        skipped.append(SkippedFrame(name: name, reason: "\(error)"))
        failure = failure ?? error.inside("frame \(printable(text: name))")
      }
    }
    if frameCount == 0, let failure { throw failure }
    // What was felt after the last frame belongs to a recording that is written to its end.
    if indices.last == recording.frames.count - 1 {
      try writer.append(motion: Array(motion[written...]))
      written = motion.count
    }
    motionCount = format.aspects.contains(.motion) ? written : 0
    try writer.finish()
  }

  /// The findings' text about color that is stored and cannot be used.
  private func colorLoss(in findings: [Finding]) -> String? {
    findings.first { $0.code == .sequenceFilmUndecoded || $0.code == .fileDamagedImage }?.message
  }

  /// Notes what a frame holds.
  private mutating func note(_ capture: Capture, hasColor: Bool) {
    if hasColor, capture.colorSize != nil { present.insert(.color) }
    if hasColor, capture.color == nil, capture.colorFile == nil,
      let reason = colorLoss(in: capture.findings) ?? recordingColorLoss
        ?? capture.colorSize.map({ "the recording has no image of \($0) for this frame" })
    {
      colorlessFrames += 1
      colorlessReason = colorlessReason ?? reason
    }
    if capture.timestampSeconds != nil { present.insert(.timestamps) }
    if capture.worldFromCamera != nil { present.insert(.poses) }
    if !capture.provenance.isEmpty || capture.source.model != nil { present.insert(.provenance) }
    guard let record = capture.depth else { return }
    if record.confidence != nil { present.insert(.confidence) }
    if record.sigmaMeters != nil { present.insert(.sigma) }
    if record.residual != nil { present.insert(.residual) }
    if let calibration = record.calibration {
      present.insert(.intrinsics)
      if calibration.distortion != nil { present.insert(.distortion) }
      firstIntrinsics = firstIntrinsics ?? calibration.intrinsics
      if calibration.intrinsics != firstIntrinsics { present.insert(.intrinsicsPerFrame) }
    }
    if !present.contains(.exactDepth), !record.isWholeMillimeters { present.insert(.exactDepth) }
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
