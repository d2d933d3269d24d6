package import PlumblineIO
import PlumblineStreams

extension StereoResult {
  /// Writes the files of a result and its recording into a folder, all or none.
  ///
  /// - Returns: Their paths.
  package func published(
    in folder: String, _ existing: OutputTransaction.ExistingFiles
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: folder)
    // One file after another: all of them together take more memory than the matching.
    try forEachFile { file in _ = try transaction.stage(file, in: folder, of: .depth) }
    try transaction.removeStale(in: folder) { OutputSet.depth.contains($0) }
    let recording = try DiskRecordingFile(
      path: transaction.reserve(at: path("capture.mcap", in: folder)), ballastBytes: 0)
    do throws(RecordingWritingError) { try record(to: recording) } catch {
      recording.remove()
      throw error
    }
    return try transaction.publish()
  }
}
