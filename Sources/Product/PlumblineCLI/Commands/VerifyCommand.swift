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
        plumbline verify frames --device iPad13,8 --share ipad.json

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

  @Option(
    help: ArgumentHelp(
      "Also write what was measured, without anything personal, for devices --add or for others.",
      discussion: """
        The file has the model, the version of its system, the camera, stated and measured focal \
        length, depth and lengths with their ±, the number of frames, the board and the month: no \
        name, path, day, serial number or place.
        """,
      valueName: "FILE"), completion: .file(extensions: ["json"]))
  var share: String?

  @Option(
    help: ArgumentHelp(
      "The device that took the frames, where they do not say, as plumbline devices names it.",
      valueName: "NAME"))
  var device: String?

  @Option(
    name: .customLong("os"),
    help: ArgumentHelp(
      "The version of the device's system, where the frames do not say it, as in 17.2.",
      valueName: "VERSION"))
  var system: String?

  @OptionGroup var printing: PrintingOptions<VerifyCommand>

  func run() throws {
    throw try CommandExit.running(options.folder) {
      var recording = try options.recording(isQuiet: printing.quiet)
      if let device { recording.session?.configuration.model = device }
      if let system { recording.session?.configuration.system = system }
      let given = try givenCamera(for: recording)
      let verification = try CalibrationVerification(
        recording.frames, frameCount: recording.frameCount,
        imagelessCount: recording.imagelessCount, shownBoard: recording.shownBoard, given: given)
      let report = try write(verification, recording)
      printing.print(
        verification.document(
          folder: options.folderName, report: report, earlierSteps: recording.earlierSteps,
          session: recording.session)
      ) {
        StandardOutput.print(
          CalibrationText(
            verification: verification, folder: options.folderName, usesColor: printing.showsColors
          ).text)
        if let steps = recording.earlierSteps.words(of: recording.frameCount) {
          StandardOutput.print("\n  steps before \(steps)")
        }
        if let report { StandardOutput.print("\n  report       \(printable(text: report))") }
        if let share { StandardOutput.print("\n  measurement  \(printable(text: share))") }
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

  /// Writes report and measurement as one set; the path of the report, `nil` without one.
  private func write(
    _ verification: CalibrationVerification, _ recording: BoardRecording
  ) throws -> String? {
    guard output != nil || share != nil else { return nil }
    let document = verification.document(
      folder: options.folderName, earlierSteps: recording.earlierSteps,
      session: recording.session)
    var transaction = OutputTransaction(existing: outputOptions.existing)
    var report: String?
    if let output {
      try transaction.createDirectory(at: output)
      let place = path("report.html", in: output)
      try transaction.stage(
        verification.report(
          title: options.folderName, preview: recording.preview,
          document: JSONWriter(layout: .compact).text(document)),
        at: place)
      report = place
    }
    if let share {
      let measurement = try DeviceMeasurement(
        verification: document, program: "plumbline \(PlumblineVersion.text)")
      try transaction.stage(
        Array((JSONWriter().text(measurement.document) + "\n").utf8), at: share)
    }
    _ = try transaction.publish()
    return report
  }
}
