import Plumbline

/// The assessment of a folder as a person reads it in a terminal.
struct SequenceText: PaintedText {
  let check: RecordingAnalysis
  /// What the recording has to be good for.
  var needs: [Tolerance] = []
  let usesColor: Bool
  /// The width of the terminal; `nil` without one.
  var columns: Int?

  /// The verdict, the numbers in the middle of all frames, and the findings with their frames.
  var text: String {
    let chosen = check.frames[check.chosenIndex]
    let headline = check.headline
    var lines = [
      "\(painted(headline.text, "1;" + headline.color))  "
        + "\(printable(text: check.folderName)) (\(check.frames.count.counting("frame")), \(check.layout))",
      "  "
        + wrapped(
          "Frame \(printable(text: chosen.name)): \(chosen.reason)", indent: 2, columns: columns),
    ]
    lines +=
      check.answers(to: needs).line.map { ["  " + wrapped($0, indent: 2, columns: columns)] } ?? []
    lines.append("")
    lines += facts.map { fact($0, columns: columns) }
    if !check.findings.isEmpty { lines.append("") }
    lines += check.findings.flatMap {
      self.lines(of: $0, frameCount: check.frames.count, columns: columns)
        + $0.finding.remedies.map { "    → \($0.command)" }
    }
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    var facts = [("frames", counts)]
    let statements = check.frames[check.chosenIndex].statements
    if !statements.isEmpty { facts.append(("stated", statements.joined(separator: "; "))) }
    let medians = check.frames.compactMap { $0.statistics?.medianMeters }
    if let least = medians.min(), let most = medians.max(),
      let middle = check.median({ $0.statistics?.medianMeters }),
      let valid = check.median({ $0.statistics?.validFraction })
    {
      facts.append(
        (
          "range",
          "\(least.fixed(3)) … \(middle.fixed(3)) … \(most.fixed(3)) (nearest, middle and farthest "
            + "of the frames' medians), \((valid * 100).fixed(1)) % measured"
        ))
    }
    if let sigma = check.median(\.sigmaMillimeters) {
      let lengths =
        check.median(\.lengthPercent).map { "; lengths ± \($0.fixed($0 < 0.095 ? 3 : 1)) %" } ?? ""
      facts.append(("± at median", "\(sigma.fixed(1)) mm in the middle frame\(lengths)"))
    }
    if let side = check.boardSquareMeters {
      facts.append(("board", "squares of \((side * 1000).fixed(3)) mm"))
    }
    if let poses = check.poses {
      facts += PoseText(poses: poses, frameCount: check.frames.count).facts
    }
    return facts
  }

  /// How many frames have which verdict; frames that differ from the overall one are named.
  private var counts: String {
    let words = Verdict.allCases.compactMap { verdict -> String? in
      let names = check.frames.filter { $0.verdict == verdict }.map(\.name)
      guard !names.isEmpty else { return nil }
      if verdict == check.verdict { return "\(names.count) \(verdict.rawValue)" }
      let first = names.prefix(5).map { printable(text: $0) }.joined(separator: ", ")
      return "\(names.count) \(verdict.rawValue) (\(first)\(names.count > 5 ? ", …" : ""))"
    }
    return words.joined(separator: ", ")
  }
}
