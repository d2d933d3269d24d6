import Plumbline

/// A recording's frames done one after another: each in a folder of its own, and those that cannot
/// be done named and left out.
struct FrameWalk {
  /// The number of frames that were done.
  let doneCount: Int
  /// The frames that failed with their errors, in the order of the recording.
  let failures: [(name: String, error: any Error)]

  /// Runs the work on every frame, and prints on standard error which were left out and why.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - folder: What the frames' folders lie in; `nil` where nothing is written.
  ///   - isQuiet: Whether no progress is shown.
  ///   - work: Does the frame of an index, with its own folder.
  /// - Throws: Where not one frame can be done, why the first cannot; of other errors than those of
  ///   a frame's content the first, at once.
  init(
    _ recording: Recording, in folder: String?, isQuiet: Bool,
    work: (_ index: Int, _ folder: String?) throws -> Void
  ) throws {
    var failures: [(name: String, error: any Error)] = []
    var progress = ProgressLine(total: recording.frameNames.count, isQuiet: isQuiet)
    defer { progress.end() }
    for (index, name) in recording.frameNames.enumerated() {
      progress.begin(index)
      do {
        try work(index, folder.map { path(name, in: $0) })
      } catch  where error is CaptureReadingError || error is CorrectionError {
        failures.append((name, error))
      }
    }
    if failures.count == recording.frameNames.count, let first = failures.first {
      throw Self.error(first.error, ofFrame: first.name)
    }
    progress.end()
    for failure in failures {
      StandardError.print(
        "plumbline: frame \(printable(text: failure.name)) is left out: \(failure.error)"
          + CommandExit.help(for: failure.error))
    }
    doneCount = recording.frameNames.count - failures.count
    self.failures = failures
  }

  /// The document of all frames and of those that were left out.
  func document(schema: String, frames: [JSONValue]) -> JSONValue {
    framesDocument(
      schema: schema, frames: frames, leftOut: failures.map { ($0.name, "\($0.error)") })
  }

  /// Names the frame in what is wrong with it, unless its file is named already.
  private static func error(_ error: any Error, ofFrame name: String) -> any Error {
    switch error {
    case var error as CorrectionError:
      error.step += " of frame \(name)"
      return error
    case let error as CaptureReadingError where error.path.isEmpty:
      return error.inside("frame \(name)")
    default: return error
    }
  }
}

/// The document of a recording's frames and of those that were left out.
///
/// - Parameters:
///   - schema: Its schema.
///   - frames: The documents of the frames.
///   - leftOut: The others, each with the reason.
///   - recording: The document of the recording that was written; left out unless it is given.
/// - Returns: The document.
func framesDocument(
  schema: String, frames: [JSONValue], leftOut: [(name: String, reason: String)],
  recording: JSONValue? = nil
) -> JSONValue {
  let unreadable = leftOut.map { name, reason in
    JSONValue.object([("name", .string(name)), ("reason", .string(reason))])
  }
  return .object(
    [
      ("schema", .string(schema)), ("frames", .array(frames)), ("unreadable", .array(unreadable)),
    ] + (recording.map { [("recording", $0)] } ?? []))
}

extension OutputTransaction {
  /// Stages files of a set in a folder, from which the rest of an older set goes with them; gives
  /// their paths, none without a folder.
  mutating func stage(
    _ files: [Extraction.File], in folder: String?, as set: OutputSet
  ) throws -> [String] {
    guard let folder else { return [] }
    let paths = try files.map { file in
      precondition(set.contains(file.name), "\(file.name) is in no list of its set")
      let place = path(file.name, in: folder)
      try stage(file.bytes, at: place)
      return place
    }
    try removeStale(in: folder) { set.contains($0) }
    return paths
  }
}
