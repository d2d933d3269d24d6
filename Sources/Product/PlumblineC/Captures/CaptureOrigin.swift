import Plumbline

/// Where the parts of a capture come from when they are asked for.
enum CaptureOrigin: Sendable {
  /// The bytes of a file, and the name that outputs carry.
  case file([UInt8], name: String)
  /// A frame of a recording with this name.
  case frame(Recording, name: String, index: Int)
  /// A capture that a step made of another one; color and mattes that it does not hold are those of the other.
  case made(Capture, name: String, sha256: String?, from: CaptureHandle)

  /// Opens what a path leads to, or the frame of the settings.
  ///
  /// - Throws: ``InputError``, ``CaptureReadingError``; a matter of usage for the frame of a single file.
  static func opened(path: String, _ settings: AnalysisSettings) throws -> CaptureOrigin {
    try opened(CaptureInput(path: path, limits: settings.limits), settings)
  }

  /// What an opened path leads to, or the frame of the settings.
  ///
  /// - Throws: As ``opened(path:_:)``.
  static func opened(_ input: CaptureInput, _ settings: AnalysisSettings) throws -> CaptureOrigin {
    switch input {
    case .file(let file):
      try requireNoFrame(settings)
      return .file(file.bytes, name: lastPathPart(file.path))
    case .recording(let recording, let name):
      return .frame(recording, name: name, index: try recording.index(of: settings.frame ?? "0"))
    }
  }

  /// Opens the bytes of a file: a capture, or a recording in one file.
  static func opened(
    bytes: [UInt8], name: String, _ settings: AnalysisSettings
  ) throws -> CaptureOrigin {
    try settings.limits.require(
      bytes.count, atMost: settings.limits.fileBytes, "bytes of file")
    if let recording = try Recording(source: MemoryBytes(bytes), limits: settings.limits) {
      return .frame(recording, name: name, index: try recording.index(of: settings.frame ?? "0"))
    }
    try requireNoFrame(settings)
    return .file(bytes, name: name)
  }

  private static func requireNoFrame(_ settings: AnalysisSettings) throws {
    if let frame = settings.frame {
      throw Settings.wrong("frame", expected: "none, since this is no recording", found: frame)
    }
  }

  /// The name that outputs carry.
  var name: String {
    switch self {
    case .file(_, let name), .made(_, let name, _, _): name
    case .frame(let recording, let name, let index): "\(name)/\(recording.frameNames[index])"
    }
  }

  /// Reads the capture; depth is always decoded, color and what is beside it where the analyzer says so.
  ///
  /// - Throws: ``CaptureReadingError``.
  func capture(by analyzer: CaptureAnalyzer) throws -> Capture {
    switch self {
    case .file(let bytes, _): return try analyzer.capture(from: bytes)
    case .frame(let recording, _, let index):
      var capture = try recording.capture(at: index, color: analyzer.color)
      capture.findings += recording.findings
      return capture
    case .made(let capture, _, _, _): return capture
    }
  }

  /// The SHA-256 of the file; `nil` for a frame of several files.
  ///
  /// Cost: O(*n*).
  var sha256: String? {
    switch self {
    case .file(let bytes, _): SHA256Digest.hexadecimal(of: bytes)
    case .frame: nil
    case .made(_, _, let sha256, _): sha256
    }
  }
}
