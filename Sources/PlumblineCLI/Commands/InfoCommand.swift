import ArgumentParser
import Plumbline

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what a recording holds: frames, rates, drops, fill, poses, motion, findings.",
    discussion: """
      Reads every depth map, no color. Gaps are places where a frame came half an interval late or \
      later; jitter is how far intervals usually are from the middle one; jumps are steps of the \
      camera ten times as uneven as usual. Nothing is judged: that is check, which reads recordings \
      too.

        plumbline info scan.r3d
        plumbline info stray_folder --json
      """)

  @Argument(
    help: "A recording: an archive (.r3d, .zip), an MCAP file, or a folder of frames.",
    completion: .file(extensions: ["r3d", "zip", "mcap"]))
  var recording: String

  @Flag(help: "Print one JSON document (schema plumbline.info/1) instead of text.")
  var json = false

  @Flag(help: "Print without colors; NO_COLOR does the same.")
  var noColor = false

  @OptionGroup var threads: ThreadOptions

  func run() throws {
    throw try CommandExit.running(recording) {
      let (frames, name) = try CaptureInput.recording(path: recording)
      let line = ProgressBox(ProgressLine(total: frames.frames.count, isQuiet: json))
      let info = RecordingInfo(frames, name: name, threads: threads.count) {
        line.begin($0 - 1)
      }
      line.end()
      if json {
        StandardOutput.print(JSONWriter().text(info.document))
      } else {
        let usesColor = StandardOutput.usesColor(refused: noColor)
        StandardOutput.print(
          RecordingText(
            info: info, usesColor: usesColor, columns: TerminalWidth.columns(of: 1)
          ).text)
      }
      guard info.readableCount == 0 else { return .success }
      let reason = info.frames.lazy.compactMap(\.problem).first ?? "there is none"
      StandardError.print(
        "plumbline: \(printable(text: recording)): no frame can be read: "
          + printable(text: reason))
      return CommandExit.unusableInput
    }
  }
}
