import ArgumentParser
import Plumbline

struct VerifyCommand: VerdictCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Say whether a device's own calibration fits what its frames show of a board.",
    discussion: """
      Prints FITS, DOES NOT FIT or CANNOT TELL with the reason, the factory's and the measured \
      focal length, how far the sensor's depth is from the board, and how wrong lengths come out.

        plumbline verify frames -o report
        plumbline verify frames --board charuco:7x5:30mm:DICT_4X4_50
        plumbline verify frames --calibration measured/calibration.json

      One frame is enough for the check of lengths; the focal length takes frames in which the \
      board leans at least three ways, better twenty. The exit code is 0 when lengths can be \
      measured, with the factory's calibration or with the measured one, and 1 otherwise.
      """)

  @OptionGroup var options: BoardOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    help: "A calibration to judge with, from `plumbline calibrate` or OpenCV.",
    completion: .file(extensions: ["json", "yml", "yaml"]))
  var calibration: String?

  @Option(
    name: .output,
    help: "A folder for report.html; it is made if it does not exist.", completion: .directory)
  var output: String?

  @OptionGroup var printing: PrintingOptions<VerifyCommand>

  func run() throws {
    throw try CommandExit.running(options.folder) {
      let recording = try options.recording(isQuiet: printing.quiet)
      let given = try givenCamera(for: recording)
      let verification = try CalibrationVerification(
        recording.frames, frameCount: recording.frameCount,
        imagelessCount: recording.imagelessCount, shownBoard: recording.shownBoard, given: given)
      let report = try output.map { try write(verification, recording, to: $0) }
      printing.print(
        verification.document(
          folder: options.folderName, report: report, earlierSteps: recording.earlierSteps)
      ) {
        StandardOutput.print(
          CalibrationText(
            verification: verification, folder: options.folderName, usesColor: printing.showsColors
          ).text)
        if let steps = recording.earlierSteps.words(of: recording.frameCount) {
          StandardOutput.print("\n  steps before \(steps)")
        }
        if let report { StandardOutput.print("\n  report       \(printable(text: report))") }
      }
      return verification.isMeasurable ? .success : CommandExit.notMeasurable
    }
  }

  /// The camera of `--calibration`; its file's own path stands before what is wrong with it.
  private func givenCamera(for recording: BoardRecording) throws -> MeasuredCamera? {
    guard let calibration, let size = recording.frames.first?.view.imageSize else { return nil }
    var camera: MeasuredCamera?
    let code = try CommandExit.running(calibration) {
      camera = try GivenCalibration.camera(InputFile(path: calibration).bytes, for: size)
      return .success
    }
    if code != .success { throw code }
    return camera
  }

  private func write(
    _ verification: CalibrationVerification, _ recording: BoardRecording, to folder: String
  ) throws -> String {
    var transaction = OutputTransaction(existing: outputOptions.existing)
    try transaction.createDirectory(at: folder)
    let report = path("report.html", in: folder)
    let document = JSONWriter(layout: .compact).text(
      verification.document(
        folder: options.folderName, earlierSteps: recording.earlierSteps))
    try transaction.stage(
      verification.report(
        title: options.folderName, preview: recording.preview, document: document),
      at: report)
    _ = try transaction.publish()
    return report
  }
}
