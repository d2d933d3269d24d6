import PlumblineExport
public import PlumblineIO
public import PlumblineImages
import PlumblineModel
import PlumblineRecordings
public import PlumblineStreams

/// A recording that was brought into order, with what was lost.
public struct RecordingRecovery: Sendable {
  /// What the old file held and what of it is in the new one.
  public let recovery: MCAPRecovery
  /// The name of the old file without folders.
  public let fileName: String
  /// The path of the new file.
  public let outputPath: String

  /// Reads a file through and writes what is sound to another one.
  ///
  /// - Parameters:
  ///   - path: The old file, such as `capture.mcap.partial`; it is not changed.
  ///   - output: The new file.
  ///   - existing: What happens to a file that has this name.
  ///   - limits: What may be spent on the old file.
  /// - Throws: ``InputError``, ``CaptureReadingError`` for a file that is no MCAP recording,
  ///   ``OutputError``. Cost: O(*n*); memory of one chunk and the index.
  public init(
    path: String, output: String, existing: OutputTransaction.ExistingFiles = .keep,
    limits: ReadingLimits = ReadingLimits()
  ) throws {
    let source = try FileSource(path: path)
    guard MCAPFile.recognizes(source) else {
      // Says what is there, before anything is made.
      _ = try MCAPFile(source: source, limits: limits)
      throw CaptureReadingError(.malformed, expected: "an MCAP recording", found: "none")
    }
    fileName = lastPathPart(path)
    outputPath = output
    // NAME.partial may be the very file that is read.
    let file = try AppendedFile(
      path: output, existing: existing, ballastBytes: 0, unfinishedEnding: ".recovering",
      replacesAbandoned: true)
    do {
      recovery = try MCAPRecovery(from: source, to: DiskRecordingFile(file), limits: limits)
    } catch {
      file.remove()
      switch error {
      case .reading(let error): throw error
      case .writing(let problem):
        // The file's own error has the exit status of its kind.
        throw file.lastError ?? problem
      }
    }
  }

  /// The document `plumbline.recover/1`, as `Documentation/cli.md` describes it.
  public var document: JSONValue {
    .object([
      ("schema", "plumbline.recover/1"),
      ("file", .string(fileName)),
      ("output", .string(outputPath)),
      ("wasComplete", .bool(recovery.wasComplete)),
      ("chunksKept", .integer(recovery.chunksKept)),
      ("chunksDropped", .integer(recovery.chunksDropped)),
      ("messages", .integer(recovery.messages)),
      ("attachments", .integer(recovery.attachments)),
      ("metadata", .integer(recovery.metadata)),
      ("bytesLost", .integer(recovery.bytesLost)),
      (
        "gaps",
        .array(
          recovery.gaps.map { gap in
            .object([
              ("start", .integer(gap.range.lowerBound)),
              ("end", .integer(gap.range.upperBound)),
              ("detail", .string(printable(text: gap.detail))),
              ("startSeconds", .number(gap.logTimes.map { Double($0.lowerBound) * 1e-9 })),
              ("endSeconds", .number(gap.logTimes.map { Double($0.upperBound) * 1e-9 })),
            ])
          })
      ),
    ])
  }
}

extension Capture {
  /// The capture as a recording of one frame (MCAP) in memory, which every verb takes.
  ///
  /// - Parameters:
  ///   - name: The name of the frame.
  ///   - origin: The program and the file that it comes from, in words.
  /// - Returns: The bytes of the file.
  /// - Throws: ``RecordingWritingError`` for what MCAP cannot hold. Cost: O(*n*).
  func recording(named name: String, origin: String) throws(RecordingWritingError) -> [UInt8] {
    let file = RecordingInMemory()
    try record(named: name, origin: origin, to: file)
    return file.bytes
  }

  /// Writes the capture as a recording of one frame (MCAP) into a file, which it closes.
  ///
  /// - Parameters:
  ///   - name: The name of the frame.
  ///   - origin: The program and the file that it comes from, in words.
  ///   - file: A new file.
  /// - Throws: ``RecordingWritingError`` for what MCAP cannot hold, and of the file. Cost: O(*n*).
  func record(
    named name: String, origin: String, to file: any RecordingFile
  ) throws(RecordingWritingError) {
    var writer = try MCAPRecordingWriter(
      file: file, header: RecordingHeader(worldAxes: .unknown, origin: origin))
    try writer.append(self, name: name)
    try writer.finish()
  }
}

/// A recording's file that stays in memory.
private final class RecordingInMemory: RecordingFile {
  private(set) var bytes: [UInt8] = []
  var byteCount: Int { bytes.count }
  func append(_ more: ArraySlice<UInt8>) throws(RecordingWritingError) { bytes += more }
  func synchronize() throws(RecordingWritingError) {}
  func close() throws(RecordingWritingError) {}
}
