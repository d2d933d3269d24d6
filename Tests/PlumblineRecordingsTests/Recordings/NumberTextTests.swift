import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
/// Readers of tables by bytes against slow twins by strings.
@Suite("Tables of numbers")
struct NumberTextTests {
  private static let pieces = [
    "1", "-2.5", "3e-05", "nan", "inf", "1e999", "x", "", " ", "\t", "rgb/1.5.png", "é",
    "0.1234567890123456789",
    "\u{FEFF}", "/\u{338}", "12345678901234567890",
  ]

  private func text(_ separators: [String], seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    func pick(_ from: [String]) -> String { from.randomElement(using: &generator) ?? "" }
    return (0..<Int.random(in: 0...12, using: &generator)).map { _ in
      let fields = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        pick(Self.pieces) + pick(separators)
      }
      return fields.joined() + pick(["\n", "\r\n", "\r", "\n\n"])
    }.joined()
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
  }

  @Test("Lines of numbers", arguments: 0..<200 as Range<UInt64>)
  func lines(seed: UInt64) throws {
    let text = text([" ", ",", "\t", ", ", " # 1 2\n"], seed: seed)
    let slow = Self.lines(text).map { line in
      line.prefix { $0 != "#" }.unicodeScalars
        .split { " \t,\u{FEFF}".unicodeScalars.contains($0) }.map { String($0) }
    }.filter { !$0.isEmpty }
    let fast = try NumberLines(Array(text.utf8), limits: ReadingLimits(), path: "a").lines
    #expect(fast.map { $0.map { String($0) } } == slow)
    for (line, fields) in zip(fast, slow) {
      let numbers = fields.map { Double($0).flatMap { $0.isFinite ? $0 : nil } }
      #expect(line.indices.map { line.number(at: $0) } == numbers)
      #expect(line.numbers == (numbers.contains(nil) ? nil : numbers.compactMap(\.self)))
    }
  }

  @Test("Tables with commas", arguments: 0..<200 as Range<UInt64>)
  func tables(seed: UInt64) throws {
    let text = text([",", ", ", " ,", " "], seed: seed)
    let blank: Set<Character> = [" ", "\t"]
    func fields(_ line: Substring) -> [String] {
      line.split(separator: ",", omittingEmptySubsequences: false).map { field in
        let start = field.drop { blank.contains($0) }
        return String(String(start.reversed().drop { blank.contains($0) }.reversed()))
      }
    }
    let body = text.hasPrefix("\u{FEFF}") ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    var slow = Self.lines(String(body)).filter { !$0.allSatisfy { blank.contains($0) } }.map(fields)
    var names: [String] = []
    if let first = slow.first, Double(first[0]) == nil {
      names = first.map { printable(text: $0).lowercased() }
      slow.removeFirst()
    }
    let table = try StrayTable(Array(text.utf8), mostRows: 100, limits: ReadingLimits())
    #expect(table.names == names)
    #expect(table.rowCount == slow.count)
    for (row, fields) in slow.enumerated() where row < table.rowCount {
      let numbers = fields.map { Double($0).flatMap { $0.isFinite ? $0 : nil } ?? .nan }
      #expect(table.row(row).map(\.bitPattern) == numbers.map(\.bitPattern))
      for column in 0..<12 {
        let value = table.value(row: row, column: column)
        #expect(value.bitPattern == (column < numbers.count ? numbers[column] : .nan).bitPattern)
      }
    }
  }

  @Test(
    "Sorting by time is stable, whether or not there is anything to sort",
    arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let times = (0..<50).map { _ in Double(Int.random(in: 0...20, using: &generator)) }
    let listed = seed % 2 == 0 ? times.sorted() : times
    let elements = listed.enumerated().map { (seconds: $1, place: $0) }
    let slow = elements.sorted { ($0.seconds, $0.place) < ($1.seconds, $1.place) }.map(\.place)
    #expect(elements.sortedByTime(\.seconds).map(\.place) == slow)
  }
}
