import Foundation
import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

/// Opens the page of a batch in a real browser; see `Tests/Browser/test_results.py` for what it checks.
@Suite(
  .serialized,
  .enabled(if: BrowserScript.isAvailable, Comment(rawValue: BrowserScript.advice)))
struct ResultsBrowserTests {
  @Test func fewCapturesAreInsideThePage() throws {
    try Self.check("few", count: 1200, seed: 1)
  }

  @Test func aHundredThousandCapturesAreSortedFilteredAndScrolled() throws {
    try Self.check("many", count: 100_000, seed: 2)
  }

  @Test func noCaptureIsShownToo() throws {
    try Self.check("none", count: 0, seed: 3)
  }

  private static func check(_ name: String, count: Int, seed: UInt64) throws {
    let temporary = try TemporaryFolder()
    let folder = BrowserScript.keptFolder?.appending(path: "results-\(name)").path ?? temporary.path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var sample = SampleResults(seed: seed)
    var files = try ResultFiles(folder: folder, verb: "check")
    for index in 0..<count { try files.append(sample.entry(index)) }
    let headline = ResultAnswers(try files.publish()).headline
    let expected = "\(folder)/expected.json"
    try Data(try JSONEncoder().encode(["headline": headline])).write(to: URL(filePath: expected))
    let result = try BrowserScript.run(
      "test_results.py", ["\(folder)/results.html", expected, folder])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains(" 0 failed"), "\(result.text)")
  }
}
