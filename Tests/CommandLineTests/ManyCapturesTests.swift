import Foundation
import PlumblineTestSupport
import Testing

/// `check` of many captures: a row for each, one exit code, and documents one a line.
struct ManyCapturesTests {
  private static func photos() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "b9.jpg")
    try folder.put(SampleCapture.small(isRelative: true), at: "b10.jpg")
    try folder.put(SampleCapture.colorOnly(), at: "plain.jpg")
    try folder.put(Array("not a photo".utf8), at: "note.txt")
    return folder
  }

  private static func documents(_ run: CommandRun) throws -> [[String: Any]] {
    try run.text.split(separator: "\n").map {
      let value = try JSONSerialization.jsonObject(with: Data($0.utf8))
      return try #require(value as? [String: Any])
    }
  }

  @Test("One row each in the order given, a last line, and the largest exit code")
  func rows() throws {
    let folder = try Self.photos()
    let run = try CommandRun(
      "check", folder.file("plain.jpg"), folder.file("b9.jpg"), folder.file("missing.jpg"))
    #expect(run.status == 66, "\(run.message)")
    let lines = run.text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("DO NOT MEASURE ") && lines[0].hasSuffix("plain.jpg"))
    #expect(lines[1].hasPrefix("MEASURABLE") && lines[1].contains(" depth ± "))
    #expect(lines[1].contains("lengths ± ") && lines[1].hasSuffix("b9.jpg"))
    #expect(lines[2].hasPrefix("UNUSABLE ") && lines[2].hasSuffix("missing.jpg"))
    #expect(lines[3].hasPrefix("3 captures: 1 measurable, 1 not to be measured, 1 unusable"))
    #expect(run.message == "plumbline: there is no file \(folder.file("missing.jpg"))\n")
    #expect(try CommandRun("check", folder.file("b9.jpg"), folder.file("b9.jpg")).status == 0)
    let quiet = try CommandRun("check", "--quiet", folder.file("b9.jpg"), folder.file("plain.jpg"))
    #expect(quiet.status == 1 && quiet.output.isEmpty && quiet.message.isEmpty)
  }

  @Test("A folder of photos is many captures; what is none is counted")
  func folderOfPhotos() throws {
    let folder = try Self.photos()
    let run = try CommandRun("check", folder.path)
    #expect(run.status == 1)
    let lines = run.text.split(separator: "\n")
    #expect(lines.count == 4 && lines[3].hasSuffix("; 1 file ignored"), "\(run.text)")
    #expect(lines[0].hasSuffix("b9.jpg") && lines[1].hasSuffix("b10.jpg"))
    // One of them is chosen as before.
    let one = try CommandRun("check", "--json", "--frame", "b9.jpg", folder.path)
    #expect(one.status == 0, "\(one.message)")
    let refused = try CommandRun("check", "--json", folder.path)
    #expect(refused.status == 64)
    #expect(try refused.document()["schema"] as? String == "plumbline.error/1")
    #expect(refused.message.contains("--jsonl prints one for each"), "\(refused.message)")
  }

  @Test("A folder with one photo is that photo, and one capture has its full text")
  func onePhoto() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "a.jpg")
    let alone = try CommandRun("check", folder.file("a.jpg"))
    #expect(alone.text.contains("depth map"))
    #expect(try CommandRun("check", folder.path).output == alone.output)
    #expect(try CommandRun("check", "--recursive", folder.path).output == alone.output)
  }

  @Test("--jsonl prints a document a line, an error as one too")
  func lines() throws {
    let folder = try Self.photos()
    try folder.put(Array("broken".utf8), at: "x.jpg")
    let run = try CommandRun("check", "--jsonl", folder.path)
    #expect(run.status == 65)
    let documents = try Self.documents(run)
    #expect(
      documents.map { $0["path"] as? String }
        == ["b9.jpg", "b10.jpg", "plain.jpg", "x.jpg"].map { folder.file($0) })
    #expect(documents[0]["schema"] as? String == "plumbline.check/1")
    let error = documents[3]
    #expect(error["schema"] as? String == "plumbline.error/1" && error["code"] as? Int == 65)
    #expect(error["file"] as? String == folder.file("x.jpg"))
    for key in ["place", "expected", "found", "message"] { #expect(error[key] != nil, "\(key)") }
    #expect(run.message.contains("4 captures: ") && run.message.contains("1 file ignored"))
    // Each line is the document of the capture alone, with its path.
    var alone = try CommandRun("check", "--json", folder.file("b9.jpg")).document()
    alone["path"] = folder.file("b9.jpg")
    #expect(NSDictionary(dictionary: alone) == NSDictionary(dictionary: documents[0]))
    #expect(try Self.documents(CommandRun("check", "--jsonl", SampleCapture.healthy)).count == 1)
    #expect(try CommandRun("check", "--jsonl", "--json", SampleCapture.healthy).status == 64)
  }

  @Test("The same bytes for any number of threads, in rows, documents and outputs")
  func threads() throws {
    let folder = try Self.photos()
    for index in 0..<9 { try folder.put(SampleCapture.small(), at: "c\(index).jpg") }
    var first: (rows: [UInt8], documents: [UInt8])?
    for threads in ["1", "2", "5"] {
      let rows = try CommandRun("check", folder.path, "--threads", threads)
      let documents = try CommandRun("check", folder.path, "--jsonl", "--threads", threads)
      #expect(rows.status == 1 && documents.status == 1)
      let before = first ?? (rows.output, documents.output)
      #expect(rows.output == before.rows && documents.output == before.documents)
      first = before
    }
  }

  @Test("With -o each capture has a whole set in a folder of its own")
  func outputs() throws {
    let folder = try Self.photos()
    let other = try TemporaryFolder()
    try other.put(SampleCapture.small(), at: "B9.jpg")
    let place = other.file("out")
    let arguments = ["check", folder.path, other.file("B9.jpg"), "-o", place, "--threads", "3"]
    let run = try CommandRun(arguments)
    #expect(run.status == 1, "\(run.message)")
    let names = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
    #expect(names == ["B9-2", "b10", "b9", "plain"])
    for name in ["B9-2", "b10", "b9"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(place)/\(name)").sorted()
      #expect(files == ["cloud.ply", "report.html"], "\(name)")
    }
    #expect(
      other.bytes("out/plain/report.html") != nil && other.bytes("out/plain/cloud.ply") == nil)
    // What exists stays, and each capture says so by itself.
    let again = try CommandRun(arguments)
    #expect(again.status == 73 && again.message.contains("--force"), "\(again.message)")
    #expect(try CommandRun(arguments + ["--force"]).status == 1)
    // A folder that cannot be made ends all at once.
    try folder.put([1], at: "taken")
    let file = try CommandRun("check", folder.path, "-o", folder.file("taken"))
    #expect(file.status == 73 && file.output.isEmpty, "\(file.message)")
  }

  @Test("Recordings and photos, files and folders, in one run")
  func mixed() throws {
    let folder = try TemporaryFolder()
    for (place, files) in [("scan", RecordedFiles.dump([1, 2]).files), ("photos", [:])] {
      try FileManager.default.createDirectory(
        atPath: folder.file(place), withIntermediateDirectories: false)
      for (name, bytes) in files { try folder.put(bytes, at: "\(place)/\(name)") }
    }
    try folder.put(SampleCapture.small(), at: "photos/a.jpg")
    let run = try CommandRun("check", folder.file("scan"), folder.file("photos"))
    #expect(run.status == 0, "\(run.message)")
    let lines = run.text.split(separator: "\n")
    #expect(lines[0].hasSuffix("scan (2 frames)") && lines[1].hasSuffix("photos/a.jpg"))
    let all = try CommandRun("check", "--recursive", folder.path, "--jsonl")
    #expect(all.status == 0, "\(all.message)")
    #expect(try Self.documents(all).count == 2)
  }

  @Test("What is about one capture is refused for many")
  func refusals() throws {
    let folder = try Self.photos()
    let two = [folder.file("b9.jpg"), folder.file("b10.jpg")]
    for options in [["--json"], ["--frame", "0"], ["--known-distance", "1,1=0.3"]] {
      let run = try CommandRun(["check"] + two + options)
      #expect(run.status == 64, "\(options)")
      // With --json the error is the document.
      let schema = options == ["--json"] ? try run.document()["schema"] as? String : nil
      #expect(schema == (options == ["--json"] ? "plumbline.error/1" : nil))
      #expect(options == ["--json"] || run.output.isEmpty, "\(options)")
    }
    #expect(try CommandRun("check", folder.path, "--known-distance", "1,1=0.3").status == 64)
    #expect(try CommandRun("check").status == 64)
  }
}
