import Foundation

/// A value of a message as a peer printed it: the JSON of `Tests/Oracles/mcap_recording.py`.
indirect enum PeerValue: Decodable, Sendable {
  case number(Double)
  case text(String)
  case list([PeerValue])
  case object([String: PeerValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .number(flag ? 1 : 0)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([PeerValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: PeerValue].self))
    }
  }

  /// A list of numbers.
  static func numbers(_ numbers: [Double]) -> PeerValue { .list(numbers.map { .number($0) }) }

  /// None or one value.
  static func optional(_ value: PeerValue?) -> PeerValue { .list(value.map { [$0] } ?? []) }

  /// None or one text.
  static func optional(_ text: String?) -> PeerValue { optional(text.map { .text($0) }) }

  /// None or one number.
  static func optional(_ number: Double?) -> PeerValue { optional(number.map { .number($0) }) }

  /// A value by the names and indices on the way to it.
  subscript(_ path: String) -> PeerValue? {
    var value = self
    for part in path.split(separator: ".") {
      switch value {
      case .object(let fields):
        guard let next = fields[String(part)] else { return nil }
        value = next
      case .list(let items):
        guard let index = Int(part), items.indices.contains(index) else { return nil }
        value = items[index]
      default: return nil
      }
    }
    return value
  }

  /// Where another value is not the same number by number, and every field of this one that the
  /// other does not have.
  func differences(from other: PeerValue?, at path: String = "") -> [String] {
    switch (self, other) {
    case (.number(let a), .number(let b)): return a == b ? [] : ["\(path): \(a), \(b)"]
    case (.text(let a), .text(let b)): return a == b ? [] : ["\(path): \(a), \(b)"]
    case (.list(let a), .list(let b)):
      guard a.count == b.count else { return ["\(path): \(a.count), \(b.count) items"] }
      return zip(a, b).enumerated().flatMap { index, pair in
        pair.0.differences(from: pair.1, at: "\(path).\(index)")
      }
    case (.object(let a), .object(let b)):
      guard a.keys.sorted() == b.keys.sorted() else {
        return ["\(path): \(a.keys.sorted()), \(b.keys.sorted())"]
      }
      return a.keys.sorted().flatMap { key in
        a[key]?.differences(from: b[key], at: "\(path).\(key)") ?? []
      }
    default: return ["\(path): not the same kind"]
    }
  }
}
