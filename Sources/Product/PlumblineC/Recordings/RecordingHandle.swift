import Plumbline

/// What is behind a `plumbline_recording`: it is never changed, so that threads need not wait.
final class RecordingHandle: Sendable {
  /// What errors call it: the path as it was given.
  let path: String
  let recording: Recording
  let name: String
  let settings: AnalysisSettings

  /// Opens the recording at a path; of its frames no more than what orders them.
  ///
  /// - Throws: ``InputError``, ``CaptureReadingError``.
  convenience init(path: String, _ settings: AnalysisSettings) throws {
    let (recording, name) = try CaptureInput.recording(path: path, limits: settings.limits)
    self.init(recording, name: name, path: path, settings)
  }

  /// Keeps a recording that was opened from a path.
  init(_ recording: Recording, name: String, path: String, _ settings: AnalysisSettings) {
    self.recording = recording
    self.name = name
    self.path = path
    self.settings = settings
  }

  /// What it holds, frame by frame: `plumbline.info/1`, as the command prints it, with focal lengths as stated.
  ///
  /// Cost: every depth map is read and decoded.
  /// - Throws: What reading a calibration throws.
  func info() throws -> JSONValue {
    RecordingInfo(
      try settings.applied(to: recording, knownBy: .bundled), name: name, threads: settings.threads
    ).document
  }

  /// The frame at an index.
  ///
  /// - Throws: A matter of usage where there is none; what reading a calibration throws.
  func frame(at index: Int64) throws -> CaptureHandle {
    guard let index = Int(exactly: index), recording.frames.indices.contains(index) else {
      throw InterfaceError.usage(
        "index", expected: "0 to \(recording.frames.count - 1)", found: "\(index)")
    }
    return CaptureHandle(
      .frame(recording, name: name, index: index), by: try settings.analyzer(color: .none),
      file: path)
  }
}
