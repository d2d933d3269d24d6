package import PlumblineIO

extension KnownModel {
  /// The `schema` of an entry that a user brings.
  package static let entrySchema = "plumbline.model-source/1"
  /// The most bytes of such a document.
  package static let maximumEntryBytes = 1 << 20

  /// Reads an entry: a card with the addresses of its file; `Documentation/models.md` describes it.
  ///
  /// - Throws: `.unsupported` for another schema, `.missing` and `.malformed` with the position, as
  ///   ``ModelCard/init(_:)``.
  package init(entry json: JSONValue) throws(JSONReadingError) {
    let fields = try JSONFields(json)
    let schema = try fields.required("schema", fields.text)
    guard schema == Self.entrySchema else {
      throw JSONReadingError(
        .unsupported, path: ["schema"], expected: Self.entrySchema, found: Self.quoted(schema))
    }
    guard let member = json["card"] else {
      throw JSONReadingError(.missing, path: ["card"], expected: "a card", found: "nothing")
    }
    let card: ModelCard
    do throws(JSONReadingError) { card = try ModelCard(member) } catch {
      throw error.inside("card")
    }
    let addresses = try fields.required("addresses", fields.texts)
    guard (1...ModelSource.maximumAddresses).contains(addresses.count) else {
      throw fields.failure(
        at: "addresses", expected: "1 to \(ModelSource.maximumAddresses) addresses",
        found: "\(addresses.count)")
    }
    for (index, address) in addresses.enumerated() where !ModelSource.isAddress(address) {
      throw fields.failure(
        at: "addresses/\(index)",
        expected: "an address with https://, or with http:// of this machine",
        found: Self.quoted(address))
    }
    let sha256 = try fields.text("sha256")
    guard sha256.map(ModelSource.isSHA256) ?? true else {
      throw fields.failure(
        at: "sha256", expected: "64 lowercase hexadecimal digits", found: Self.quoted(sha256 ?? ""))
    }
    let byteCount = try fields.integer("bytes")
    guard byteCount.map({ (1...ModelFile.maximumByteCount).contains($0) }) ?? true else {
      throw fields.failure(
        at: "bytes", expected: "1 to \(ModelFile.maximumByteCount)", found: "\(byteCount ?? 0)")
    }
    let license = try fields.required("license", fields.fields)
    let text = try license.required("text", license.text)
    guard !text.isEmpty, text.utf8.count <= 1 << 16 else {
      throw license.failure(
        at: "text", expected: "a text of 1 to 65536 bytes", found: "\(text.utf8.count) bytes")
    }
    self.init(
      card: card, sha256: sha256, byteCount: byteCount, fileNames: [],
      source: ModelSource(
        addresses: addresses, sha256: sha256, byteCount: byteCount,
        checksumOrigin: sha256 == nil ? nil : "the entry",
        license: ModelLicense(
          name: card.license, text: text,
          needsAcceptance: try license.flag("needsAcceptance") ?? false)))
  }

  /// A text of an entry as it is shown, without what does not fit a line.
  private static func quoted(_ text: String) -> String {
    let shown = printable(text: String(text.prefix(100)))
    return "“\(shown)\(shown.count < text.count ? "…" : "")”"
  }
}
