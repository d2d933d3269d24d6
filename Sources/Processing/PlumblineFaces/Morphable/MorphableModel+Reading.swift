public import PlumblineInference

extension MorphableModel {
  /// Reads a model as `plumbline models` packs it, one file.
  ///
  /// - Parameter path: The file.
  /// - Throws: `.notInstalled` where there is none, `.failed` where it cannot be read, `.malformed` for
  ///   another file. Cost: some 0.2 s for ICT-FaceKit.
  public init(path: String) throws(InferenceError) {
    let file = try ModelFile(path: path)
    do throws(MorphableModelError) {
      self = try MorphableModelFile.model(file.bytes, named: file.name)
    } catch {
      throw InferenceError(
        .malformed, file.name, expected: "a morphable model: \(error.expected)",
        found: "\(error.place): \(error.found)")
    }
  }
}
