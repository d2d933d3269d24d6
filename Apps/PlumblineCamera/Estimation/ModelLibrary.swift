import Foundation
import Plumbline
import PlumblineScreens

/// The models that the user brought, in the folder Models of the app's documents.
enum ModelLibrary {
  /// The folder.
  static var folder: URL {
    .documentsDirectory.appending(path: "Models", directoryHint: .isDirectory)
  }

  /// The compiled models, by name.
  static var models: [ImportedModel] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (found ?? [])
      .filter { $0.pathExtension == "mlmodelc" }
      .compactMap { ImportedModel(fileName: $0.lastPathComponent) }
      .sorted { $0.name < $1.name }
  }

  /// Where a file of the folder lies.
  static func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  /// The bytes of a file of the folder; `nil` where it is not there.
  static func bytes(_ name: String) -> [UInt8]? {
    (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) }
  }

  /// Compiles a Core ML model into the folder, or copies a card or a morphable model.
  ///
  /// - Parameter url: What the user chose.
  /// - Returns: The model; `nil` for other files.
  /// - Throws: `InferenceError` for what is no model, errors of the file system.
  @concurrent static func take(from url: URL) async throws -> ImportedModel? {
    let isScoped = url.startAccessingSecurityScopedResource()
    defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    guard let model = ImportedModel(fileName: url.lastPathComponent) else {
      try copy(url, as: url.lastPathComponent)
      return nil
    }
    if url.pathExtension == "mlmodelc" {
      try copy(url, as: model.compiledName)
    } else {
      let compiled = try await CoreMLRuntime.compiled(at: url.path(percentEncoded: false))
      try? files.removeItem(at: folder.appending(path: model.compiledName))
      try files.moveItem(
        at: URL(fileURLWithPath: compiled), to: folder.appending(path: model.compiledName))
    }
    return model
  }

  private static func copy(_ url: URL, as name: String) throws {
    let target = folder.appending(path: name)
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.copyItem(at: url, to: target)
  }
}
