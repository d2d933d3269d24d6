/// A value of a row, by SQLite's own kinds.
enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  static func integer(_ value: Int?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
  static func real(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }
  static func text(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
  static func bytes(_ value: [UInt8]?) -> SQLiteValue { value.map { .bytes($0) } ?? .null }
}
