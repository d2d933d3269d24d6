import PlumblineExport
public import PlumblineIO
public import PlumblineRecordings
extension RecordingConversion {
  /// Writes a recording to a file or folder that appears whole or not at all.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - format: What is written, which says whether it is a file or a folder.
  ///   - indices: Which of the frames, ascending.
  ///   - hasColor: Whether color is written.
  ///   - framesPerSecond: The rate of a recording without times; `nil` to leave it without.
  ///   - path: The name of the file or folder.
  ///   - existing: What happens to a file of that name; a folder is never replaced.
  ///   - origin: The recording's name, which the output carries.
  ///   - progress: Called before each frame with how many are done; what it throws ends the work.
  /// - Throws: As the initializer for an output does; then nothing stays.
  public init(
    _ recording: Recording, as format: RecordingFormat, indices: [Int], hasColor: Bool = true,
    framesPerSecond: Double? = nil, path: String, existing: OutputTransaction.ExistingFiles = .keep,
    origin: String,
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let place = try RecordingPlace(
      path: path, isFolder: format.fileEnding == nil, existing: existing)
    do {
      try self.init(
        recording, as: format, indices: indices, hasColor: hasColor,
        framesPerSecond: framesPerSecond, to: place, fileName: place.fileName, origin: origin,
        progress: progress)
    } catch {
      place.discard()
      throw place.named(error)
    }
    try place.publish()
  }
}
