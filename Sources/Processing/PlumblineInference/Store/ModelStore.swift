public import PlumblineIO

/// The folder in which runtime and models are installed.
///
/// It is only read here; `plumbline models` writes it. Each model has a folder `models/NAME` with its
/// file and a `manifest.json`; a runtime is `runtime/NAME-VERSION`.
public struct ModelStore: Sendable, Hashable {
  /// The path of the folder, which need not exist.
  public var folder: String
  /// The folder of a runtime that is installed elsewhere, such as `openvino/libs` of a Python wheel.
  public var runtimeOverride: String?
  /// The folder of an ONNX Runtime that is installed elsewhere, such as `onnxruntime/capi` of a Python
  /// wheel; the same for that runtime.
  public var onnxRuntimeOverride: String?
  /// The runtime for depth networks; `nil` for the one that is installed, OpenVINO before ONNX Runtime.
  public var runtimeChoice: RuntimeChoice?
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
  /// `PLUMBLINE_OPENVINO` and `PLUMBLINE_ONNXRUNTIME` name runtimes that are installed elsewhere.
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
    onnxRuntimeOverride = environment["PLUMBLINE_ONNXRUNTIME"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The folder of the runtime that this version of Plumbline uses.
  public var runtimeFolder: String { runtimeFolder(.openVINO) }

  /// The folder of a runtime.
  package func runtimeFolder(_ runtime: InstalledRuntime) -> String {
    "\(folder)/runtime/\(runtime.rawValue)-\(runtime.version)"
  }

  /// The folder of a runtime that is installed elsewhere; `nil` where none is named.
  package func folderElsewhere(of runtime: InstalledRuntime) -> String? {
    runtime == .openVINO ? runtimeOverride : onnxRuntimeOverride
  }

  /// Whether a runtime is installed whole, here or elsewhere as the environment says.
  ///
  /// The manifest comes last, so a runtime without it was cut off while it was installed.
  package func has(_ runtime: InstalledRuntime) -> Bool {
    if let elsewhere = folderElsewhere(of: runtime) {
      return [runtime.libraryFile, runtime == .onnxRuntime ? "libonnxruntime.so" : ""].contains {
        !$0.isEmpty && ModelFile.isFile("\(elsewhere)/\($0)")
      }
    }
    let folder = runtimeFolder(runtime)
    return ModelFile.isFile("\(folder)/manifest.json")
      && ModelFile.isFile("\(folder)/\(runtime.libraryFile)")
  }

  /// The folder of a model.
  public func modelFolder(_ name: String) -> String { folder + "/models/" + name }

  #if canImport(COpenVINO)
    /// The runtime for depth networks, as ``runtimeChoice`` says.
    ///
    /// - Throws: `.notInstalled` with what is needed; `.failed`.
    public func runtime() throws(InferenceError) -> any ModelFileRuntime {
      if let runtimeChoice { return try runtime(runtimeChoice) }
      let isSecond = !has(.openVINO) && has(.onnxRuntime)
      return try runtime(isSecond ? .onnxRuntime : .openVINO)
    }

    /// A runtime, in this process, or in workers where ``isolation`` says so.
    ///
    /// - Throws: `.notInstalled` with the need of the runtime; `.unsupported` for another device than the
    ///   processor in workers; `.failed`.
    package func runtime(_ choice: RuntimeChoice) throws(InferenceError) -> any ModelFileRuntime {
      let folder = try checkedFolder(of: choice.runtime)
      switch choice {
      case .openVINO, .onnxRuntime: return try isolation.runtime(choice.runtime, folder: folder)
      case .onnxRuntimeCUDA: return try onnxRuntime(folder, .cuda)
      case .onnxRuntimeCoreML: return try onnxRuntime(folder, .coreML)
      }
    }

    private func onnxRuntime(
      _ folder: String, _ provider: ONNXRuntime.Provider
    ) throws(InferenceError) -> any ModelFileRuntime {
      guard isolation == .none else {
        throw InferenceError(
          .unsupported, "ONNX Runtime", expected: "the processor, on which workers run networks",
          found: provider.rawValue)
      }
      return try ONNXRuntime(folder: folder, provider: provider)
    }

    /// The folder of a runtime, after it was found to be whole and safe from others.
    private func checkedFolder(of runtime: InstalledRuntime) throws(InferenceError) -> String {
      if let elsewhere = folderElsewhere(of: runtime) { return elsewhere }
      let folder = runtimeFolder(runtime)
      guard ModelFile.isFile(folder + "/manifest.json") else {
        throw InferenceError(
          .notInstalled, runtime.title, expected: "the runtime that runs networks",
          found: "none", need: runtime.need)
      }
      let library = "\(folder)/\(runtime.libraryFile)"
      for path in [folder, library] where ModelFile.isWritableByOthers(path) {
        throw InferenceError(
          .failed, runtime.title, expected: "libraries that only their owner can change",
          found: "\(printable(text: path)) is writable by everybody")
      }
      return folder
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
      let network = try runtime().network(file, inputShapes: card.inputShapes, threads: threads)
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
