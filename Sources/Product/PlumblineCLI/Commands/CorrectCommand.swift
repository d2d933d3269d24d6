import ArgumentParser
import Plumbline

struct CorrectCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct",
    abstract: "Write a capture with what was wrong set right, and say by how much.",
    discussion: """
      Without options it does what the findings of check ask for: the focal length of models that \
      are known to state a wrong one, ARKit's zoom and mirroring, and the lens's distortion.

        color.png             the color image, resampled where a step says so
        depth.npy, .tiff      float32 meters, NaN = not measured
        depth.png             16-bit millimeters, 0 = unknown (metric maps only)
        depth-source.npy      which stored pixel each pixel of the map is: what undoes all steps
        calibration.json      the camera with its ± (use it with --calibration)
        provenance.json       every step with its numbers, before and after

      Of a folder every frame is corrected into a folder of its own; --frame chooses one. A frame \
      that cannot be read or corrected is named and left out; the others are written, and the exit \
      code is 65.
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: "The folder to write into; it is made if it does not exist.", completion: .directory)
  var output: String?

  @Flag(help: "Take the focal length that the device catalog has for the model, with its ±.")
  var focalFromCatalog = false

  @Option(
    name: .customLong("focal-from-pair"),
    help: ArgumentHelp(
      "Take the focal length that follows from what AVFoundation and ARKit state of one device.",
      discussion: """
        AVFoundation's focal length and the width it belongs to, then ARKit's, as in \
        1781.78@2016,1916.17@2880; or a calibration file or capture in place of either. The law is \
        empirical: its ± is 1.1 % for AVFoundation, 2.1 % for ARKit.
        """,
      valueName: "F@W,F@W"),
    transform: FocalPairArgument.init(parsing:))
  var focalPair: FocalPairArgument?

  @Option(
    help: ArgumentHelp(
      "The device that took it, where the capture does not say, as plumbline devices names it.",
      valueName: "NAME"))
  var device: String?

  @Flag(help: "Undo the zoom between ARKit's depth map and color image.")
  var arkitZoom = false

  @Flag(help: "Mirror map, color and calibration: rows for ARKit's front camera, else columns.")
  var unmirror = false

  @Flag(help: "Mirror the columns of the depth map alone, where a program flipped only it.")
  var unmirrorDepth = false

  @Option(
    help: ArgumentHelp(
      "Resample these free from lens distortion: color, depth, or both.",
      valueName: "color,depth"),
    transform: CaptureParts.init(parsing:))
  var rectify: CaptureParts?

  @Option(
    help: ArgumentHelp("Bring map and color to this size.", valueName: "WxH"),
    transform: RasterSize.init(parsing:))
  var size: RasterSize?

  @Flag(help: "Print each step with its numbers before and after.")
  var explain = false

  @OptionGroup var printing: PrintingOptions<CorrectCommand>

  func validate() throws {
    guard output != nil || explain || printing.json else {
      throw ValidationError(
        "Say where to write with -o, or --explain or --json to see what would be done.")
    }
    guard !(unmirror && unmirrorDepth) else {
      throw ValidationError("--unmirror mirrors the map already; give it or --unmirror-depth.")
    }
    guard [options.calibration != nil, focalFromCatalog, focalPair != nil].count(where: { $0 }) < 2
    else {
      throw ValidationError(
        "--calibration, --focal-from-catalog and --focal-from-pair each replace the focal length; "
          + "give one of them.")
    }
    guard options.knownDistances.isEmpty else {
      throw ValidationError(
        "--known-distance makes a relative map metric and is an option of check, cloud and extract."
      )
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      var transaction = OutputTransaction(existing: outputOptions.existing)
      if let output { try transaction.createDirectory(at: output) }
      let pair = try focalPair?.pair()
      var documents: [JSONValue] = []
      var first: (result: CorrectionResult, fileNames: [String])?
      func finish(_ result: CorrectionResult, in folder: String?) throws {
        if let folder { try transaction.createDirectory(at: folder) }
        let files = result.files
        let outputs = try transaction.stage(files, in: folder, as: .depth)
        first = first ?? (result, files.map(\.name))
        if printing.json {
          documents.append(result.document(outputs: outputs))
        } else if explain && !printing.quiet {
          StandardOutput.print(CorrectionText(result: result, pair: pair?.pair).text)
        }
      }
      var walk: FrameWalk?
      let input = try options.input()
      var analyzer = try options.analyzer(color: .full, companions: true)
      // The steps are made with numbers before and after, so the analysis keeps the capture's own.
      let replacement = analyzer.calibration
      analyzer.calibration = nil
      analyzer.deviceModel = device
      func corrected(_ analysis: CaptureAnalysis) throws -> CorrectionResult {
        guard analysis.capture.depth != nil else {
          throw CaptureReadingError(.missing, expected: "a depth map to correct", found: "none")
        }
        return try corrector(for: analysis, replacement, pair).correct(analysis)
      }
      if case .recording(let recording, let name) = input, options.frame == nil {
        walk = try FrameWalk(recording, in: output, isQuiet: printing.quiet) { index, folder in
          try finish(corrected(analyzer.analyze(recording, named: name, at: index)), in: folder)
        }
      } else {
        try finish(corrected(analyzer.analyze(input)), in: output)
      }
      let written = try transaction.publish()
      printing.print(
        walk?.document(schema: "plumbline.correct/1", frames: documents) ?? documents.first ?? .null
      ) {
        guard let output, let first else { return }
        if !explain { StandardOutput.print(CorrectionText(result: first.result).summary) }
        if let walk {
          StandardOutput.print(
            "  \(walk.doneCount.counting("frame")) in \(printable(text: path("FRAME", in: output))), each with"
          )
          for row in first.fileNames.joined(separator: ", ").wrapped(76) {
            StandardOutput.print("    " + row)
          }
        } else {
          for path in written { StandardOutput.print(printable(text: path)) }
        }
      }
      return walk?.failures.isEmpty == false ? CommandExit.unusableInput : .success
    }
  }

  private func corrector(
    for analysis: CaptureAnalysis, _ calibration: CalibrationReplacement?,
    _ pair: (pair: FocalFromPair, origin: String)?
  ) -> CaptureCorrector {
    var corrector = CaptureCorrector()
    corrector.calibration = calibration
    corrector.takesFocalFromCatalog = focalFromCatalog
    corrector.focalPair = pair
    corrector.undoesZoom = arkitZoom
    if unmirror {
      corrector.mirroring = Mirroring(
        analysis.capture.source.interface == .arkit ? .rows : .columns)
    }
    if unmirrorDepth { corrector.mirroring = Mirroring(.columns, of: .depth) }
    corrector.rectified = rectify ?? []
    corrector.size = size
    return corrector
  }
}

extension CaptureParts {
  /// Reads `color`, `depth` or both, separated by a comma.
  fileprivate init(parsing argument: String) throws {
    self = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "color": insert(.color)
      case "depth": insert(.depth)
      default: throw ValidationError("write color, depth, or color,depth")
      }
    }
  }
}

extension RasterSize {
  /// Reads columns and rows as in `640x480`.
  fileprivate init(parsing argument: String) throws {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      (1...16384).contains(width), (1...16384).contains(height),
      width * height <= ReadingLimits().auxiliaryPixels
    else {
      throw ValidationError(
        "write columns and rows from 1 to 16384, 16 million pixels at most, as in 640x480")
    }
    self.init(width: width, height: height)
  }
}
