import Foundation
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `batch`: the same documents as the verbs give, one folder of results, and runs that go on.
struct BatchCommandTests {
  /// Four captures, of which one is no photo, and a file that is none.
  private static func captures() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("in/deep"), withIntermediateDirectories: true)
    try folder.put(SampleCapture.small(), at: "in/b9.jpg")
    try folder.put(SampleCapture.small(isRelative: true), at: "in/b10.jpg")
    try folder.put(SampleCapture.small(), at: "in/deep/same.jpg")
    try folder.put(Array("\u{FF}\u{D8}not a photo".utf8), at: "in/deep/broken.jpg")
    try folder.put(Array("a note".utf8), at: "in/note.txt")
    return folder
  }

  private static func lines(_ folder: TemporaryFolder, _ name: String) throws -> [[String: Any]] {
    let bytes = try #require(folder.bytes(name))
    return try bytes.split(separator: UInt8(ascii: "\n")).map {
      let value = try JSONSerialization.jsonObject(with: Data($0))
      return try #require(value as? [String: Any])
    }
  }

  @Test("Documents are those of the verb, and the exit code is that of what failed")
  func documents() throws {
    let folder = try Self.captures()
    let run = try CommandRun(
      "batch", "check", folder.file("in"), "-o", folder.file("out"), "--json", "--",
      "--need", "5%")
    #expect(run.status == 65, "\(run.message)")
    let summary = try run.document()
    #expect(summary["schema"] as? String == "plumbline.batch/1")
    #expect(summary["done"] as? Int == 3 && summary["failed"] as? Int == 1)
    let lines = try Self.lines(folder, "out/results.jsonl")
    #expect(lines.count == 4)
    for line in lines {
      let path = try #require(line["path"] as? String)
      let alone = try CommandRun("check", "--json", path, "--need", "5%").document()
      #expect((line["sha256"] as? String)?.count == 64)
      #expect(line["bytes"] as? Int == (FileManager.default.contents(atPath: path)?.count))
      var rest = line
      for key in ["path", "bytes", "sha256"] { rest[key] = nil }
      var expected = alone
      expected["sha256"] = nil
      #expect(rest as NSDictionary == expected as NSDictionary, "\(path)")
    }
    for name in ["results.csv", "timings.csv", "results.html"] {
      #expect(folder.bytes("out/\(name)")?.isEmpty == false, "\(name)")
    }
    // Once more there is nothing to do, and the results stay.
    let before = folder.bytes("out/results.jsonl")
    let again = try CommandRun(
      "batch", "check", folder.file("in"), "-o", folder.file("out"), "--json", "--",
      "--need", "5%")
    #expect(try again.document()["skipped"] as? Int == 4)
    #expect(folder.bytes("out/results.jsonl") == before)
  }

  @Test("Verbs that write files have a folder for each capture, and a list of them")
  func files() throws {
    let folder = try Self.captures()
    let run = try CommandRun(
      "batch", "cloud", folder.file("in/b9.jpg"), folder.file("in/deep/same.jpg"), "-o",
      folder.file("out/"), "--quiet")
    #expect(run.status == 0, "\(run.message)")
    #expect(run.output.isEmpty)
    let lines = try Self.lines(folder, "out/results.jsonl")
    #expect(lines.count == 2)
    for line in lines {
      #expect(line["schema"] as? String == "plumbline.batch-files/1")
      let outputs = try #require(line["outputs"] as? [String])
      #expect(outputs.count == 1 && outputs[0].hasPrefix("captures/"))
      #expect(folder.bytes("out/" + outputs[0])?.starts(with: "ply".utf8) == true)
    }
  }

  @Test("What a run or its verb would refuse is refused before it begins")
  func usage() throws {
    let folder = try Self.captures()
    let input = folder.file("in")
    let output = folder.file("out")
    for arguments in [
      ["batch", "view", input, "-o", output], ["batch", "check", input],
      ["batch", "check", "-o", output], ["batch", "check", input, "-o", "-"],
      ["batch", "check", input, "-o", output, "--shard", "0/2"],
      ["batch", "check", input, "-o", output, "--since", "2026-02-31"],
      ["batch", "check", input, "-o", output, "--memory-limit", "4"],
      ["batch", "check", input, "-o", output, "--", "--nonsense"],
      ["batch", "check", input, "-o", output, "--", "--need", "sausage"],
      ["batch", "check", input, "-o", output, "--", "-o", "elsewhere"],
      ["batch", "convert", input, "-o", output, "--", "--format", "sausage"],
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == 64, "\(arguments): \(run.message)")
    }
    #expect(folder.bytes("out/journal.sqlite") == nil)
    #expect(try CommandRun("batch", "check", input, "-o", output, "--quiet").status == 65)
    let other = try CommandRun("batch", "check", input, "-o", output, "--", "--need", "1%")
    #expect(other.status == 73)
    #expect(other.message.contains("--force"), "\(other.message)")
    let forced = try CommandRun(
      "batch", "check", input, "-o", output, "--force", "--json", "--", "--need", "1%")
    #expect(try forced.document()["skipped"] as? Int == 0)
  }

  @Test("Lists come from a file or from standard input, and parts join to the whole")
  func listsAndParts() throws {
    let folder = try Self.captures()
    let paths = ["in/b9.jpg", "in/b10.jpg", "in/deep/same.jpg", "in/deep/broken.jpg"]
      .map { folder.file($0) }
    try folder.put(Array(paths.joined(separator: "\n").utf8), at: "list")
    #expect(
      try CommandRun("batch", "check", "@" + folder.file("list"), "-o", folder.file("all")).status
        == 65)
    let piped = try CommandRun(
      ["batch", "check", "-", "-o", folder.file("piped")],
      environment: ["LIST": folder.file("list")], shell: #""$0" "$@" < "$LIST""#)
    #expect(piped.status == 65, "\(piped.message)")
    var folders: [String] = []
    for part in 1...3 {
      folders.append(folder.file("part\(part)"))
      _ = try CommandRun(
        "batch", "check", "@" + folder.file("list"), "-o", folders[part - 1], "--shard",
        "\(part)/3")
    }
    let merged = try CommandRun(["batch", "merge"] + folders + ["-o", folder.file("merged")])
    #expect(merged.status == 0, "\(merged.message)")
    #expect(merged.text.hasPrefix("4 captures: 3 done, 1 failed\n"))
    let whole = folder.bytes("all/results.jsonl")
    #expect(whole?.isEmpty == false)
    #expect(folder.bytes("piped/results.jsonl") == whole)
    #expect(folder.bytes("merged/results.jsonl") == whole)
    #expect(folder.bytes("merged/results.csv") == folder.bytes("all/results.csv"))
  }

  #if os(Linux)
    @Test("Control-C finishes what runs, says how to go on, and the same command does")
    func interrupted() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file("in"), withIntermediateDirectories: true)
      for index in 0..<400 { try folder.put(SampleCapture.small(), at: "in/\(index).jpg") }
      // A shell's job in the background ignores SIGINT; the program takes it back when it begins.
      let shell =
        #""$0" "$@" & p=$!; while [ ! -s "$OUT/journal.sqlite" ]; do sleep 0.02; done; "#
        + #"sleep 0.5; kill -INT $p; wait $p"#
      let arguments = ["batch", "check", folder.file("in"), "-o", folder.file("out"), "--json"]
      let run = try CommandRun(
        arguments, environment: ["OUT": folder.file("out")], shell: shell)
      let first = try run.document()
      let done = try #require(first["done"] as? Int)
      if first["interrupted"] as? Bool == true {
        #expect(run.status == 130)
        #expect(run.message.contains("goes on"), "\(run.message)")
      }
      #expect(try Self.lines(folder, "out/results.jsonl").count == done)
      let second = try CommandRun(arguments).document()
      #expect(second["skipped"] as? Int == done && second["done"] as? Int == 400)
      #expect(try Self.lines(folder, "out/results.jsonl").count == 400)
    }

    @Test("A second Control-C ends at once, though workers hang, and loses nothing")
    func interruptedTwice() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file("in"), withIntermediateDirectories: true)
      for index in 0..<60 { try folder.put(SampleCapture.small(), at: "in/\(index).jpg") }
      // The workers are stopped, so that what runs cannot be finished.
      let shell = #"""
        "$0" "$@" & p=$!
        until w=$(cat /proc/$p/task/*/children 2> "$OUT.none") && [ -n "$w" ]; do sleep 0.01; done
        kill -STOP $w; kill -INT $p; sleep 1
        kill -0 $p || echo "the first ended it" >&2
        kill -INT $p; wait $p; code=$?
        kill -KILL $w; exit $code
        """#
      let arguments = ["batch", "check", folder.file("in"), "-o", folder.file("out"), "--json"]
      let run = try CommandRun(
        arguments, environment: ["OUT": folder.file("out")], shell: shell)
      // One that waits for its workers prints its document, as after the first.
      #expect(run.output.isEmpty && run.status == 128 + SIGINT, "\(run.message)")
      #expect(!run.message.contains("the first ended it"))
      let second = try CommandRun(arguments).document()
      #expect(second["done"] as? Int == 60 && second["failed"] as? Int == 0)
      #expect(try Self.lines(folder, "out/results.jsonl").count == 60)
    }
  #endif

  @Test("A worker answers each line with one, and ends with its input")
  func worker() throws {
    let folder = try Self.captures()
    let requests = [
      #"{"id":1,"arguments":["check","--json","\#(folder.file("in/b9.jpg"))"]}"#,
      #"{"id":2,"arguments":["check","--json","/nowhere.heic"]}"#,
      #"{"id":3,"arguments":["view","/nowhere.heic"]}"#,
    ]
    try folder.put(Array(requests.joined(separator: "\n").utf8) + [10], at: "requests")
    let run = try CommandRun(
      ["batch-worker"], environment: ["REQUESTS": folder.file("requests")],
      shell: #""$0" "$@" < "$REQUESTS""#)
    #expect(run.status == 0, "\(run.message)")
    try folder.put(run.output, at: "answers")
    let answers = try Self.lines(folder, "answers")
    #expect(answers[0]["worker"] as? String == "plumbline.batch-worker/1")
    #expect(answers.dropFirst().compactMap { $0["id"] as? Int } == [1, 2, 3])
    #expect(answers.dropFirst().compactMap { $0["code"] as? Int } == [0, 66, 64])
    let wrong = try CommandRun(
      ["batch-worker"], environment: [:], shell: #"echo sausage | "$0" "$@""#)
    #expect(wrong.status == 64 && wrong.message.contains("standard input"))
  }
}
