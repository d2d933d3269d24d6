import PlumblineIO
package import PlumblineInference

/// A model of the catalogue, or of an entry that a user has, as it is fetched and checked before it is
/// stored.
package struct ModelFetch: Sendable {
  /// The model.
  package let model: KnownModel
  /// The source, with the checksum that the user compared where none is known.
  package let source: ModelSource
  private let store: ModelStore

  /// Takes a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - sha256: The checksum that the user compared; `nil` for none.
  ///   - acceptsLicense: Whether the user accepts a license that restricts the use.
  ///   - store: Where it goes.
  /// - Throws: ``InferenceError`` for a model without a source, a name that Plumbline itself needs, a
  ///   license that is not accepted, and a checksum that is not the known one.
  package init(
    _ model: KnownModel, sha256: String?, acceptsLicense: Bool, in store: ModelStore
  ) throws(InferenceError) {
    let name = model.card.name
    guard var source = model.source else {
      throw InferenceError(
        .notInstalled, name, expected: "something that can be fetched",
        found: "a model that users bring", need: .model(name))
    }
    try ModelImport.requireFree(name)
    guard acceptsLicense || !source.license.needsAcceptance else {
      throw InferenceError(
        .mismatch, name, expected: "its license accepted, \(source.license.name)",
        found: "no acceptance", need: .license(name))
    }
    if let sha256 {
      guard source.sha256 == nil || source.sha256 == sha256 else {
        throw InferenceError(
          .mismatch, name, expected: "the checksum that is known, \(source.sha256 ?? "")",
          found: printable(text: sha256))
      }
      source.sha256 = sha256
    }
    self.model = model
    self.source = source
    self.store = store
  }

  /// The download of the file.
  package func download(mirror: String?) -> ModelDownload {
    ModelDownload(source, named: model.card.name, in: store, mirror: mirror)
  }

  /// Checks a file and brings it into the store, with the card and the text of the license.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - sha256: Its checksum.
  ///   - origin: Where it is from.
  /// - Returns: What was stored; an installed model of the name is replaced.
  /// - Throws: ``InferenceError`` for a file whose checksum was not compared or that is not the known one,
  ///   and for one that is no sound network; ``OutputError``.
  package func install(_ bytes: [UInt8], sha256: String, from origin: String) throws -> StoredModel
  {
    let name = model.card.name
    let file = ModelFile(name: printable(text: origin), bytes: bytes)
    guard let known = source.sha256 else {
      // What is no network need not be compared with anything.
      try file.check()
      throw InferenceError(
        .mismatch, name, expected: "a SHA-256 that was compared with another source",
        found: "\(bytes.count) bytes of SHA-256 \(sha256), of which nothing is known here",
        need: .checksum(name: name, sha256: sha256))
    }
    guard known == sha256 else {
      throw InferenceError(
        .mismatch, name, expected: "SHA-256 \(known)", found: "\(sha256); nothing was installed")
    }
    var result = try ModelImport(file, card: model.card, name: nil)
    result.licenseText = source.license.text
    try result.write(to: store, existing: .replace)
    return result.model
  }
}
