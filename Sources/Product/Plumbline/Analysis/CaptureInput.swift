public import PlumblineImages
public import PlumblineIO
import PlumblineModel
public import PlumblineRecordings

/// What a path leads to: one capture in a file, or a recording in a folder, archive or stream.
public enum CaptureInput: Sendable {
  /// A file with all its bytes.
  case file(InputFile)
  /// A recording, and the name that outputs carry.
  case recording(Recording, name: String)

  /// Looks at a path and opens what is there; of a recording no more than what orders its frames.
  ///
  /// - Parameters:
  ///   - path: A file, or a folder.
  ///   - limits: What may be spent on it.
  ///   - links: Where links in a folder may lead; one that is the path itself is followed.
  /// - Throws: ``InputError`` for what cannot be opened, ``CaptureReadingError`` for a folder or an
  ///   archive without frames.
  public init(
    path: String, limits: ReadingLimits = ReadingLimits(), links: FolderLinks = .anywhere
  ) throws {
    if (try? FileOperations.system.kind(path)) == .directory {
      let folder = try InputFolder(path: path, limits: limits, links: links)
      self = .recording(try Recording(folder: folder, limits: limits), name: folder.name)
    } else if let recording = try Recording(source: FileSource(path: path), limits: limits) {
      let name = lastPathPart(path)
      self = .recording(recording, name: name)
    } else {
      self = .file(try InputFile(path: path, limits: limits))
    }
  }

  /// Opens the recording at a path, with the name that outputs carry.
  ///
  /// - Throws: As ``init(path:limits:)``; ``InputError/notARecording(path:)`` for a single capture.
  public static func recording(
    path: String, limits: ReadingLimits = ReadingLimits()
  ) throws -> (recording: Recording, name: String) {
    guard case .recording(let recording, let name) = try CaptureInput(path: path, limits: limits)
    else { throw InputError.notARecording(path: path) }
    return (recording, name)
  }
}

extension Recording {
  /// The indices of every `step`-th frame from one on.
  ///
  /// - Parameters:
  ///   - first: The first one, from 0.
  ///   - step: 1 for all.
  ///   - maximum: How many at the most; `nil` for no bound.
  /// - Returns: One index or more, ascending.
  /// - Throws: `.missing` when there is no frame from `first` on.
  public func indices(
    from first: Int, every step: Int, atMost maximum: Int?
  ) throws(CaptureReadingError) -> [Int] {
    let indices = Array(stride(from: first, to: frames.count, by: step).prefix(maximum ?? .max))
    guard !indices.isEmpty else {
      throw CaptureReadingError(
        .missing, expected: "a frame from number \(first) on", found: frames.count.counting("frame")
      )
    }
    return indices
  }

  /// The index of a frame by its name or, where no frame has that name, by its number from 0.
  ///
  /// - Throws: `.missing` with the names that there are.
  public func index(of choice: String) throws(CaptureReadingError) -> Int {
    if let index = frameNames.firstIndex(of: choice) { return index }
    if let index = Int(choice), frameNames.indices.contains(index) { return index }
    let first = frameNames.first ?? ""
    let last = frameNames.last ?? ""
    throw CaptureReadingError(
      .missing,
      expected: "a frame from 0 to \(frameNames.count - 1), or a name from "
        + "\(printable(text: first)) to \(printable(text: last))",
      found: "“\(printable(text: choice))”")
  }
}
