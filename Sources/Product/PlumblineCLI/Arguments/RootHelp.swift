import ArgumentParser

/// The help of the program without a verb: one screen, with examples at its end.
enum RootHelp {
  /// The columns of a usual terminal.
  static let columns = 80

  /// All verbs in the order of their groups.
  static var verbs: [String] {
    PlumblineCommand.configuration.subcommands
      .filter { $0.configuration.shouldDisplay }.map { $0._commandName }
  }

  /// Whether arguments ask for this help and nothing else.
  static func isRequested(by arguments: [String]) -> Bool {
    [["--help"], ["-h"], ["help"]].contains(arguments)
  }

  /// The meaning of the exit codes, broken into lines.
  static let exitCodes = [
    "Exit codes: 0 done (check: measurable), 1 not measurable in meters, 64 usage,",
    "65 the file cannot be used, 66 no such file, 70 a fault of this program, 73 the",
    "output cannot be created, 74 reading or writing failed.",
  ]

  private static let examples: [(command: String, meaning: String)] = [
    ("check photo.heic -o photo", "verdict, report and cloud"),
    ("measure photo.heic --distance 9,9:99,9", "a length with its ±"),
    ("cloud photo.heic -o photo.ply", "a colored cloud in meters"),
    ("extract photo.heic -o photo", "its parts as files"),
    ("view scan.r3d", "look at it in the browser"),
    ("convert scan.r3d -o scan.mcap", "a recording in another format"),
    ("verify frames -o report", "does the calibration fit?"),
    ("effect blur portrait.heic -o soft.jpg", "refocused by its depth"),
    ("estimate photo.jpg -o depth", "depth from one image"),
    ("simulate board -o frames", "frames with exact truth"),
  ]

  /// The examples, one a line, as they are typed.
  static var exampleLines: [String] {
    examples.map { "  plumbline " + $0.command.padded(38) + $0.meaning }
  }

  /// The whole text.
  static var text: String {
    var lines = [
      "Can I measure with this depth capture, and how well?", "",
      "USAGE: plumbline VERB CAPTURE [OPTIONS]", "",
      "A CAPTURE is a photo, a recording or a folder of frames. The verbs, each with",
      "plumbline VERB --help:", "",
    ]
    for group in PlumblineCommand.configuration.groupedSubcommands {
      let names = group.subcommands.map { $0._commandName }.joined(separator: ", ")
      let rows = names.wrapped(columns - nameColumns - 2)
      for (index, row) in rows.enumerated() {
        lines.append("  " + (index == 0 ? group.name : "").padded(nameColumns) + row)
      }
    }
    lines += [
      "",
      "  -o PATH           the output; its ending names the format",
      "  --json            one JSON document instead of text, of an error as well",
      "  --quiet, --no-color, --force, --threads N, --version, --help", "",
    ]
    return (lines + exitCodes + [""] + exampleLines).joined(separator: "\n")
  }

  private static let nameColumns = 18
}
