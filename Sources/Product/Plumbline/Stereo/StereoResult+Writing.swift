package import PlumblineIO

extension StereoResult {
  /// Writes the files of a result and its recording into a folder, all or none.
  ///
  /// - Returns: Their paths.
  package func published(
    in folder: String, _ existing: OutputTransaction.ExistingFiles
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: folder)
    _ = try transaction.stage(files(), in: folder, as: .depth)
    try transaction.stage(recording(), at: path("capture.mcap", in: folder))
    return try transaction.publish()
  }
}
