import ArgumentParser
import Plumbline

struct EvaluateCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Compare a depth map with the truth, by the measures of the benchmarks.",
    discussion: """
      AbsRel, SqRel, RMSE, RMSE log, log10, δ1 to δ3, SI-log and boundary F1, over all pixels and by \
      true depth. Both maps may be .npy, TIFF, PNG or PGM of 16 bits, a photo, or a recording's frame.

      A prediction of another size is brought to the truth's grid, linear in reciprocal depth; the truth \
      is never resampled. The crops nyu, eigen and garg bring their caps of 10 and 80 m.

        plumbline evaluate pred.npy truth.npy
        plumbline evaluate depth/relative.npy truth.png --prediction-kind disparity \
      --align scale-shift --space disparity
        plumbline evaluate pred.png truth.png --codes-per-meter 256 --benchmark-crop garg -o judged
      """)

  @Argument(help: "What was predicted.", completion: .file())
  var prediction: String

  @Argument(help: "What is true.", completion: .file())
  var truth: String

  @Option(
    help: ArgumentHelp(
      "How the prediction is brought to the truth: none, median, scale or scale-shift.",
      valueName: "HOW"), transform: EvaluationAlignment.init(parsing:))
  var align = EvaluationAlignment.none

  @Option(
    help: ArgumentHelp(
      "In what it is aligned: depth or disparity.", valueName: "SPACE"),
    transform: EvaluatedMap.Kind.init(parsing:))
  var space = EvaluatedMap.Kind.depth

  @Option(
    help: ArgumentHelp(
      "What is looked at: none (all), nyu, eigen or garg.", valueName: "CROP"),
    transform: EvaluationCrop.init(parsing:))
  var benchmarkCrop = EvaluationCrop.none

  @Option(help: "The largest true depth that counts, in meters; the crop's own unless given.")
  var cap: Double?

  @Option(
    help: ArgumentHelp(
      "What the prediction's bare numbers are: depth or disparity.", valueName: "KIND"),
    transform: EvaluatedMap.Kind.init(parsing:))
  var predictionKind = EvaluatedMap.Kind.depth

  @Option(
    help: ArgumentHelp(
      "How many codes of 16 bits make a meter; 1000 unless given, 256 for KITTI.",
      valueName: "NUMBER"))
  var codesPerMeter: Double = 1000

  @Option(
    help: ArgumentHelp(
      "The frame of recordings, by name or number; the first unless given.",
      valueName: "NAME|INDEX"))
  var frame: String?

  @Option(
    name: .output,
    help: "A folder for evaluation.html, error.png and evaluation.json.", completion: .directory)
  var output: String?

  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<EvaluateCommand>

  func validate() throws {
    if let cap, !(cap > 0 && cap.isFinite) {
      throw ValidationError("The cap must be above 0 meters, not \(cap).")
    }
    guard codesPerMeter > 0, codesPerMeter.isFinite else {
      throw ValidationError("The codes per meter must be above 0, not \(codesPerMeter).")
    }
  }

  func run() throws {
    var predicted: EvaluatedMap?
    let code = try CommandExit.running(prediction) {
      predicted = try EvaluatedMap.read(
        path: prediction, kind: predictionKind, codesPerMeter: codesPerMeter, frame: frame)
      return .success
    }
    guard let predicted else { throw code }
    throw try CommandExit.running(truth) {
      let real = try EvaluatedMap.read(path: truth, codesPerMeter: codesPerMeter, frame: frame)
      var settings = DepthEvaluation.Settings()
      settings.crop = benchmarkCrop
      settings.capMeters = cap
      settings.alignment = align
      settings.isAlignedInDisparity = space == .disparity
      let result = try DepthEvaluator(settings).evaluate(predicted, truth: real)
      var outputs: [String] = []
      if let output {
        var transaction = OutputTransaction(existing: outputOptions.existing)
        try transaction.createDirectory(at: output)
        _ = try transaction.stage(result.files, in: output, as: .evaluation)
        outputs = try transaction.publish()
      }
      printing.print(result.document(outputs: outputs)) {
        for line in EvaluationText(result).lines { StandardOutput.print(line) }
        for path in outputs { StandardOutput.print("  \(printable(text: path))") }
      }
      return .success
    }
  }
}

/// The errors of a depth map as a table: of all pixels, then by true depth.
struct EvaluationText {
  let lines: [String]

  init(_ result: EvaluationResult) {
    let evaluation = result.evaluation
    var lines = [result.reason]
    if evaluation.settings.alignment != .none {
      lines.append("scale \(evaluation.scale.fixed(5)), shift \(evaluation.shift.fixed(5))")
    }
    lines.append(
      "depth in m      pixels   AbsRel  SqRel    RMSE  RMSElog  log10      δ1      δ2      δ3  SI-log"
    )
    func row(_ name: String, _ errors: DepthErrors) -> String {
      let numbers: [(Double, Int, Int)] = [
        (errors.absoluteRelative, 4, 8), (errors.squaredRelativeMeters, 4, 8),
        (errors.rmseMeters, 3, 8), (errors.rmseLog, 4, 8), (errors.log10, 4, 8),
        (errors.deltas.x, 4, 8), (errors.deltas.y, 4, 8), (errors.deltas.z, 4, 8),
        (errors.scaleInvariantLog, 2, 8),
      ]
      return Self.padded(name, 12, left: true) + Self.padded("\(errors.count)", 10)
        + numbers.map { Self.padded($0.fixed($1), $2) }.joined()
    }
    lines.append(row("all", evaluation.errors))
    for (band, errors) in evaluation.bands {
      let end = band.toMeters.isFinite ? "\(band.toMeters.fixed(1))" : "more"
      lines.append(row("\(band.fromMeters.fixed(1)) to \(end)", errors))
    }
    let boundary = evaluation.boundary
    lines.append(
      "boundary F1 \(boundary.f1.fixed(4)); edges of 5 %: precision \(boundary.precision.fixed(3)), "
        + "recall \(boundary.recall.fixed(3))")
    self.lines = lines
  }

  private static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(width - text.count, 0))
    return left ? text + spaces : spaces + text
  }
}
