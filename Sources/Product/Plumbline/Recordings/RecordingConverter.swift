import PlumblineCorrection
import PlumblineImages
public import PlumblineIO
import PlumblineModel
public import PlumblineRecordings
public import PlumblineStreams

/// Writes recordings again, in another format or after a transform, and says what the format could not
/// hold.
public struct RecordingConverter: Sendable {
  /// The format that is written.
  public var format: RecordingFormat
  /// Whether color is written; videos cost most of the time.
  public var hasColor: Bool
  /// The rate of a recording none of whose frames has a time: the frame of number *n* gets *n* over it,
  /// and the provenance says so; `nil` to leave them without.
  public var framesPerSecond: Double?
  /// The codes of a meter, one of the format's ``RecordingFormat/depthScales``; `nil` for its own.
  public var depthScale: Int?
  /// The maximum number of threads that a transform gets, each with one frame; the bytes do not depend
  /// on it.
  public var threads = 2

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
    try convert(
      recording, indices: indices, path: path, existing: existing, origin: origin,
      by: UnchangedFrames(), onThreads: 1, report: { _ in }, progress: progress)
  }

  /// Transforms a recording into a file or folder that appears whole or not at all.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - indices: Which of the frames, ascending.
  ///   - path: The name of the file or folder.
  ///   - existing: What happens to a file of that name; a folder is never replaced.
  ///   - origin: The recording's name, which the output carries.
  ///   - transform: What is done to each frame.
  ///   - report: Called with the report of each frame that was written, in order.
  ///   - progress: Called before each frame is written with how many are done; what it throws ends the
  ///     work.
  /// - Returns: What was written, and what was left out; frames that the transform does not fit too.
  /// - Throws: As ``convert(_:indices:to:fileName:origin:progress:)`` does, and `CorrectionError` of the
  ///   first frame where the transform fits none; then nothing stays.
  public func convert<Transform: RecordingTransform>(
    _ recording: Recording, indices: [Int], path: String,
    existing: OutputTransaction.ExistingFiles = .keep, origin: String,
    transform: Transform, report: (Transform.Report) throws -> Void = { _ in },
    progress: (Int) throws -> Void = { _ in }
  ) throws -> ConversionSummary {
    try convert(
      recording, indices: indices, path: path, existing: existing, origin: origin, by: transform,
      onThreads: threads, report: report, progress: progress)
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
    try convert(
      recording, indices: indices, to: output, fileName: fileName, origin: origin,
      by: UnchangedFrames(), onThreads: 1, report: { _ in }, progress: progress)
  }

  private func convert<Transform: RecordingTransform>(
    _ recording: Recording, indices: [Int], path: String,
    existing: OutputTransaction.ExistingFiles, origin: String, by transform: Transform,
    onThreads threads: Int, report: (Transform.Report) throws -> Void,
    progress: (Int) throws -> Void
  ) throws -> ConversionSummary {
    let place = try RecordingPlace(
      path: path, isFolder: format.fileEnding == nil, existing: existing)
    let summary: ConversionSummary
    do {
      summary = try convert(
        recording, indices: indices, to: place, fileName: place.fileName, origin: origin,
        by: transform, onThreads: threads, report: report, progress: progress)
    } catch {
      place.discard()
      throw place.named(error)
    }
    try place.publish()
    return summary
  }

  /// Transforms a recording to any output; one frame more than there are threads is in memory.
  ///
  /// - Throws: As the other conversions do.
  func convert<Transform: RecordingTransform>(
    _ recording: Recording, indices: [Int], to output: any RecordingOutput, fileName: String,
    origin: String, by transform: Transform, onThreads threads: Int,
    report: (Transform.Report) throws -> Void, progress: (Int) throws -> Void
  ) throws -> ConversionSummary {
    let writer = try format.writer(
      to: output, fileName: fileName,
      header: RecordingHeader(worldAxes: recording.worldAxes, origin: origin),
      depthScale: depthScale)
    var run = ConversionRun(
      writer, motion: try recording.motion(), findings: recording.findings, hasColor: hasColor)
    let frames = FrameSource(
      recording: recording, origin: origin, format: format, hasColor: hasColor,
      // A recording with times keeps them, and the frames without.
      framesPerSecond: recording.frames.contains { $0.timestampSeconds != nil }
        ? nil : framesPerSecond,
      pass: transform.pass())
    try OrderedWork(count: indices.count, threads: threads).run { position in
      frames.frame(at: indices[position])
    } take: { position, frame in
      try progress(position)
      let name = recording.frames[indices[position]].name
      if let written = try run.append(frame, named: name) { try report(written) }
    }
    return try run.finish(format, isAtEnd: indices.last == recording.frames.count - 1)
  }
}

/// The frames of a recording as they are read and transformed, on any thread.
struct FrameSource<Report: Sendable>: Sendable {
  let recording: Recording
  let origin: String
  let format: RecordingFormat
  let hasColor: Bool
  /// The rate of frames without a time; `nil` to leave them without.
  let framesPerSecond: Double?
  let pass: RecordingPass<Report>

  /// A frame that is ready for its turn.
  struct Frame: Sendable {
    /// The steps that it was read with.
    let provenance: [ProvenanceStep]
    /// The work that has to wait for its turn, if any, and the frame.
    let rest: RecordingPass<Report>.Rest
  }

  /// Reads a frame and begins its transform; the error is that of its turn.
  func frame(at index: Int) -> Result<Frame, any Error> {
    Result {
      let capture = try capture(at: index)
      let rest = try pass.begin(capture, "\(origin)/\(recording.frames[index].name)")
      guard !pass.isOrdered else { return Frame(provenance: capture.provenance, rest: rest) }
      var frame = try rest()
      if let encoder = format.colorEncoder { frame.capture.encodeColor(by: encoder) }
      return Frame(provenance: capture.provenance) { [frame] in frame }
    }
  }

  /// A frame as it is read, with its time where it can have one.
  private func capture(at index: Int) throws(CaptureReadingError) -> Capture {
    var capture = try recording.capture(
      at: index, color: hasColor ? .stored(format.colorFileKinds) : .none)
    capture.timestampSeconds =
      capture.timestampSeconds ?? recording.frames[index].timestampSeconds
    if capture.timestampSeconds == nil, let framesPerSecond {
      capture.timestampSeconds = Double(index) / framesPerSecond
      capture.provenance.append(
        ProvenanceStep(
          .assumedTimes, "frame number over \(framesPerSecond) per second, as told"))
    }
    return capture
  }
}
