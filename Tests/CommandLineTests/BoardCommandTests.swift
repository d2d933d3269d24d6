import Foundation
import PlumblineTestSupport
import Testing

@Suite struct BoardCommandTests {
  @Test("A folder receives three drawings and the description, the same bytes each time")
  func folder() throws {
    let folder = try TemporaryFolder()
    let line = "charuco:5x4:30mm:DICT_5X5_50"
    let output = folder.file("board")
    let run = try CommandRun("board", line, "-o", output, "--dpi", "50")
    #expect(run.status == 0, "\(run.message)")
    #expect(run.text.hasPrefix(line + "\n"))
    #expect(
      try folder.names(in: "board") == ["board.json", "board.pdf", "board.png", "board.svg"])
    let again = try CommandRun(
      "board", output + "/board.json", "-o", folder.file("again"), "--dpi", "50", "--quiet")
    #expect(again.status == 0, "\(again.message)")
    #expect(again.output.isEmpty)
    for name in ["board.json", "board.pdf", "board.png", "board.svg"] {
      #expect(folder.bytes("board/\(name)") == folder.bytes("again/\(name)"), "\(name)")
    }
    let kept = try CommandRun("board", line, "-o", output, "--dpi", "50")
    #expect(kept.status == 73)
  }

  @Test("A file's ending chooses the drawing")
  func file() throws {
    let folder = try TemporaryFolder()
    for (name, start) in [("a.svg", "<?xml"), ("b.PDF", "%PDF-"), ("c.png", "\u{89}PNG")] {
      let run = try CommandRun(
        "board", "chessboard:6x5:9mm", "-o", folder.file(name), "--paper", "100x90mm", "--dpi",
        "60")
      #expect(run.status == 0, "\(run.message)")
      let expected = start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      #expect(folder.bytes(name)?.starts(with: expected) == true)
    }
    #expect(try folder.names() == ["a.svg", "b.PDF", "c.png"])
  }

  @Test("Wrong boards, papers and files end with one sentence and their code")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("{".utf8), at: "bad.json")
    let cases: [([String], Int32, String)] = [
      (["round:10x7:25mm"], 64, "starts with"),
      (["chessboard:10x7:40mm"], 64, "up to 25.1 mm fit"),
      (["chessboard:10x7:\u{1B}[31m25mm"], 64, "\\u{1b}"),
      (["charuco:20x10:9mm"], 64, "50 markers"),
      (["chessboard:10x7:25mm", "--paper", "b5"], 64, "420x594mm"),
      (["chessboard:10x7:25mm", "--dpi", "7"], 64, "between 50 and 2400"),
      ([folder.file("none.json")], 66, "no file"),
      ([folder.file("bad.json")], 65, "malformed"),
    ]
    for (arguments, status, message) in cases {
      let run = try CommandRun(["board", "-o", folder.file("out")] + arguments)
      #expect(run.status == status, "\(arguments): \(run.message)")
      #expect(run.message.contains(message), "\(arguments): \(run.message)")
      #expect(!run.message.contains("\u{1B}"))
      #expect(try folder.names() == ["bad.json"], "nothing is left behind")
    }
  }
}

extension TemporaryFolder {
  /// Everything in a folder inside, in order.
  fileprivate func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(name)).sorted()
  }
}
