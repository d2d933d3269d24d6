import PlumblineIO

/// Some thousand rows as columns, which take a third of the bytes of rows: the keys stand once, and texts that
/// repeat stand once and are named by their positions.
///
/// `Documentation/batch-results.md` describes the document.
struct ResultBlock {
  /// The number of rows of a block, so that memory does not grow with the batch.
  static let maximumCount = 2048
  /// Longer sentences are cut in the page; the other files have them whole.
  private static let sentenceCharacters = 600

  /// Texts that repeat.
  private struct Words {
    private var positions: [String: Int] = [:]
    private var words: [JSONValue] = []
    private var at: [JSONValue] = []

    mutating func append(_ word: String?) {
      guard let word else { return at.append(-1) }
      let position = positions[word] ?? words.count
      if position == words.count {
        positions[word] = position
        words.append(.string(word))
      }
      at.append(.integer(position))
    }

    /// `null` where no row has a text.
    var document: JSONValue {
      words.isEmpty ? .null : .object([("words", .array(words)), ("at", .array(at))])
    }
  }

  private(set) var count = 0
  private var words: [String: Words] = [:]
  private var lists: [String: [JSONValue]] = [:]

  private static let wordKeys = [
    "folder", "verdict", "device", "os", "findings", "reason", "failure", "page",
  ]
  private static let listKeys = [
    "name", "output", "captured", "values", "depth", "length", "median", "frames", "value",
    "thumbnail",
  ]

  /// Adds a row.
  mutating func add(_ row: ResultRow, _ entry: ResultEntry) {
    count += 1
    let path = row.path.utf8
    let nameStart = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) }
    let name = nameStart.map { String(row.path[$0...]) } ?? row.path
    let folder = nameStart.map { String(row.path[..<$0]) }
    let sentence = row.error?.message ?? row.reason
    add(folder, to: "folder")
    add(row.verdictKey, to: "verdict")
    add(row.device, to: "device")
    add(row.os, to: "os")
    add(Self.findings(row), to: "findings")
    add(sentence.map { String($0.prefix(Self.sentenceCharacters)) }, to: "reason")
    add(row.failureReason, to: "failure")
    add(row.page, to: "page")
    // The ± of what is not to be measured would only mislead.
    let isMeasurable = row.verdict.map(Self.measurable.contains) ?? true
    let values: [String: JSONValue] = [
      "name": .string(name), "captured": .string(row.capturedAt),
      "output": .string(entry.hasThumbnail || row.page != nil ? entry.outputName : nil),
      "depth": Self.number(isMeasurable ? row.depthSigmaMillimeters : nil),
      "length": Self.number(isMeasurable ? row.lengthSigmaPercent : nil),
      "median": Self.number(row.medianMeters), "frames": .integer(row.frames),
      "value": Self.number(row.values.first?.value),
      "values": row.values.isEmpty
        ? .null : .string(row.values.map(\.roundedText).joined(separator: "; ")),
      "thumbnail": .integer(entry.hasThumbnail ? 1 : 0),
    ]
    for key in Self.listKeys { lists[key, default: []].append(values[key] ?? .null) }
  }

  /// The block as `{"rows": …, "folder": {"words": …, "at": …}, "name": […], …}`; a column in which no row has
  /// anything is left out.
  var document: JSONValue {
    var members: [(key: String, value: JSONValue)] = [("rows", .integer(count))]
    for key in Self.wordKeys {
      if let document = words[key]?.document, !document.isNull { members.append((key, document)) }
    }
    for key in Self.listKeys {
      guard let list = lists[key], list.contains(where: { !$0.isNull && $0 != 0 }) else { continue }
      members.append((key, .array(list)))
    }
    return .object(members)
  }

  private static let measurable: Set<String> = ["measurable", "corrected"]

  private mutating func add(_ word: String?, to key: String) {
    words[key, default: Words()].append(word)
  }

  /// Seven digits, more than any ± has.
  private static func number(_ value: Double?) -> JSONValue { .number(value.map { Float($0) }) }

  /// Codes behind the first letter of their severity, such as `f:depth.missing n:device.unknown`.
  private static func findings(_ row: ResultRow) -> String? {
    guard !row.findings.isEmpty else { return nil }
    return row.findings.map { "\($0.severity.prefix(1)):\($0.code)" }.joined(separator: " ")
  }
}
