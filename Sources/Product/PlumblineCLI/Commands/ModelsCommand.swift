import ArgumentParser
import Plumbline

struct ModelsCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Install what runs networks, the depth models of estimate, and what finds faces.",
    discussion: """
        plumbline models list                         what is installed, and what is known
        plumbline models install                      fetch the runtime (OpenVINO, 59 MB)
        plumbline models install depth-anything-v2-small   fetch a depth network (99 MB)
        plumbline models install face                 fetch the networks that find faces (4 MB)
        plumbline models import fastdepth.onnx        a model file into the store
        plumbline models import m.onnx --card m.json  any other, with a card
        plumbline models install ict-facekit          fetch the head of face
        plumbline models import ICT-FaceKit           the same, from its folder
        plumbline models show fastdepth-nyu           its card
        plumbline models remove fastdepth-nyu

      The store is the folder PLUMBLINE_MODELS, else plumbline in XDG_DATA_HOME, else \
      ~/.local/share/plumbline. PLUMBLINE_OPENVINO and PLUMBLINE_ONNXRUNTIME name runtimes that are \
      installed elsewhere, such as the folders openvino/libs and onnxruntime/capi of a Python.
      """,
    subcommands: [
      ModelListCommand.self, ModelInstallCommand.self, ModelImportCommand.self,
      ModelShowCommand.self, ModelRemoveCommand.self,
    ],
    defaultSubcommand: ModelListCommand.self)
}

struct ModelListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print what is installed and what is known, with license, origin and checksum.")

  @OptionGroup var printing: DocumentOptions<ModelsCommand>

  func run() throws {
    throw try CommandExit.running("models") {
      let store = try ModelOptions.store()
      let document = store.document { $0.acquisition }
      printing.print(document) { StandardOutput.print(ModelListText(document: document).text) }
      return .success
    }
  }
}

struct ModelImportCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring model files into the store: ONNX or TFLite.",
    discussion: """
      Known files get their card by their checksum; any other file needs --card. Nothing in a file \
      is run but the network. FCRN.mlmodel and FCRNFP16.mlmodel of Apple, NYU_ResNet-UpProj.npy of \
      the authors and other Core ML networks are converted once, by the program of Plumbline's \
      source that also writes their card:

        Tools/convert-model FCRN.mlmodel -o fcrn.onnx
        plumbline models import fcrn.onnx --card fcrn.json
      """)

  @Argument(
    help: "The files.", completion: .file(extensions: ["onnx", "tflite"]))
  var files: [String]

  @Option(
    help: ArgumentHelp("The model card, JSON.", valueName: "FILE"),
    completion: .file(extensions: ["json"]))
  var card: String?

  @Option(help: "The name to store it by, in place of the card's.")
  var name: String?

  @Flag(help: "Replace a model of the same name; without it that fails with 73.")
  var force = false

  @OptionGroup var printing: QuietOptions<ModelImportCommand>

  mutating func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Say which files.") }
    guard files.count == 1 || (card == nil && name == nil) else {
      throw ValidationError("--card and --name are for one file.")
    }
  }

  func run() throws {
    throw try CommandExit.running(files[0]) {
      let store = try ModelOptions.store()
      var used: ModelCard?
      if let card {
        var limits = ReadingLimits()
        limits.fileBytes = 1 << 20
        let bytes = try InputFile(path: card, limits: limits).bytes
        used = try FileError.naming(card) { try ModelCard(JSONValue(parsing: bytes)) }
      }
      for path in files {
        if let result = try FileError.naming(path, { try MorphableModelImport(folderIfAny: path) })
        {
          try result.write(to: store, existing: force ? .replace : .keep)
          guard !printing.quiet else { continue }
          StandardOutput.print(
            "\(result.model.name): \(result.model.vertexCount) vertices, "
              + "\(result.model.identityCount) identities, \(result.model.expressionNames.count) "
              + "expressions, \(result.bytes.count) bytes, license \(result.model.license)")
          continue
        }
        let result = try FileError.naming(path) {
          try ModelImport(ModelFile(path: path), card: used, name: name)
        }
        try result.write(to: store, existing: force ? .replace : .keep)
        guard !printing.quiet else { continue }
        StandardOutput.print(
          "\(result.model.card.name): \(result.bytes.count) bytes, license "
            + "\(printable(text: result.model.card.license)), SHA-256 \(result.model.sha256)")
      }
      return .success
    }
  }
}

struct ModelShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a model's card and manifest as JSON.")

  @Argument(help: "The name of an installed or known model.")
  var name: String

  @OptionGroup var colors: ColorOptions

  func run() throws {
    throw try CommandExit.running(name) {
      let store = try ModelOptions.store()
      if name == ICTFaceKit.name {
        StandardOutput.print(JSONWriter().text(try store.morphableManifest(named: name)))
        return .success
      }
      if name == FaceModel.name {
        StandardOutput.print(JSONWriter().text(try store.faceManifest()))
        return .success
      }
      if !store.modelNames.contains(name), let card = KnownModel.named(name)?.card {
        StandardOutput.print(JSONWriter().text(card.json))
        return .success
      }
      StandardOutput.print(JSONWriter().text(try store.model(named: name).json))
      return .success
    }
  }
}

struct ModelRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an installed model or runtime.")

  @Argument(help: "The name.")
  var name: String

  @OptionGroup var colors: ColorOptions

  func run() throws {
    throw try CommandExit.running(name) {
      try ModelOptions.store().remove(name)
      return .success
    }
  }
}
