import PlumblineIO
import Testing

@testable import PlumblineBatch

@Suite struct ResultAnswersTests {
  private static func row(
    _ verdict: String?, model: String? = nil, findings: [(String, String)] = [],
    expected: String? = nil
  ) -> ResultRow {
    let document: JSONValue =
      expected.map {
        .object([
          ("schema", "plumbline.error/1"), ("expected", .string($0)), ("message", "m"),
        ])
      }
      ?? .object([
        ("schema", "plumbline.check/1"), ("verdict", .string(verdict)),
        ("source", .object([("model", .string(model)), ("camera", "trueDepth")])),
        (
          "findings",
          .array(
            findings.map { .object([("code", .string($0.0)), ("severity", .string($0.1))]) })
        ),
      ])
    return ResultRow(path: "p", bytes: nil, sha256: nil, code: 0, document: document)
  }

  private static func answers(_ rows: [ResultRow]) -> ResultAnswers {
    var tally = ResultTally()
    for row in rows { tally.add(row) }
    return ResultAnswers(tally)
  }

  private static func repeated(_ row: ResultRow, _ count: Int) -> [ResultRow] {
    Array(repeating: row, count: count)
  }

  @Test func theHeadlineCountsWhatCanBeMeasured() {
    func headline(_ measurable: Int, _ corrected: Int, _ untrusted: Int) -> String {
      Self.answers(
        Self.repeated(Self.row("measurable"), measurable)
          + Self.repeated(Self.row("corrected"), corrected)
          + Self.repeated(Self.row("untrusted"), untrusted)
      ).headline
    }
    #expect(headline(1, 0, 0) == "The capture can be measured.")
    #expect(headline(20, 0, 0) == "All 20 captures can be measured.")
    #expect(headline(0, 0, 20) == "None of 20 captures can be measured.")
    #expect(
      headline(1200, 34, 5)
        == "1,234 of 1,239 captures can be measured, 34 of them after correction.")
    #expect(headline(0, 3, 1) == "3 of 4 captures can be measured, after correction.")
    #expect(Self.answers([]).headline == "There is no capture.")
    let converted = Self.repeated(Self.row(nil), 3) + [Self.row(nil, expected: "a box")]
    #expect(Self.answers(converted).headline == "3 of 4 captures have a result.")
    let fits = Self.repeated(Self.row("fits"), 2) + [Self.row("doesNotFit")]
    #expect(Self.answers(fits).headline == "2 of 3 captures have a calibration that fits.")
  }

  @Test func aDeviceStandsOutByAFindingThatOthersLack() {
    let good = Self.repeated(Self.row("measurable", model: "A"), 50)
    let bad = Self.repeated(
      Self.row("untrusted", model: "B", findings: [("calibration.focalAspect", "fault")]), 9)
    let mixed = Self.answers(good + bad + [Self.row("measurable", model: "B")])
    #expect(mixed.devices == "B, TrueDepth: calibration.focalAspect in 9 of 10.")
    // What all devices have alike is no device's own.
    let sparse = [("depth.sparse", "caution")]
    let alike = Self.answers(
      Self.repeated(Self.row("measurable", model: "A", findings: sparse), 10)
        + Self.repeated(Self.row("measurable", model: "B", findings: sparse), 10))
    #expect(alike.devices.hasPrefix("None stands out"))
    // Two captures are no evidence.
    #expect(Self.answers(good + bad.prefix(2)).devices.hasPrefix("None stands out"))
    let note = Self.repeated(Self.row("measurable", model: "B", findings: [("a.b", "note")]), 5)
    #expect(Self.answers(good + note).devices.hasPrefix("None stands out"))
    #expect(
      Self.answers([Self.row(nil, expected: "a box")]).devices == "No capture names its device.")
  }

  @Test func failuresAreGroupedAndCounted() {
    let rows =
      (0..<5).map { Self.row(nil, expected: "at most \($0) items") }
      + [Self.row(nil, expected: "a meta box"), Self.row("measurable")]
    #expect(
      Self.answers(rows).failures
        == "6 of 7 could not be used: expected at most … items (5); expected a meta box (1).")
    #expect(Self.answers([Self.row("measurable")]).failures.hasPrefix("Nothing"))
  }

  @Test func whatCannotBeMeasuredSaysWhy() {
    let rows =
      Self.repeated(Self.row("relative", findings: [("depth.relative", "fault")]), 2)
      + [
        Self.row("untrusted", findings: [("depth.missing", "fault"), ("a.b", "note")]),
        Self.row("measurable", findings: [("depth.sparse", "caution")]),
      ]
    #expect(
      Self.answers(rows).unmeasurable
        == "2 are known only up to an unknown scale, 1 is not to be measured. "
        + "Most frequent there: depth.relative (2), depth.missing (1).")
    #expect(Self.answers([Self.row("measurable")]).unmeasurable == nil)
  }

  @Test("Memory does not grow with devices and reasons that captures make up")
  func kindsAreBounded() {
    var tally = ResultTally()
    for index in 0..<(2 * ResultTally.maximumKinds) {
      tally.add(Self.row("measurable", model: "model \(index)"))
      let letters = String(index).map { String(UnicodeScalar(($0.asciiValue ?? 48) + 49)) }.joined()
      tally.add(Self.row(nil, expected: "a thing called \(letters)"))
    }
    #expect(tally.devices.count == ResultTally.maximumKinds + 1)
    #expect(tally.failures.count == ResultTally.maximumKinds + 1)
    #expect(tally.devices.values.map(\.captures).reduce(0, +) == 2 * ResultTally.maximumKinds)
    #expect(tally.failures.values.map(\.captures).reduce(0, +) == 2 * ResultTally.maximumKinds)
  }
}
