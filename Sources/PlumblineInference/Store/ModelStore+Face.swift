public import PlumblineIO
extension ModelStore {
  /// Whether the networks that find faces are installed whole.
  public var hasFaceModel: Bool {
    ModelFile.isFile(modelFolder(FaceModel.name) + "/manifest.json")
  }

  /// The file with the networks that find faces, its checksum tested.
  ///
  /// - Throws: `.notInstalled` with the one command that installs it; `.malformed` for another file than
  ///   the one that was installed. Cost: 4 MB are read and hashed, some 20 ms.
  public func faceModelFile() throws(InferenceError) -> ModelFile {
    // The manifest comes last, so a model without it was cut off while it was installed.
    guard hasFaceModel else { throw Self.noFaces }
    let file = try ModelFile(path: modelFolder(FaceModel.name) + "/" + FaceModel.fileName)
    let found = SHA256Digest.hexadecimal(of: file.bytes)
    guard found == FaceModel.sha256 else {
      throw InferenceError(
        .malformed, FaceModel.name, expected: "SHA-256 \(FaceModel.sha256)",
        found: "\(found); install it again: \(FaceModel.acquisition)")
    }
    return file
  }

  /// The manifest of the networks that find faces, as it was written.
  ///
  /// - Throws: `.notInstalled` with the one command that installs them, `.malformed`.
  public func faceManifest() throws(InferenceError) -> JSONValue {
    guard hasFaceModel else { throw Self.noFaces }
    let bytes = try ModelFile(path: modelFolder(FaceModel.name) + "/manifest.json").bytes
    do throws(JSONReadingError) { return try JSONValue(parsing: bytes) } catch {
      throw InferenceError(
        .malformed, "\(FaceModel.name)/manifest.json", expected: "a manifest as it was written",
        found: error.description)
    }
  }

  private static var noFaces: InferenceError {
    InferenceError(
      .notInstalled, FaceModel.name, expected: "the networks that find faces",
      found: "none; install them: \(FaceModel.acquisition)")
  }

  #if canImport(COpenVINO)
    /// The networks that find faces, ready to run.
    ///
    /// One thread is fastest for networks this small.
    ///
    /// - Throws: ``InferenceError``.
    public func faceNetworks(threads: Int = 1) throws(InferenceError) -> FaceNetworks {
      try FaceNetworks(
        ModelBundle(faceModelFile()), runtime: runtime(), threads: threads)
    }
  #endif
}
