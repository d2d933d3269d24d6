import Foundation
import PlumblineTestSupport
import Testing

/// `plumbline.error/1`: with `--json` an error is one document on standard output.
@Suite struct ErrorDocumentCommandTests {
  private static func expectDocument(
    _ run: CommandRun, code: Int32, _ comment: Comment
  ) throws -> [String: Any] {
    #expect(run.status == code, "\(comment.rawValue): \(run.message)")
    let document = try run.document()
    #expect(
      Set(document.keys) == [
        "schema", "code", "file", "place", "expected", "found", "message",
      ], comment)
    #expect(document["schema"] as? String == "plumbline.error/1", comment)
    #expect(document["code"] as? Int == Int(code), comment)
    let message = try #require(document["message"] as? String)
    #expect(!message.isEmpty && run.message.contains(message), comment)
    return document
  }

  @Test("66 of every verb that reads a capture and has --json")
  func missing() throws {
    let folder = try TemporaryFolder()
    let absent = folder.file("absent.heic")
    let output = ["-o", folder.file("out")]
    let runs = [
      ["check", absent], ["inspect", absent], ["align", absent], ["correct", absent] + output,
      ["filter", absent], ["compare", absent, absent], ["info", absent],
      ["recover", absent, "-o", folder.file("out.mcap")], ["stereo", absent, absent],
      ["evaluate", absent, absent], ["watch", absent],
      ["write", absent, "-o", folder.file("o.jpg")],
      ["effect", "fog", absent, "-o", folder.file("o.jpg")], ["verify", absent],
      ["calibrate", absent],
    ]
    for arguments in runs {
      let run = try CommandRun(arguments + ["--json"])
      let document = try Self.expectDocument(run, code: 66, "\(arguments)")
      #expect(document["file"] as? String == absent, "\(arguments)")
      #expect(document["found"] as? String == "none", "\(arguments)")
    }
  }

  @Test("65 says where, what was expected and what was found")
  func unusable() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("%PDF-1.7".utf8), at: "input")
    let run = try CommandRun("check", folder.file("input"), "--json")
    let document = try Self.expectDocument(run, code: 65, "a PDF")
    #expect(document["file"] as? String == folder.file("input"))
    #expect(document["place"] as? String == "byte 0")
    #expect((document["expected"] as? String)?.contains("RGB-D JSON") == true)
    #expect((document["found"] as? String)?.contains("PDF") == true)
    #expect(run.output.filter { $0 == UInt8(ascii: "\n") }.count == 1)
  }

  @Test(
    "64 is a document too, wherever it is found",
    arguments: [
      ["check", "--json"], ["check", "x", "--json", "--threads", "0"], ["chekc", "--json"],
      ["check", "x", "--json", "--nonsense"], ["estimate", "x", "--model", "a", "--json"],
      ["extract", "x", "-o", "a.png", "--json"], ["convert", "x", "-o", "-", "--json"],
    ])
  func usage(arguments: [String]) throws {
    let document = try Self.expectDocument(
      try CommandRun(arguments), code: 64, "\(arguments)")
    #expect(document["file"] is NSNull && document["place"] is NSNull)
  }

  @Test("Without --json, or behind --, standard output stays empty")
  func withoutDocument() throws {
    for arguments in [["check", "absent"], ["inspect", "--", "absent", "--json"]] {
      #expect(try CommandRun(arguments).output.isEmpty)
    }
  }

  @Test("73 names the output")
  func output() throws {
    let folder = try TemporaryFolder()
    let place = folder.file("absent/below")
    let run = try CommandRun("check", SampleCapture.healthy, "-o", place, "--json")
    let document = try Self.expectDocument(run, code: 73, "a missing folder")
    #expect((document["file"] as? String)?.hasPrefix(folder.file("absent")) == true)
  }
}
