public import PlumblineIO

/// The folder in which runtime and models are installed.
///
/// It is only read here; `plumbline models` writes it. Each model has a folder `models/NAME` with its
/// file and a `manifest.json`; the runtime is `runtime/openvino-VERSION`.
public struct ModelStore: Sendable, Hashable {
  /// The path of the folder, which need not exist.
  public var folder: String
  /// The folder of a runtime that is installed elsewhere, such as `openvino/libs` of a Python wheel.
  public var runtimeOverride: String?
  /// The process in which networks run; this one, unless a caller sets workers.
  public var isolation = NetworkIsolation.none

  /// Takes a folder.
  public init(folder: String, runtimeOverride: String? = nil) {
    self.folder = folder
    self.runtimeOverride = runtimeOverride
  }

  /// The store that an environment names.
  ///
  /// `PLUMBLINE_MODELS`, else `plumbline` in `XDG_DATA_HOME`, else `.local/share/plumbline` in `HOME`;
  /// `PLUMBLINE_OPENVINO` names a runtime that is installed elsewhere.
  ///
  /// - Returns: `nil` where none of them is set to an absolute path.
  /// - Source: freedesktop.org, *XDG Base Directory Specification*.
  public init?(environment: [String: String]) {
    func path(_ key: String) -> String? {
      environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard
      let folder = environment["PLUMBLINE_MODELS"].flatMap({ $0.isEmpty ? nil : $0 })
        ?? path("XDG_DATA_HOME").map({ $0 + "/plumbline" })
        ?? path("HOME").map({ $0 + "/.local/share/plumbline" })
    else { return nil }
    self.init(
      folder: folder,
      runtimeOverride: environment["PLUMBLINE_OPENVINO"].flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The folder of the runtime that this version of Plumbline uses.
  public var runtimeFolder: String { folder + "/runtime/openvino-\(RuntimeWheel.version)" }

  /// The folder of a model.
  public func modelFolder(_ name: String) -> String { folder + "/models/" + name }

  #if canImport(COpenVINO)
    /// The runtime, in this process or in workers as ``isolation`` says.
    ///
    /// - Throws: `.notInstalled` with the need ``InferenceError/Need/runtime``; `.failed`.
    public func runtime() throws(InferenceError) -> any ModelFileRuntime {
      if let runtimeOverride { return try isolation.runtime(folder: runtimeOverride) }
      // The manifest comes last, so a runtime without it was cut off while it was installed.
      guard ModelFile.isFile(runtimeFolder + "/manifest.json") else {
        throw InferenceError(
          .notInstalled, "OpenVINO", expected: "the runtime that runs networks",
          found: "none", need: .runtime)
      }
      let library = "\(runtimeFolder)/\(OpenVINORuntime.libraryFile)"
      for path in [runtimeFolder, library] where ModelFile.isWritableByOthers(path) {
        throw InferenceError(
          .failed, "OpenVINO", expected: "libraries that only their owner can change",
          found: "\(printable(text: path)) is writable by everybody")
      }
      return try isolation.runtime(folder: runtimeFolder)
    }

    /// A model of the store, ready to run.
    ///
    /// - Parameters:
    ///   - name: The short name.
    ///   - threads: How many threads a run may use.
    /// - Returns: The network, whose only input takes ``ModelCard/inputShape``, and the card.
    /// - Throws: ``InferenceError``. Cost: the file is read and its checksum tested, some 3 s for each
    ///   gigabyte, then compiled.
    public func network(
      named name: String, threads: Int
    ) throws(InferenceError) -> (network: any NeuralNetwork, card: ModelCard) {
      let model = try model(named: name)
      let file = try ModelFile(path: modelFolder(name) + "/" + model.fileName)
      let found = SHA256Digest.hexadecimal(of: file.bytes)
      guard found == model.sha256 else {
        throw InferenceError(
          .malformed, name, expected: "the file as it was imported, SHA-256 \(model.sha256)",
          found: "\(found); import it again")
      }
      return (try network(of: file, card: model.card, threads: threads), model.card)
    }

    /// A model file with its card, ready to run.
    ///
    /// - Throws: `.mismatch` where the network is not what the card says.
    public func network(
      of file: ModelFile, card: ModelCard, threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      let network = try runtime().network(file, inputShapes: [card.inputShape], threads: threads)
      try card.check(network)
      return network
    }
  #endif

  /// A model of the store.
  ///
  /// - Throws: `.notInstalled` with what is needed; `.mismatch` for the networks that find faces, which
  ///   estimate no depth; `.malformed` for a manifest that is damaged.
  public func model(named name: String) throws(InferenceError) -> StoredModel {
    guard name != FaceModel.name else {
      throw InferenceError(
        .mismatch, name, expected: "a model that estimates depth",
        found: "the name of the networks that find faces")
    }
    let path = modelFolder(name) + "/manifest.json"
    guard ModelCard.isName(name), ModelFile.isFile(path) else {
      let known = KnownModel.named(name)
      throw InferenceError(
        .notInstalled, printable(text: name), expected: "an installed model",
        found: known == nil ? "none of that name" : "none",
        need: known == nil ? .knownName : .model(name))
    }
    let bytes = try ModelFile(path: path).bytes
    do throws(JSONReadingError) {
      return try StoredModel(try JSONValue(parsing: bytes))
    } catch {
      throw InferenceError(
        .malformed, "\(name)/manifest.json", expected: "a manifest as it was written",
        found: error.description)
    }
  }
}

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
  package init(
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
  package init(_ json: JSONValue) throws(JSONReadingError) {
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
