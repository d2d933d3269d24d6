import PlumblineExport
public import PlumblineIO
public import PlumblineInference

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A model file that is brought into the store, with its card.
public struct ModelImport: Sendable {
  /// The stored bytes: the file itself, or the ONNX made from it.
  public let bytes: [UInt8]
  /// Its manifest.
  public let model: StoredModel
  /// What it was converted from, in words; `nil` for a file that is stored as it is.
  public let convertedFrom: String?

  /// Reads a file, converts FCRN's weights, and finds the card.
  ///
  /// - Parameters:
  ///   - file: The file; it is checked before anything else.
  ///   - card: The user's card; without it the file must be known by its checksum, or be FCRN.
  ///   - name: The name to store it by, in place of the card's.
  /// - Throws: ``InferenceError``.
  public init(_ file: ModelFile, card: ModelCard?, name: String?) throws(InferenceError) {
    var bytes = file.bytes
    var found: ModelCard?
    if let converted = try file.converted() {
      bytes = converted.bytes
      convertedFrom = converted.origin
      found = converted.card.name == KnownModel.fcrn.card.name ? converted.card : nil
    } else {
      try file.check()
      convertedFrom = nil
      found = KnownModel.with(sha256: SHA256Digest.hexadecimal(of: file.bytes))?.card
    }
    guard var used = card ?? found else {
      throw InferenceError(
        .mismatch, file.name, expected: "a model card with what its numbers mean",
        found: "an unknown file, SHA-256 \(SHA256Digest.hexadecimal(of: file.bytes))", need: .card)
    }
    if let name {
      guard ModelCard.isName(name) else {
        throw InferenceError(
          .mismatch, printable(text: name),
          expected: "a name of a–z, 0–9, '.', '_' and '-', a letter or digit first",
          found: "another")
      }
      used.name = name
    }
    guard used.name != FaceModel.name else {
      throw InferenceError(
        .mismatch, FaceModel.name, expected: "another name",
        found: "that of the networks that find faces")
    }
    self.bytes = bytes
    let format = try ModelFile(name: file.name, bytes: bytes).format()
    model = StoredModel(
      card: used, fileName: "model.\(format.fileExtension)", byteCount: bytes.count,
      sha256: SHA256Digest.hexadecimal(of: bytes), importedFrom: file.name)
  }

  /// Writes the model into the store, its manifest last.
  ///
  /// - Throws: ``OutputError``: `.exists` for another model of the name unless it is replaced.
  public func write(
    to store: ModelStore, existing: OutputTransaction.ExistingFiles
  ) throws(OutputError) {
    let folder = store.modelFolder(model.card.name)
    if case .keep = existing, StoreFiles.isFolder(folder), !StoreFiles.names(in: folder).isEmpty {
      throw OutputError(.file, path: folder)
    }
    var output = OutputTransaction(existing: .replace)
    try output.createStoreFolder(folder, of: store)
    try output.stage(bytes, at: "\(folder)/\(model.fileName)")
    try output.stage(JSONWriter().bytes(model.json), at: "\(folder)/manifest.json")
    _ = try output.publish()
  }
}

extension ModelStore {
  /// The names of all models, in the order of their bytes, whether or not their manifests are sound.
  public var modelNames: [String] {
    StoreFiles.names(in: folder + "/models").filter { ModelCard.isName($0) }
  }

  /// Removes a model, or with `openvino` the runtime.
  ///
  /// - Throws: ``InferenceError`` where there is none, ``OutputError``.
  public func remove(_ name: String) throws {
    let path = name == RuntimeWheel.project ? runtimeFolder : modelFolder(name)
    guard name == RuntimeWheel.project || ModelCard.isName(name), StoreFiles.isFolder(path) else {
      throw InferenceError(
        .notInstalled, printable(text: name), expected: "something that is installed",
        found: "none of that name", need: .knownName)
    }
    try StoreFiles.remove(path)
  }

  /// Whether the runtime is installed whole, here or elsewhere as the environment says.
  public var hasRuntime: Bool {
    let files = StoreFiles.names(in: runtimeOverride ?? runtimeFolder)
    return files.contains("libopenvino_c.so.2641")
      && (runtimeOverride != nil || files.contains("manifest.json"))
  }
}

/// Looks at folders of the store, and removes them.
enum StoreFiles {
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder, in the order of their bytes; none where there is no folder.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Removes a folder and the files in it, its manifest first, so that what is left counts as nothing.
  ///
  /// Folders inside are not entered, and a link is removed, not followed.
  static func remove(_ path: String) throws(OutputError) {
    let names = Self.names(in: path)
    for name in ["manifest.json"] + names.filter({ $0 != "manifest.json" }) {
      if unlink("\(path)/\(name)") != 0, errno != ENOENT { throw failure("\(path)/\(name)") }
    }
    if rmdir(path) != 0 { throw failure(path) }
  }

  private static func failure(_ path: String) -> OutputError {
    OutputError(
      .inputOutput, path: path, detail: "it cannot be removed: \(String(cString: strerror(errno)))")
  }
}
