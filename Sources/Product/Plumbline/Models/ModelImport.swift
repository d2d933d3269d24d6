import PlumblineExport
import PlumblineFaces
public import PlumblineIO
public import PlumblineInference

/// A model file that is brought into the store, with its card.
public struct ModelImport: Sendable {
  /// The bytes of the file.
  public let bytes: [UInt8]
  /// Its manifest.
  public let model: StoredModel
  /// The text of the license, which is kept beside the file; `nil` where none is known.
  package var licenseText: String? = nil

  /// Checks a file, and finds the card.
  ///
  /// - Parameters:
  ///   - file: The file; it is checked before anything else.
  ///   - card: The user's card; without it the file must be known by its checksum.
  ///   - name: The name to store it by, in place of the card's.
  /// - Throws: ``InferenceError``.
  public init(_ file: ModelFile, card: ModelCard?, name: String?) throws(InferenceError) {
    try file.check()
    let digest = SHA256Digest.hexadecimal(of: file.bytes)
    guard var used = card ?? KnownModel.with(sha256: digest)?.card else {
      throw InferenceError(
        .mismatch, file.name, expected: "a model card with what its numbers mean",
        found: "an unknown file, SHA-256 \(digest)", need: .card)
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
    try Self.requireFree(used.name)
    let format = try file.format()
    bytes = file.bytes
    model = StoredModel(
      card: used, fileName: "model.\(format.fileExtension)", byteCount: bytes.count, sha256: digest,
      importedFrom: file.name)
  }

  /// Refuses the names of what Plumbline itself installs under them.
  ///
  /// - Throws: `.mismatch`.
  static func requireFree(_ name: String) throws(InferenceError) {
    let taken = [FaceModel.name, ICTFaceKit.name] + InstalledRuntime.allCases.map(\.rawValue)
    guard !taken.contains(name) else {
      throw InferenceError(
        .mismatch, name, expected: "another name",
        found: "that of a runtime, of the networks that find faces or of the head")
    }
  }

  /// Refuses a name under which something is stored, unless it is replaced.
  ///
  /// - Throws: ``OutputError``: `.exists`.
  package static func requireAbsent(
    _ name: String, in store: ModelStore, _ existing: OutputTransaction.ExistingFiles
  ) throws(OutputError) {
    let folder = store.modelFolder(name)
    if case .keep = existing, StoreFiles.isFolder(folder), !StoreFiles.names(in: folder).isEmpty {
      throw OutputError(.file, path: folder)
    }
  }

  /// Writes the model into the store, its manifest last.
  ///
  /// - Throws: ``OutputError``: `.exists` for another model of the name unless it is replaced.
  public func write(
    to store: ModelStore, existing: OutputTransaction.ExistingFiles
  ) throws(OutputError) {
    try Self.requireAbsent(model.card.name, in: store, existing)
    let folder = store.modelFolder(model.card.name)
    var output = OutputTransaction(existing: .replace)
    try output.createStoreFolder(folder, of: store)
    try output.stage(bytes, at: "\(folder)/\(model.fileName)")
    if let licenseText {
      try output.stage(Array((licenseText + "\n").utf8), at: "\(folder)/LICENSE.txt")
    }
    try output.stage(JSONWriter().bytes(model.json), at: "\(folder)/manifest.json")
    _ = try output.publish()
  }
}

extension ModelStore {
  /// The names of all models, in the order of their bytes, whether or not their manifests are sound.
  public var modelNames: [String] {
    StoreFiles.names(in: folder + "/models").filter { ModelCard.isName($0) }
  }

  /// The name of the depth network that is used where none is named.
  ///
  /// The first known one that is installed, else the first other; where none is installed, one that can be
  /// fetched, so that the error says how.
  package var defaultNetworkName: String {
    installedName(of: .depth) ?? KnownModel.depthAnything2Small.card.name
  }

  /// The name of the network that says what is in front where none is named.
  ///
  /// - Returns: The first known one that is installed, else the first other; `nil` where none is.
  package var defaultSegmentationName: String? { installedName(of: .segmentation) }

  /// The first known network of a kind that is installed, else the first other.
  private func installedName(of kind: ModelCard.Kind) -> String? {
    // A model whose manifest is damaged stays: using it says what is wrong.
    let names = modelNames.filter { name in
      guard name != FaceModel.name, name != ICTFaceKit.name else { return false }
      return ((try? model(named: name))?.card.outputMeaning.kind ?? .depth) == kind
    }
    return KnownModel.all.map(\.card.name).first { names.contains($0) } ?? names.first
  }

  /// Removes a model, or with `openvino` or `onnxruntime` a runtime.
  ///
  /// - Throws: ``InferenceError`` where there is none, ``OutputError``.
  public func remove(_ name: String) throws {
    let runtime = InstalledRuntime(rawValue: name)
    let path = runtime.map { runtimeFolder($0) } ?? modelFolder(name)
    guard runtime != nil || ModelCard.isName(name), StoreFiles.isFolder(path) else {
      throw InferenceError(
        .notInstalled, printable(text: name), expected: "something that is installed",
        found: "none of that name", need: .knownName)
    }
    try StoreFiles.remove(path)
  }

  /// Whether OpenVINO is installed whole, here or elsewhere as the environment says.
  public var hasRuntime: Bool { has(.openVINO) }
}

/// Looks at folders of the store, and removes them.
enum StoreFiles {
  static func isFolder(_ path: String) -> Bool {
    (try? FileOperations.system.kind(path)) == .directory
  }

  /// The names in a folder, in the order of their bytes; none where there is no folder.
  static func names(in path: String) -> [String] {
    let names = (try? FileOperations.system.entries(path)) ?? []
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Removes a folder and the files in it, its manifest first, so that what is left counts as nothing.
  ///
  /// Folders inside are not entered, and a link is removed, not followed.
  static func remove(_ path: String) throws(OutputError) {
    let names = Self.names(in: path)
    for name in ["manifest.json"] + names.filter({ $0 != "manifest.json" }) {
      let file = "\(path)/\(name)"
      do throws(SystemFailure) { try FileOperations.system.remove(file) } catch {
        if !error.isMissing { throw failure(file, error) }
      }
    }
    do throws(SystemFailure) { try FileOperations.system.removeDirectory(path) } catch {
      throw failure(path, error)
    }
  }

  private static func failure(_ path: String, _ error: SystemFailure) -> OutputError {
    OutputError(.inputOutput, path: path, detail: "it cannot be removed: \(error.text)")
  }
}
