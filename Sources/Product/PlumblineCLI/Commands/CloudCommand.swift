import ArgumentParser
import Plumbline

struct CloudCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloud",
    abstract: "Write the measured pixels as a colored point cloud (binary PLY).",
    discussion: """
      Each point has its position, its color and, in meters, its own ± (sigma, one standard \
      deviation along the optical axis). Frame: the camera of the depth map as stored, x right, y down, z \
      forward. Unit: meters; a relative map has no unit, which the file's comments and a message \
      say. Lens distortion is undone by moving points; the map is never resampled.
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var stated: DepthStatementOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(name: .output, help: "The PLY file to write; - is standard output.", completion: .file())
  var output: String

  @Flag(help: "Turn the points upright, as the photo is shown, instead of as it is stored.")
  var upright = false

  @OptionGroup var printing: QuietOptions<CloudCommand>

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let check = try options.analysis(color: .full, statement: stated.statement)
      guard let points = check.pointCloud else {
        let missing = check.assessment.findings.first {
          $0.code == .calibrationMissing || $0.code == .depthMissing
        }
        throw CaptureReadingError(
          .missing, expected: "a depth map with a camera calibration",
          found: missing?.message ?? "none")
      }
      let writer = PLYWriter(upright ? check.upright(points) : points, origin: check.origin)
      if StandardStreams.isStream(output) {
        StandardOutput.write(writer.bytes)
      } else {
        var transaction = OutputTransaction(existing: outputOptions.existing)
        try transaction.stage(at: output) { file throws(OutputError) in
          try writer.write(to: file)
        }
        _ = try transaction.publish()
      }
      if !printing.quiet {
        if !StandardStreams.isStream(output) {
          StandardOutput.print("\(points.count.counting("point")) in \(printable(text: output))")
        }
        if check.capture.color == nil,
          let damage = check.assessment.findings.first(where: { $0.code == .fileDamagedImage })
        {
          StandardError.print(
            "plumbline: caution: the points have no color: \(printable(text: damage.message))")
        }
        if !check.assessment.verdict.isMeasurable {
          StandardError.print("plumbline: caution: \(check.assessment.reason)")
        }
      }
      return .success
    }
  }
}
