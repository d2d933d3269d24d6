import ArgumentParser
import Plumbline

struct CompareCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say how two captures or calibrations differ, in pixels, percent and millimeters.",
    discussion: """
      Each side is a capture, a folder of frames (of which the first counts), or a calibration: a \
      calibration.json of this program, OpenCV's YAML, or Open3D's JSON. Such as one device before \
      and after an update of its system.

      How far apart both see the same rays is also said without the rotation of the whole camera \
      that explains most of it: a rotation changes no length. With -o a page shows both over the \
      image.

        plumbline compare before.json after.json
        plumbline compare before.json after.json -o difference.html
      """)

  @Argument(help: "The first capture or calibration; differences are in its pixels.")
  var first: String

  @Argument(help: "The second one.")
  var second: String

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: "A folder for compare.html, or a file that ends in .html.", completion: .file())
  var output: String?

  @OptionGroup var printing: DocumentOptions<CompareCommand>

  func run() throws {
    throw try CommandExit.running(second) {
      // The first side's failures carry its own name.
      var sides: [CalibrationComparison.Side] = []
      for path in [first, second] {
        do { sides.append(try CalibrationComparison.Side.read(path: path)) } catch {
          throw try CommandExit.running(path) { throw error }
        }
      }
      if sides[0].name == sides[1].name {
        // Two calibration.json are distinguished by their folders.
        for (index, path) in [first, second].enumerated() {
          sides[index].name = path.split(separator: "/").suffix(2).joined(separator: "/")
        }
      }
      let comparison = try CalibrationComparer().compare(sides[0], sides[1])
      let report = try output.map { try write(comparison, to: $0) }
      printing.print(comparison.document(report: report)) {
        StandardOutput.print(CompareText(comparison: comparison).text)
        if let report { StandardOutput.print("  report             \(printable(text: report))") }
      }
      return .success
    }
  }

  /// Writes the page to a file, or into a folder that is made where there is none.
  private func write(_ comparison: CalibrationComparison, to output: String) throws -> String {
    var transaction = OutputTransaction(existing: outputOptions.existing)
    var place = output
    if !output.lowercased().hasSuffix(".html") {
      try transaction.createDirectory(at: output)
      place = path("compare.html", in: output)
    }
    try transaction.stage(comparison.report(path: place), at: place)
    _ = try transaction.publish()
    return place
  }
}

/// A comparison as a person reads it.
struct CompareText {
  let comparison: CalibrationComparison

  /// The differences, then what they mean.
  var text: String {
    let a = comparison.first.calibration.intrinsics.focalLength.x
    let b = a * (1 + comparison.focalPercent / 100)
    func vector(_ difference: SIMD2<Double>) -> String {
      "(\(difference.x.fixed(2)), \(difference.y.fixed(2))) px"
    }
    var lines = [
      "\(printable(text: comparison.first.name)) → \(printable(text: comparison.second.name)), "
        + "in pixels of \(comparison.size)",
      "  focal length       \(a.fixed(2)) → \(b.fixed(2)) px: \(comparison.focalPercent.fixed(3)) ± "
        + "\(comparison.focalSigmaPercent.fixed(3)) % (\(comparison.sigmaBasis))",
      "  principal point    moved by \(vector(comparison.principalPointPixels))",
    ]
    if let center = comparison.distortionCenterPixels {
      lines.append("  distortion center  moved by \(vector(center))")
    }
    for side in [comparison.first, comparison.second] where side.leavesOutLens {
      lines.append(
        "  lens               of \(printable(text: side.name)) left out: its images are rectified "
          + "already")
    }
    lines.append("  distortion         up to \(comparison.distortionPixels.fixed(2)) px apart")
    lines.append("  all together       up to \(comparison.largestPixels.fixed(2)) px apart")
    lines.append("  without rotation   \(comparison.rotationText)")
    if let depth = comparison.depth {
      lines.append(
        "  depth              \(depth.medianMillimeters.fixed(2)) mm, MAD "
          + "\(depth.madMillimeters.fixed(2)) mm over \(depth.commonCount) pixels; "
          + "\((100 * depth.agreeingFraction).fixed(0)) % agree within 5 %"
          + (depth.agreeingFraction < 0.5 ? ", so the scenes differ" : ""))
    }
    // What is too long for 80 columns goes on below its first word.
    let rows = lines.enumerated().flatMap { index, line -> [String] in
      guard index > 0, line.count > 80 else { return [line] }
      let name = String(line.prefix(21))
      return CalibrationText.wrapped(String(line.dropFirst(21)), width: 59).enumerated().map {
        ($0.offset == 0 ? name : "".padded(21)) + $0.element
      }
    }
    return (rows + CalibrationText.wrapped(comparison.reason, width: 80)).joined(separator: "\n")
  }
}
