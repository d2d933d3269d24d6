import PlumblineExport
public import PlumblineFaces
public import PlumblineInference
public import PlumblineIO
import PlumblineRecordings
/// A morphable model that is brought into the store: ICT-FaceKit's folder or archive, packed into one
/// file.
public struct MorphableModelImport: Sendable {
  /// The `schema` of the manifest.
  static let schema = "plumbline.morphable-model/1"
  /// The file in the store.
  static let fileName = "model.face"

  /// The model.
  public let model: MorphableModel
  /// The packed file.
  public let bytes: [UInt8]
  /// The folder it came from.
  public let origin: String

  /// Reads and packs a folder.
  ///
  /// - Parameter path: `FaceXModel` of ICT-FaceKit, or the folder that holds it.
  /// - Throws: ``MorphableModelError``, ``InferenceError`` for files that cannot be read. Cost: some 2 s.
  public init(folder path: String) throws {
    let inner = path + "/FaceXModel"
    let folder = StoreFiles.isFolder(inner) ? inner : path
    let names = StoreFiles.names(in: folder)
    model = try ICTFaceKit.model(amongFiles: names) { name in
      try ModelFile(path: folder + "/" + name).bytes
    }
    bytes = MorphableModelFile.bytes(of: model)
    origin = lastPathPart(path)
  }

  /// Reads and packs the archive that GitHub makes of the repository.
  ///
  /// - Parameters:
  ///   - archive: The ZIP archive; nothing of it is unpacked to the disk, and only files of `FaceXModel` are
  ///     read, one by one.
  ///   - origin: Where it is from.
  /// - Throws: ``MorphableModelError``, `CaptureReadingError` for a damaged archive. Cost: some 10 s.
  package init(archive: [UInt8], origin: String) throws {
    let files = try ZIPArchive(MemoryBytes(archive))
    // Of an archive that was cut off some files can be read, but not all of the head's.
    if let finding = files.findings.first {
      throw InferenceError(
        .malformed, printable(text: lastPathPart(origin)), expected: "a whole archive",
        found: finding.message)
    }
    let folder = "FaceXModel/"
    let names = files.fileNames.filter { $0.hasPrefix(folder) }
      .map { String($0.dropFirst(folder.count)) }.filter { !$0.contains("/") }
    model = try ICTFaceKit.model(amongFiles: names) { try files.bytes(of: folder + $0) }
    bytes = MorphableModelFile.bytes(of: model)
    self.origin = origin
  }

  /// As above, for a path that may be a file; `nil` where it is no folder.
  public init?(folderIfAny path: String) throws {
    guard StoreFiles.isFolder(path) else { return nil }
    try self.init(folder: path)
  }

  /// Writes the model into the store, its manifest last.
  ///
  /// - Throws: ``OutputError``: `.exists` for another model of the name unless it is replaced.
  public func write(
    to store: ModelStore, existing: OutputTransaction.ExistingFiles
  ) throws(OutputError) {
    let folder = store.modelFolder(model.name)
    if case .keep = existing, StoreFiles.isFolder(folder), !StoreFiles.names(in: folder).isEmpty {
      throw OutputError(.file, path: folder)
    }
    let manifest: JSONValue = [
      "schema": .string(Self.schema), "file": .string(Self.fileName),
      "bytes": .integer(bytes.count), "sha256": .string(SHA256Digest.hexadecimal(of: bytes)),
      "license": .string(model.license), "vertices": .integer(model.vertexCount),
      "identity": .integer(model.identityCount),
      "expressions": .integer(model.expressionNames.count), "importedFrom": .string(origin),
    ]
    var output = OutputTransaction(existing: .replace)
    try output.createStoreFolder(folder, of: store)
    try output.stage(bytes, at: "\(folder)/\(Self.fileName)")
    try output.stage(JSONWriter().bytes(manifest), at: "\(folder)/manifest.json")
    _ = try output.publish()
  }
}

extension ModelStore {
  /// The manifest of a morphable model.
  ///
  /// - Throws: ``InferenceError``: `.notInstalled` with what is needed, `.malformed`.
  public func morphableManifest(named name: String) throws(InferenceError) -> JSONValue {
    guard StoreFiles.names(in: modelFolder(name)).contains("manifest.json") else {
      throw InferenceError(
        .notInstalled, name, expected: "a morphable model",
        found: "none", need: .model(name))
    }
    let bytes = try ModelFile(path: modelFolder(name) + "/manifest.json").bytes
    do throws(JSONReadingError) { return try JSONValue(parsing: bytes) } catch {
      throw InferenceError(
        .malformed, "\(name)/manifest.json", expected: "a manifest as it was written",
        found: error.description)
    }
  }

  /// A morphable model of the store.
  ///
  /// - Throws: ``InferenceError``: `.notInstalled` with what is needed, `.malformed` for a file that is
  ///   not the one that was written. Cost: some 60 ms.
  package func morphableModel(named name: String) throws(InferenceError) -> MorphableModel {
    let folder = modelFolder(name)
    let expected = try morphableManifest(named: name)["sha256"]?.string
    let file = try ModelFile(path: folder + "/" + MorphableModelImport.fileName)
    let digest = SHA256Digest.hexadecimal(of: file.bytes)
    guard digest == expected else {
      throw InferenceError(
        .malformed, name, expected: "the file as it was imported, SHA-256 \(expected ?? "unknown")",
        found: "\(digest); import it again")
    }
    do throws(MorphableModelError) {
      return try MorphableModelFile.model(file.bytes, named: name)
    } catch {
      throw InferenceError(.malformed, name, expected: error.expected, found: error.found)
    }
  }
}
