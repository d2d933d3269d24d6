import PlumblineCorrection
import PlumblineInference
package import PlumblineIO
package import PlumblineRecordings

/// What became of a recording's frames that were processed one after another: those that could not be used are left
/// out, each with its error.
package struct ProcessedFrames {
  /// The number of frames that were processed.
  package let doneCount: Int
  /// The frames that failed with their errors, in the order of the recording.
  package let failures: [(name: String, error: any Error)]

  /// The document of all frames and of those that were left out.
  ///
  /// - Parameters:
  ///   - schema: Its schema.
  ///   - frames: The documents of the frames.
  /// - Returns: The document.
  package func document(schema: String, frames: [JSONValue]) -> JSONValue {
    Self.document(
      schema: schema, frames: frames, leftOut: failures.map { ($0.name, "\($0.error)") })
  }

  /// The document of a recording's frames and of those that were left out.
  ///
  /// - Parameters:
  ///   - schema: Its schema.
  ///   - frames: The documents of the frames.
  ///   - leftOut: The others, each with the reason.
  ///   - recording: The document of the recording that was written; left out unless it is given.
  /// - Returns: The document.
  package static func document(
    schema: String, frames: [JSONValue], leftOut: [(name: String, reason: String)],
    recording: JSONValue? = nil
  ) -> JSONValue {
    .object(
      [
        ("schema", .string(schema)), ("frames", .array(frames)),
        ("unreadable", .array(leftOut.map { entry(ofLeftOut: $0) })),
      ] + (recording.map { [("recording", $0)] } ?? []))
  }

  /// One entry of `unreadable`: a frame that was left out, and why.
  package static func entry(ofLeftOut frame: (name: String, reason: String)) -> JSONValue {
    .object([("name", .string(frame.name)), ("reason", .string(frame.reason))])
  }
}

extension Recording {
  /// Processes the frames one after another, each with a folder of its own.
  ///
  /// - Parameters:
  ///   - folder: What the frames' folders lie in; `nil` where nothing is written.
  ///   - progress: Called before each frame with its position; what it throws ends the work.
  ///   - work: Processes the frame of an index, with its own folder.
  /// - Returns: How many frames were processed, and which were left out.
  /// - Throws: Where not one frame can be used, why the first cannot; of other errors than those of a frame's
  ///   content the first, at once.
  package func processFrames(
    in folder: String? = nil, progress: (Int) throws -> Void,
    _ work: (_ index: Int, _ folder: String?) throws -> Void
  ) throws -> ProcessedFrames {
    var failures: [(name: String, error: any Error)] = []
    for (index, name) in frameNames.enumerated() {
      try progress(index)
      do {
        try work(index, folder.map { path(name, in: $0) })
      } catch
        where error is CaptureReadingError || error is CorrectionError || error is EstimationError
      {
        failures.append((name, error))
      }
    }
    if failures.count == frameNames.count, let first = failures.first {
      throw Self.error(first.error, ofFrame: first.name)
    }
    return ProcessedFrames(doneCount: frameNames.count - failures.count, failures: failures)
  }

  /// Names the frame in what is wrong with it, unless its file is named already.
  private static func error(_ error: any Error, ofFrame name: String) -> any Error {
    switch error {
    case var error as CorrectionError:
      error.step += " of frame \(name)"
      return error
    case var error as EstimationError:
      error.found += " in frame \(printable(text: name))"
      return error
    case let error as CaptureReadingError where error.path.isEmpty:
      return error.inside("frame \(name)")
    default: return error
    }
  }
}
