import PlumblineExport
package import PlumblineIO
package import PlumblineStreams

/// A folder on the disk that a recording is written into.
///
/// Each file has the name `NAME.partial` until it is closed. Names that lead out of the folder are
/// refused.
package struct DiskRecordingOutput: RecordingOutput {
  private let folder: String
  private let existing: OutputTransaction.ExistingFiles
  private let durability: OutputTransaction.Durability

  /// Makes the folder unless it is there; the one above it must be.
  ///
  /// - Parameters:
  ///   - folder: Its path.
  ///   - existing: What happens to files that have a name already.
  ///   - durability: What is certain once a file is closed; synchronizing costs about a
  ///     millisecond for each.
  /// - Throws: `.output`.
  package init(
    folder: String, existing: OutputTransaction.ExistingFiles = .keep,
    durability: OutputTransaction.Durability = .buffered
  ) throws(RecordingWritingError) {
    self.folder = folder
    self.existing = existing
    self.durability = durability
    try Self.makeFolder(folder)
  }

  /// Makes a file, and the folders that its path names.
  ///
  /// - Throws: `.output`, also for a path that leads out of the folder.
  package func makeFile(_ path: String) throws(RecordingWritingError) -> any RecordingFile {
    let parts = pathParts(path)
    let isInside = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
    }
    guard isInside else {
      throw .output(
        path: path, detail: "it is not a name inside of the folder", reason: .cannotCreate)
    }
    var place = folder
    for part in parts.dropLast() {
      place += "/" + part
      try Self.makeFolder(place)
    }
    return try DiskRecordingFile(
      path: folder + "/" + path, existing: existing, durability: durability, ballastBytes: 0)
  }

  private static func makeFolder(_ path: String) throws(RecordingWritingError) {
    do throws(SystemFailure) { try FileOperations.system.createDirectory(path) } catch {
      // A symbolic link in place of a folder could lead anywhere, but only the user makes those.
      if error.isExisting, (try? FileOperations.system.kind(path)) == .directory { return }
      throw .output(path: path, detail: error.text, reason: .cannotCreate)
    }
  }
}

/// A file on the disk that a recording is written into; `NAME.partial` until it is closed.
///
/// See ``AppendedFile`` for what it promises.
package final class DiskRecordingFile: RecordingFile {
  private let file: AppendedFile

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: The final name.
  ///   - existing: What happens to a file that has it already.
  ///   - durability: What is certain once it is closed.
  ///   - ballastBytes: Room on the disk that is kept for the end of the file, see ``AppendedFile``.
  ///   - abandonableEnding: The ending of the unfinished file where it can be made again at any time,
  ///     so that one that a killed process left is replaced; `nil` for a recording that cannot.
  /// - Throws: `.output`.
  package init(
    path: String, existing: OutputTransaction.ExistingFiles = .keep,
    durability: OutputTransaction.Durability = .synchronized, ballastBytes: Int = 64 << 20,
    abandonableEnding: String? = nil
  ) throws(RecordingWritingError) {
    do throws(OutputError) {
      file = try AppendedFile(
        path: path, existing: existing, durability: durability, ballastBytes: ballastBytes,
        unfinishedEnding: abandonableEnding ?? ".partial",
        replacesAbandoned: abandonableEnding != nil)
    } catch { throw RecordingWritingError(error) }
  }

  /// Finds out whether a recording could be begun now, by beginning one and removing it.
  ///
  /// For commands that record later and want to be refused at once.
  ///
  /// - Parameters:
  ///   - path: The final name.
  ///   - existing: What would happen to a file that has it already.
  /// - Throws: `.output`, as making the file does.
  package static func tryOut(
    path: String, existing: OutputTransaction.ExistingFiles = .keep
  ) throws(RecordingWritingError) {
    try DiskRecordingFile(
      path: path, existing: existing, durability: .buffered, ballastBytes: 0
    ).remove()
  }

  /// Takes a file that is there already, for a caller that keeps hold of it.
  init(_ file: AppendedFile) { self.file = file }

  /// The name until it is closed.
  package var partialPath: String { file.partialPath }

  /// Whether the disk was full, so that only the end of the recording should be written.
  package var isDiskFull: Bool { file.isDiskFull }

  /// The number of bytes appended so far.
  package var byteCount: Int { file.byteCount }

  /// Appends bytes; all of them count, or none.
  ///
  /// - Throws: `.output`.
  package func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError) {
    do throws(OutputError) { try file.append(bytes) } catch { throw RecordingWritingError(error) }
  }

  /// Waits until all that was appended would survive a power cut.
  ///
  /// - Throws: `.output`.
  package func synchronize() throws(RecordingWritingError) {
    do throws(OutputError) { try file.synchronize() } catch { throw RecordingWritingError(error) }
  }

  /// Removes a file that is not closed; nothing may be called afterwards.
  func remove() { file.remove() }

  /// Brings the file to the disk and gives it its final name.
  ///
  /// - Throws: `.output`; then it keeps the name `NAME.partial`.
  package func close() throws(RecordingWritingError) {
    do throws(OutputError) { try file.close() } catch { throw RecordingWritingError(error) }
  }
}

extension RecordingWritingError {
  /// The failure of an output as that of a recording.
  package init(_ error: OutputError) {
    self = .output(
      path: error.path, detail: error.detail, reason: error.reason, obstacle: error.obstacle)
  }
}
