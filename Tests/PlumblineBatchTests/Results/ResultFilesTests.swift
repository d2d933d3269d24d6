import Foundation
import PlumblineIO
import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

@Suite struct ResultFilesTests {
  /// Writes results of so many captures.
  private static func write(
    _ count: Int, seed: UInt64 = 5, to folder: String, insideBytes: Int = 1 << 20
  ) throws -> [ResultEntry] {
    var sample = SampleResults(seed: seed)
    let entries = (0..<count).map { sample.entry($0) }
    var files = try ResultFiles(folder: folder, verb: "check", insideBytes: insideBytes)
    for entry in entries { try files.append(entry) }
    let tally = try files.publish()
    #expect(tally.total == count)
    #expect(tally.verdicts.values.reduce(0, +) == count)
    #expect(tally.failed == entries.count { $0.row.state == .failed })
    return entries
  }

  @Test func theSameRowsGiveTheSameBytes() throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    for folder in [first, second] { _ = try Self.write(5000, to: folder.path) }
    #expect(try first.names() == second.names())
    for name in try first.names() { #expect(first.bytes(name) == second.bytes(name), "\(name)") }
  }

  @Test func eachLineIsADocumentWithItsPath() throws {
    let folder = try TemporaryFolder()
    let entries = try Self.write(300, to: folder.path)
    let bytes = try #require(folder.bytes("results.jsonl"))
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == entries.count)
    for (line, entry) in zip(lines, entries) {
      let document = try JSONValue(parsing: line)
      #expect(document["path"]?.string == entry.path)
      #expect(document["bytes"]?.integer == entry.bytes)
      #expect(document["schema"] == entry.document["schema"])
      #expect(document["findings"] == entry.document["findings"])
    }
  }

  @Test func aDocumentKeepsOneDigest() throws {
    var sample = SampleResults(seed: 1)
    var entry = sample.entry(0)
    entry.document = .object([("schema", "plumbline.check/1"), ("sha256", "old"), ("path", "p")])
    entry.sha256 = "new"
    let document = try JSONValue(parsing: entry.line)
    #expect(document.members.map(\.key) == ["schema", "path", "bytes", "sha256"])
    #expect(document["sha256"]?.string == "new")
    entry.document = .null
    entry.code = 0
    #expect(try JSONValue(parsing: entry.line)["code"]?.integer == 0)
  }

  @Test(
    "What Python reads of results.csv are the rows",
    .enabled(if: PythonPeer.has("pandas"), "\(PythonPeer.absence("pandas"))"))
  func theTableHoldsTheRows() throws {
    let folder = try TemporaryFolder()
    let entries = try Self.write(1500, seed: 8, to: folder.path)
    let columns = ResultTableColumn<ResultRow>.results
    let rows =
      [columns.map(\.name)]
      + entries.map { entry in
        let row = entry.row
        return columns.map { ($0.field(row) ?? "").replacing("\0", with: "\u{FFFD}") }
      }
    try folder.put(Array(try JSONEncoder().encode(rows)), at: "rows.json")
    let answer = try PythonPeer.run(
      "csv_rows.py", folder.file("results.csv"), folder.file("rows.json"))
    #expect(String(decoding: answer, as: UTF8.self) == "csv 1501 pandas 1501\n")
  }

  @Test func manyRowsAreBesideThePageAndFewAreInside() throws {
    let folder = try TemporaryFolder()
    _ = try Self.write(5000, to: folder.path, insideBytes: 200_000)
    #expect(
      try folder.names() == [
        "results-data.js", "results.csv", "results.html", "results.jsonl", "timings.csv",
      ])
    let large = String(decoding: try #require(folder.bytes("results.html")), as: UTF8.self)
    #expect(!large.contains("class=\"plumbline-rows\""))
    #expect(large.contains("'strict-dynamic'"))
    let script = String(decoding: try #require(folder.bytes("results-data.js")), as: UTF8.self)
    let lines = script.split(separator: "\n")
    #expect(lines.count == 3)
    var rowCount = 0
    for line in lines {
      #expect(line.hasPrefix("plumblineRows({") && line.hasSuffix("});"))
      let block = try JSONValue(parsing: Array(line.dropFirst(14).dropLast(2).utf8))
      rowCount += block["rows"]?.integer ?? 0
      #expect(!line.contains("<"))
    }
    #expect(rowCount == 5000)

    _ = try Self.write(50, to: folder.path, insideBytes: 200_000)
    #expect(
      try folder.names() == ["results.csv", "results.html", "results.jsonl", "timings.csv"])
    let small = String(decoding: try #require(folder.bytes("results.html")), as: UTF8.self)
    #expect(small.components(separatedBy: "class=\"plumbline-rows\"").count == 2)
    #expect(!small.contains("'strict-dynamic'"))
  }

  @Test func whatIsNotPublishedLeavesNothing() throws {
    let folder = try TemporaryFolder()
    _ = try Self.write(20, to: folder.path)
    let before = try folder.names().map { folder.bytes($0) }
    do {
      var sample = SampleResults(seed: 99)
      var files = try ResultFiles(folder: folder.path, verb: "check", insideBytes: 10)
      for index in 0..<3000 { try files.append(sample.entry(index)) }
    }
    #expect(try folder.names().map { folder.bytes($0) } == before)
  }

  @Test func noCaptureGivesAPageThatSaysSo() throws {
    let folder = try TemporaryFolder()
    _ = try Self.write(0, to: folder.path)
    let page = String(decoding: try #require(folder.bytes("results.html")), as: UTF8.self)
    #expect(page.contains("There is no capture."))
    #expect(folder.bytes("results.jsonl") == [])
  }

  @Test func numbersThatWereAskedForHaveATable() throws {
    let folder = try TemporaryFolder()
    var sample = SampleResults(seed: 3)
    var files = try ResultFiles(folder: folder.path, verb: "measure")
    var entry = sample.entry(0)
    entry.document = .object([
      ("schema", "plumbline.measure/1"),
      (
        "measurements",
        .array([
          .object([("kind", "distance"), ("value", 0.5), ("sigma", 0.25), ("unit", "m")])
        ])
      ),
    ])
    try files.append(entry)
    _ = try files.publish()
    let table = String(decoding: try #require(folder.bytes("values.csv")), as: UTF8.self)
    #expect(table == "path,name,value,sigma,unit\r\n\(entry.path),distance,0.5,0.25,m\r\n")
  }
}
