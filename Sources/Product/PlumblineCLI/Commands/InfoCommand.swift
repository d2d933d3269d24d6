import ArgumentParser
import Plumbline

struct InfoCommand: PrintingCommand {
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
    help: "A recording: an archive (.r3d, .zip), an MCAP or .bag file, or a folder of frames.",
    completion: .file(extensions: ["r3d", "zip", "mcap", "bag"]))
  var recording: String

  @OptionGroup var printing: DocumentOptions<InfoCommand>

  @OptionGroup var threads: ThreadOptions

  func run() throws {
    throw try CommandExit.running(recording) {
      let (frames, name) = try CaptureInput.recording(path: recording)
      let line = ProgressBox(ProgressLine(total: frames.frames.count, isQuiet: printing.json))
      let info = RecordingInfo(frames, name: name, threads: threads.count) {
        line.begin($0 - 1)
      }
      line.end()
      printing.print(info.document) {
        StandardOutput.print(
          RecordingText(
            info: info, usesColor: printing.showsColors, columns: TerminalWidth.columns(of: 1)
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

/// The contents of a recording, as a person reads it in a terminal.
struct RecordingText: PaintedText {
  let info: RecordingInfo
  let usesColor: Bool
  /// The width of the terminal; `nil` without one.
  var columns: Int?

  /// Name and layout, the facts, and the findings with their frames.
  var text: String {
    var lines = [
      "\(painted(printable(text: info.name), "1"))  \(info.layout), "
        + info.frames.count.counting("frame"),
      "",
    ]
    lines += facts.map { fact($0, columns: columns) }
    if !info.findings.isEmpty { lines.append("") }
    lines += info.findings.flatMap {
      self.lines(of: $0, frameCount: info.frames.count, columns: columns)
    }
    lines += ["", dim("Not judged: plumbline check gives the verdict and the ± of its depths.")]
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    var facts: [(String, String)] = []
    if let source = info.source {
      let words = [source.make, source.model, source.system].compactMap { $0 }
      let camera = source.camera == .unknown ? nil : source.camera.rawValue
      let text = (words.map { printable(text: $0) } + [camera].compactMap { $0 })
        .joined(separator: ", ")
      facts.append(("camera", text.isEmpty ? "unknown" : text))
    }
    facts.append(("time", time))
    facts.append(("depth", info.depthSize.map { "\($0)" } ?? "none"))
    facts += depth
    facts.append(("color", info.colorSize.map { "\($0)" } ?? "none"))
    if let focal = info.spread(\.focalLengthPixels) {
      let varies = focal.maximum - focal.least > 0.005 * 1e-2 * focal.middle
      let size = info.calibrationSize.map { " of \($0)" } ?? ""
      facts.append(
        (
          "focal length",
          varies
            ? "\(focal.least.fixed(2)) to \(focal.maximum.fixed(2)) px\(size), one a frame"
            : "\(focal.middle.fixed(2)) px\(size)"
        ))
    } else {
      facts.append(("focal length", "not given"))
    }
    let confident = info.frames.count { $0.hasConfidence }
    facts.append(("confidence", confident == 0 ? "none" : confident.counting("frame")))
    facts.append(("poses", poses))
    let rate = info.motionRate.map { ", \($0.fixed(1)) each second" } ?? ""
    facts.append(
      ("motion", info.motionCount == 0 ? "none" : info.motionCount.counting("sample") + rate))
    return facts
  }

  private var time: String {
    let clock = info.clock
    guard let seconds = clock.seconds, let rate = clock.framesPerSecond else {
      return clock.untimedFrames.isEmpty ? "one frame" : "frames have no time"
    }
    let jitter = clock.jitterSeconds.map { ", jitter \(($0 * 1000).fixed(1)) ms" } ?? ""
    let drops =
      clock.gaps.isEmpty
      ? "no gap"
      : "about \(clock.missingFrames) missing in \(clock.gaps.count.counting("gap"))"
    return "\(seconds.fixed(3)) s, \(rate.fixed(2)) frames/s\(jitter), \(drops)"
  }

  private var depth: [(String, String)] {
    var facts: [(String, String)] = []
    if let fill = info.spread(\.validFraction) {
      let (least, maximum) = ((fill.least * 100).fixed(1), (fill.maximum * 100).fixed(1))
      let range = least == maximum ? "in every frame" : "(\(least) to \(maximum) %)"
      facts.append(("measured", "\((fill.middle * 100).fixed(1)) % of pixels \(range)"))
    }
    if let median = info.spread(\.medianMeters) {
      facts.append(
        (
          "distance",
          "\(median.middle.fixed(3)) m, the middle of a map "
            + "(\(median.least.fixed(3)) to \(median.maximum.fixed(3)) m)"
        ))
    }
    return facts
  }

  private var poses: String {
    let trajectory = info.trajectory
    guard trajectory.poseCount > 0 else { return "none" }
    let up =
      switch info.worldAxes {
      case .yUp: ", +Y up"
      case .zUp: ", +Z up"
      case .unknown: ""
      }
    let jumps = trajectory.jumps.isEmpty ? "no jump" : trajectory.jumps.count.counting("jump")
    return "\(trajectory.poseCount) of \(info.frames.count.counting("frame")), a path of "
      + "\(trajectory.pathMeters.fixed(2)) m, \(jumps)\(up)"
  }
}

extension PaintedText {
  /// A finding of a recording in two lines: what it says, then its code, evidence and frames.
  func lines(of merged: MergedFinding, frameCount: Int, columns: Int? = nil) -> [String] {
    let finding = merged.finding
    let corrected = finding.correction == .applied ? " [corrected]" : ""
    let frames = merged.worstFrame.map { worst in
      " · \(merged.frameNames.count) of \(frameCount.counting("frame")), worst \(printable(text: worst))"
    }
    let message = wrapped("\(finding.message)\(corrected)", indent: 10, columns: columns)
    let source = wrapped(
      "\(finding.code.rawValue) · \(finding.evidence)\(frames ?? "")", indent: 4, columns: columns)
    return ["  \(mark(finding.severity)) \(message)", "    \(dim(source))"]
  }
}
