import ArgumentParser
import Plumbline

struct AlignCommand: VerdictCommand {
  static let configuration = CommandConfiguration(
    commandName: "align",
    abstract: "Say whether the depth map lies on the color image: zoom and shift with their ±.",
    discussion: """
      Contours of near things in the depth map are compared with the edges of the image. The \
      verdict is aligned, misaligned (by more than three times the ± and 1 % of the width), or \
      cannotTell with the reason: a wall, a flat board or an even image shows nothing. The exit code \
      is 0 for aligned and 1 for the others.

      With -o a PNG shows the first frame, or that of --frame: depth in colors, red near and blue \
      far, over the gray image, and the depth map's contours in white. They follow the edges of the \
      image where depth lies on color.
      """)

  @Argument(
    help: "The photo, depth frame or folder of frames to read, with color.",
    completion: .captures)
  var capture: String

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output, help: "The overlay image to write, a PNG.",
    completion: .file(extensions: ["png"]))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "One frame of a folder: its name, or its number from 0.", valueName: "NAME|INDEX"))
  var frame: String?

  @Option(
    help: ArgumentHelp(
      "How many frames of a folder are measured together, evenly spread; 8 by default.",
      valueName: "N"))
  var frames: Int?

  @OptionGroup var printing: PrintingOptions<AlignCommand>

  @OptionGroup var threads: ThreadOptions

  func validate() throws {
    if let frames, !(1...1000).contains(frames) {
      throw ValidationError("The number of frames must be between 1 and 1000, not \(frames).")
    }
    guard frame == nil || frames == nil else {
      throw ValidationError("--frame chooses one frame and --frames several; give one of them.")
    }
  }

  func run() throws {
    throw try CommandExit.running(capture) {
      let result = try measured()
      if let output, StandardStreams.isStream(output) {
        StandardOutput.write(PNGEncoder().encoded(result.overlay))
        if !printing.quiet {
          StandardError.print(AlignmentText(result: result, overlay: nil).text)
        }
        return result.alignment.verdict == .aligned ? .success : CommandExit.notMeasurable
      }
      if let output {
        var transaction = OutputTransaction(existing: outputOptions.existing)
        try transaction.stage(PNGEncoder().encoded(result.overlay), at: output)
        _ = try transaction.publish()
      }
      printing.print(result.document(overlay: output, correction: result.remedy?.command)) {
        StandardOutput.print(AlignmentText(result: result, overlay: output).text)
      }
      return result.alignment.verdict == .aligned ? .success : CommandExit.notMeasurable
    }
  }

  private func measured() throws -> AlignmentResult {
    switch try CaptureInput(argument: capture) {
    case .file(let file):
      guard frame == nil, frames == nil else { throw FrameOptionError.notAFolder }
      var reader = CaptureReader(color: .full, threads: threads.count)
      reader.readsCompanions = false
      return try AlignmentMeasurer().measure(
        reader.capture(from: file.bytes), fileName: lastPathPart(capture))
    case .recording(let recording, let name):
      let total = recording.frameNames.count
      let indices =
        try frame.map { [try recording.index(of: $0)] }
        ?? AlignmentMeasurer.spread(frames ?? 8, of: total)
      var progress = ProgressLine(total: indices.count, isQuiet: printing.quiet)
      let result = try AlignmentMeasurer().measure(recording, indices: indices, named: name) {
        progress.begin($0)
      }
      progress.end()
      return result
    }
  }
}

/// An alignment as a person reads it.
struct AlignmentText {
  let result: AlignmentResult
  let overlay: String?

  /// The verdict, the numbers, and what to do.
  var text: String {
    let alignment = result.alignment
    let words: [ColorDepthAlignment.Verdict: String] = [
      .aligned: "ALIGNED", .misaligned: "MISALIGNED", .cannotTell: "CANNOT TELL",
    ]
    var lines = [
      "\(words[alignment.verdict] ?? "")  \(printable(text: result.fileName)): \(alignment.reason)"
    ]
    func line(_ label: String, _ value: String) {
      lines.append("  " + label.padded(to: 13) + value)
    }
    if let zoom = alignment.zoom, let sigma = alignment.zoomSigma {
      line("zoom", "\(zoom.fixed(4)) ± \(sigma.fixed(4)) color pixels for each depth pixel")
    }
    if let shift = alignment.shiftPixels, let sigma = alignment.shiftSigma {
      line(
        "shift",
        "(\(shift.x.fixed(2)), \(shift.y.fixed(2))) ± (\(sigma.x.fixed(2)), \(sigma.y.fixed(2))) px of "
          + "the \(result.size) map")
    }
    line("edges", "\(alignment.edgeCount) contour points")
    if result.frameNames.count > 1 {
      line("frames", result.frameNames.map { printable(text: $0) }.joined(separator: ", "))
    }
    for skipped in result.skipped {
      line("left out", "\(printable(text: skipped.name)): \(printable(text: skipped.reason))")
    }
    if let remedy = result.remedy { line("correction", remedy.command) }
    if let overlay { line("overlay", printable(text: overlay)) }
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
