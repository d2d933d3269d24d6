import ArgumentParser
import Plumbline

/// How `correct` and `filter` write a recording: the format of `-o` or of `--format`.
struct RecordingFormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of a recording, where the output's ending does not tell it: \(Self.names).",
      valueName: "FORMAT"), completion: .list(RecordingFormat.allCases.map(\.rawValue)),
    transform: Self.named)
  var format: RecordingFormat?

  /// The names of all formats.
  static let names = RecordingFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// The format of a name.
  static func named(_ name: String) throws -> RecordingFormat {
    guard let format = RecordingFormat(rawValue: name) else {
      throw ValidationError("There is no format “\(printable(text: name))”.")
    }
    return format
  }

  /// The format of an output; a folder has none unless it is named.
  func format(of output: String) throws -> RecordingFormat {
    guard let format = format ?? RecordingFormat(fileName: output) else {
      throw RecordingOutputError.unknownFormat(output: output)
    }
    return format
  }

  /// Refuses a format, or an output with the ending of one, for what is written as files into a folder.
  func refuseForSingleCapture(output: String?) throws {
    if format != nil || output.flatMap({ RecordingFormat(fileName: $0) }) != nil {
      throw RecordingOutputError.singleCapture
    }
  }
}

/// Outputs that do not fit what is written; a matter of usage.
enum RecordingOutputError: CategorizedError, CustomStringConvertible {
  case unknownFormat(output: String)
  case singleCapture

  var category: FailureCategory { .usage }
  var namesItsPath: Bool { true }

  var description: String {
    switch self {
    case .unknownFormat(let output):
      "a recording is written as a recording: end “\(printable(text: output))” in .mcap, which "
        + "holds everything, or in .r3d, or name a --format; --frame writes one frame's files"
    case .singleCapture:
      "--format, .mcap and .r3d are for whole recordings; one capture or frame is written as files "
        + "into a folder"
    }
  }
}

/// A conversion as a command runs it: with progress, ended by Control-C, and with a word on frames that
/// were left out.
struct RecordingConversion {
  let recording: Recording
  /// The recording's name, which the output carries.
  let name: String
  let output: String
  let existing: OutputTransaction.ExistingFiles
  let isQuiet: Bool

  /// Converts frames, each by a transform, and prints on standard error what could not be written.
  ///
  /// - Throws: Also where Control-C ended it.
  func run<Transform: RecordingTransform>(
    _ converter: RecordingConverter, frames indices: [Int]? = nil, by transform: Transform,
    report: (Transform.Report) throws -> Void
  ) throws -> ConversionSummary {
    try run(count: (indices ?? Array(recording.frames.indices)).count) { progress in
      try converter.convert(
        recording, indices: indices ?? Array(recording.frames.indices), path: output,
        existing: existing, origin: name, transform: transform, report: report,
        progress: progress)
    }
  }

  /// Converts frames as they are, likewise.
  func run(
    _ converter: RecordingConverter, frames indices: [Int]
  ) throws -> ConversionSummary {
    try run(count: indices.count) { progress in
      try converter.convert(
        recording, indices: indices, path: output, existing: existing, origin: name,
        progress: progress)
    }
  }

  private func run(
    count: Int, _ work: ((Int) throws -> Void) throws -> ConversionSummary
  ) throws -> ConversionSummary {
    var progress = ProgressLine(total: count, isQuiet: isQuiet)
    defer { progress.end() }
    let stop = RecordingStop()
    let signals = SignalTrap { stop.request() }
    defer { signals.cancel() }
    let summary = try work { position in
      if stop.isRequested { throw InterruptedError() }
      progress.begin(position)
    }
    progress.end()
    for line in ConversionText.warnings(summary) { StandardError.print("plumbline: " + line) }
    return summary
  }
}

/// What is said of a recording that was written.
struct ConversionText {
  let summary: ConversionSummary
  let output: String
  /// How many frames were to be written.
  let chosenCount: Int

  /// The output with its frames, the steps, and what the format has no place for.
  var lines: [String] {
    var lines = [
      "\(printable(text: output))  \(summary.format.rawValue), "
        + "\(summary.frameCount) of \(chosenCount.counting("frame"))"
    ]
    for (title, steps) in [
      ("steps", summary.appliedSteps), ("steps before", summary.earlierSteps),
    ] {
      if let words = steps.words(of: summary.frameCount) { lines.append("  \(title): \(words)") }
    }
    if !summary.leftOut.isEmpty {
      let names = summary.leftOut.map(\.description).joined(separator: ", ")
      lines.append("  left out, since the format has no place for it: \(names)")
    }
    return lines
  }

  /// What was lost: frames, color and motion.
  ///
  /// Frames that fail for one reason are counted, and the first
  /// says why; those that cannot be read are named one by one.
  static func warnings(_ summary: ConversionSummary) -> [String] {
    var lines: [String] = []
    var groups: [(reason: String, frames: [ConversionSummary.SkippedFrame])] = []
    for frame in summary.skipped {
      let reason = frame.sharedReason
      if let index = groups.firstIndex(where: { $0.reason == reason }) {
        groups[index].frames.append(frame)
      } else {
        groups.append((reason, [frame]))
      }
    }
    for (_, frames) in groups {
      guard let first = frames.first else { continue }
      let why = printable(text: first.reason) + CommandExit.help(for: first.error)
      lines.append(
        frames.count == 1
          ? "frame \(printable(text: first.name)) is left out: \(why)"
          : "\(frames.count) frames are left out; the first, \(printable(text: first.name)): \(why)"
      )
    }
    if let reason = summary.colorlessReason {
      lines.append(
        "\(summary.colorlessFrames.counting("frame")) written without color: "
          + printable(text: reason))
    }
    if summary.unreadableMotionCount > 0 {
      lines.append(
        "\(summary.unreadableMotionCount.counting("motion sample")) cannot be read, "
          + "or only in part; the first: \(summary.firstUnreadableMotion)")
    }
    return lines
  }
}

extension [ConversionSummary.StepCount] {
  /// The steps, with the number of frames for those that not all have; `nil` without any.
  func words(of frameCount: Int) -> String? {
    let words = map {
      $0.frameCount == frameCount
        ? printable(text: $0.name)
        : "\(printable(text: $0.name)) (\($0.frameCount.counting("frame")))"
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension ConversionSummary.SkippedFrame {
  /// What frames that fail for the same reason have in common; of files it is the name.
  fileprivate var sharedReason: String {
    switch error {
    case RecordingWritingError.unrepresentable(let format, _, let expected, _, _):
      "\(format) \(expected)"
    case let error as CorrectionError: "\(error.step) \(error.expected)"
    default: name
    }
  }
}

extension RecordingAspect {
  /// The words by which people read what a format leaves out.
  var description: String {
    switch self {
    case .color: "color"
    case .timestamps: "times"
    case .intrinsics: "the camera's numbers"
    case .intrinsicsPerFrame: "the camera's numbers of each frame"
    case .distortion: "lens distortion"
    case .poses: "poses"
    case .confidence: "confidence"
    case .sigma: "the ± of pixels"
    case .residual: "the residual of an estimate"
    case .motion: "motion samples"
    case .provenance: "device and provenance"
    case .exactDepth: "depth finer than its own steps"
    }
  }
}
