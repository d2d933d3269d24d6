public import PlumblineIO
/// A model of the store: its card, and the file as it was imported.
public struct StoredModel: Sendable, Hashable {
  /// The `schema` of the manifest.
  public static let schema = "plumbline.model/1"

  /// The model card, which is needed to use it.
  public var card: ModelCard
  /// The name of the file beside the manifest.
  public var fileName: String
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The SHA-256 of the file.
  public var sha256: String
  /// The name of the file that it was imported from, for people.
  public var importedFrom: String?

  /// Creates a manifest from its parts.
  public init(
    card: ModelCard, fileName: String, byteCount: Int, sha256: String, importedFrom: String? = nil
  ) {
    self.card = card
    self.fileName = fileName
    self.byteCount = byteCount
    self.sha256 = sha256
    self.importedFrom = importedFrom
  }

  /// Reads a manifest.
  ///
  /// - Throws: As ``ModelCard/init(_:)``.
  public init(_ json: JSONValue) throws(JSONReadingError) {
    let fields = try JSONFields(json)
    guard try fields.required("schema", fields.text) == Self.schema else {
      throw JSONReadingError(
        .unsupported, path: ["schema"], expected: Self.schema, found: "another schema")
    }
    fileName = try fields.required("file", fields.text)
    // A name that leads elsewhere would let a manifest read any file.
    guard !fileName.contains("/"), !fileName.hasPrefix("."), !fileName.isEmpty else {
      throw fields.failure(at: "file", expected: "the name of a file beside the manifest")
    }
    byteCount = try fields.required("bytes", fields.integer)
    sha256 = try fields.required("sha256", fields.text)
    importedFrom = try fields.text("importedFrom")
    guard let card = json["card"] else {
      throw JSONReadingError(.missing, path: ["card"], expected: "a card", found: "nothing")
    }
    do throws(JSONReadingError) { self.card = try ModelCard(card) } catch {
      throw error.inside("card")
    }
    // Models that were imported before cards had this.
    if self.card.publishedError == nil, let known = KnownModel.with(sha256: sha256)?.card,
      known.outputMeaning == self.card.outputMeaning
    {
      self.card.publishedError = known.publishedError
    }
  }

  /// The manifest as its JSON document.
  public var json: JSONValue {
    [
      "schema": .string(Self.schema),
      "file": .string(fileName),
      "bytes": .integer(byteCount),
      "sha256": .string(sha256),
      "importedFrom": .string(importedFrom),
      "card": card.json,
    ]
  }
}
