package import PlumblineIO

extension EstimateResult {
  /// Writes the files of an estimate and its recording into a folder, all or none.
  ///
  /// - Returns: Their paths.
  package func published(
    in folder: String, _ existing: OutputTransaction.ExistingFiles
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: folder)
    var outputs = try transaction.stage(files, in: folder, as: .depth)
    let place = path("capture.mcap", in: folder)
    try transaction.stage(
      recording(origin: "\(PlumblineVersion.text) estimate, \(before.fileName)"), at: place)
    outputs.append(place)
    _ = try transaction.publish()
    return outputs
  }
}
