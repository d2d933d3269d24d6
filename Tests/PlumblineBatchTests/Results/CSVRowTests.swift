import Foundation
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

@Suite struct CSVRowTests {
  @Test func fieldsAreQuotedOnlyWhereTheyMustBe() {
    func text(_ fields: [String?]) -> String {
      String(decoding: CSVRow.bytes(fields), as: UTF8.self)
    }
    #expect(text(["a", nil, "1.5", "é"]) == "a,,1.5,é\r\n")
    #expect(text(["a,b", "c\"d", "e\nf"]) == "\"a,b\",\"c\"\"d\",\"e\nf\"\r\n")
    #expect(text([" a", "b "]) == "\" a\",\"b \"\r\n")
    #expect(text(["a\0b"]) == "\"a\u{FFFD}b\"\r\n")
  }

  @Test(
    "What Python's csv module and pandas read back is what was written",
    .enabled(if: PythonPeer.has("pandas"), "\(PythonPeer.absence("pandas"))"))
  func pythonReadsTheSame() throws {
    var random = SeededGenerator(seed: 23)
    let texts =
      SampleResults.hostileTexts + ["a", "b c", "0.1", "\r", "\n", "\"\"", ",,,", "\r\n\r\n"]
    // A row of which every field is empty is an empty line to some readers: the first one is never empty.
    let rows = (0..<400).map { index in
      ["path \(index)"] + (0..<5).map { _ in texts.randomElement(using: &random) ?? "" }
    }
    let folder = try TemporaryFolder()
    let heads = ["path", "a", "b", "c", "d", "e"]
    try folder.put(([heads] + rows).flatMap { CSVRow.bytes($0) }, at: "t.csv")
    try folder.put(Array(try JSONEncoder().encode([heads] + rows)), at: "t.json")
    let answer = try PythonPeer.run("csv_rows.py", folder.file("t.csv"), folder.file("t.json"))
    #expect(String(decoding: answer, as: UTF8.self) == "csv 401 pandas 401\n")
  }
}
