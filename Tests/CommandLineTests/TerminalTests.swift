import Foundation
import PlumblineTestSupport
import Testing

/// What reaches a terminal or a pipe.
@Suite(.serialized) struct TerminalTests {
  /// Sets the title, clears the screen, turns red; then C1 controls and a change of direction.
  static let attack = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{1B}[31mApple\n\r\u{9B}2J\u{202E}"

  static func expectHarmless(_ run: CommandRun, _ name: String) {
    for text in [run.text, run.message] {
      let harmful = text.unicodeScalars.filter {
        ($0.properties.generalCategory == .control && $0 != "\n") || $0.value == 0x202E
      }
      #expect(harmful.isEmpty, "\(name): \(Array(harmful)) in \(text.debugDescription)")
    }
  }

  @Test("Control characters of metadata and of the file name are escaped")
  func escapes() throws {
    let folder = try TemporaryFolder()
    var exif = PhotoExif(model: Self.attack, lensModel: Self.attack)
    exif.make = Self.attack
    exif.software = Self.attack
    let name = Self.attack + ".jpg"
    try folder.put(SampleCapture.small(exif: exif), at: name)
    for verb in [
      ["check"], ["check", "--json"], ["inspect"], ["inspect", "--json"],
      ["cloud", "-o", folder.file("cloud\u{1B}[2J.ply")],
      ["extract", "-o", folder.file("\u{1B}c")],
      ["check", "-o", folder.file("\u{7}")], ["cloud", "-o", folder.file("absent\u{1B}/x")],
    ] {
      let run = try CommandRun(verb + [folder.file(name)])
      #expect(run.status == (verb[0] == "cloud" && verb[2].hasSuffix("/x") ? 73 : 0), "\(verb)")
      Self.expectHarmless(run, "\(verb)")
    }
    Self.expectHarmless(try CommandRun("check", folder.file("absent" + Self.attack)), "absent")
    Self.expectHarmless(try CommandRun("check", folder.path + "/" + name + "/x"), "below")
  }

  @Test("Wrong usage does not repeat control characters")
  func usage() throws {
    for arguments in [
      ["check", "x", "--known-distance", Self.attack], ["check", "--" + Self.attack], [Self.attack],
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == 64)
      Self.expectHarmless(run, "\(arguments)")
    }
  }

  @Test("No color into a pipe, nor on a terminal with NO_COLOR or --no-color")
  func color() throws {
    let run = try CommandRun("check", SampleCapture.healthy)
    #expect(!run.text.contains("\u{1B}"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { return }
    // `script` gives its command a terminal.
    func onTerminal(
      _ arguments: String, _ environment: [String: String], through prefix: String = ""
    ) throws -> String {
      let command = "\(prefix)\(CommandRun.program) check \(arguments) \(SampleCapture.healthy)"
      return try CommandRun(
        [], environment: environment, shell: "exec script -qec '\(command)' /dev/null"
      ).text
    }
    // A build machine names no terminal.
    let colored = try onTerminal("", ["TERM": "xterm"])
    #expect(colored.contains("\u{1B}["), "\(colored.debugDescription)")
    #expect(try !onTerminal("", ["TERM": "xterm", "NO_COLOR": "1"]).contains("\u{1B}"))
    #expect(try !onTerminal("--no-color", ["TERM": "xterm"]).contains("\u{1B}"))
    #expect(try !onTerminal("", ["TERM": "dumb"]).contains("\u{1B}"))
    #expect(try !onTerminal("", [:], through: "env -u TERM ").contains("\u{1B}"))
  }

  @Test(
    "Text wraps at the width of the terminal",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "no script"),
    arguments: [44, 60])
  func narrow(columns: Int) throws {
    let command = "stty cols \(columns); \(CommandRun.program) check \(SampleCapture.healthy)"
    let run = try CommandRun(
      [], environment: ["NO_COLOR": "1"], shell: "exec script -qec '\(command)' /dev/null")
    let lines = run.text.split(whereSeparator: \.isNewline).map(String.init)
    #expect(lines.count > 20)
    // A single word may be longer, such as the name of the file in the first line.
    let long = lines.dropFirst().filter { line in
      line.count > columns && line.split(separator: " ").count > 1
    }
    #expect(long.isEmpty, "\(long)")
  }

  @Test("A full standard output is said, and ends with 74")
  func fullOutput() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let run = try CommandRun(
      ["check", SampleCapture.healthy], shell: #"exec "$0" "$@" > /dev/full"#)
    #expect(run.status == 74)
    #expect(
      run.message.contains("standard output cannot be written: No space left"), "\(run.message)")
  }

  @Test("A name that is not UTF-8 is refused as such, not as a file that does not exist")
  func otherEncoding() throws {
    let run = try CommandRun(["check"], shell: #"exec "$0" "$@" "$(printf 'a\351.jpg')""#)
    #expect(run.status == 64)
    #expect(run.message.contains("argument 2 is not UTF-8"), "\(run.message)")
    Self.expectHarmless(run, "latin-1")
  }

  @Test("A reader that leaves early neither hangs nor crashes the run")
  func closedPipe() throws {
    for verb in ["check --json", "inspect", "inspect --json"] {
      let run = try CommandRun(
        [SampleCapture.healthy], shell: #""$0" \#(verb) "$1" | head -c 10"#)
      #expect(run.status == 0)
      #expect(run.output.count == 10)
      #expect(run.message == "")
    }
  }
}
