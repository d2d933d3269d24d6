package import PlumblineIO

/// A JSON value of a recording, read with the tolerance that recording apps require.
///
/// Apps write Booleans as 0 and 1, numbers as strings, and vectors in Swift's print format.
package struct RecordedJSON: Hashable, Sendable {
  package let json: JSONValue

  /// Wraps a JSON value.
  package init(_ json: JSONValue) { self.json = json }

  /// Reads a whole text; the first of two equal keys counts.
  ///
  /// - Throws: `.malformed` and `.limitExceeded` with the byte offset, inside `path`.
  package init(
    parsing text: ArraySlice<UInt8>, limits: ReadingLimits, path: [String] = []
  ) throws(CaptureReadingError) {
    do throws(JSONReadingError) {
      json = try JSONValue(parsing: text, limits: limits.json, strictness: .lenient)
    } catch {
      throw CaptureReadingError(error, inside: path)
    }
  }

  /// The kind of value, for messages.
  package var kind: String {
    if let text = json.string { return "the text “\(printable(text: text.prefix(40)))”" }
    if let value = json.number { return "the number \(value)" }
    return elements.map { "an array of \($0.count)" } ?? json.kind
  }

  /// The member of an object; `nil` if this is not an object or has no such member.
  package subscript(key: String) -> RecordedJSON? { json[key].map { RecordedJSON($0) } }

  /// The elements of an array; `nil` if this is not an array.
  package var elements: [RecordedJSON]? { json.elements.map { $0.map { RecordedJSON($0) } } }

  /// The string; `nil` if this is not a string.
  package var text: String? { json.string }

  /// The Boolean, which some writers store as 0 or 1; `nil` if this is neither.
  package var flag: Bool? {
    switch json.number {
    case 0: false
    case 1: true
    default: json.bool
    }
  }

  /// The finite number, also if it is stored as a string; `nil` otherwise.
  package var number: Double? {
    json.number ?? text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The integer, also if it is stored as a string; `nil` otherwise.
  package var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// The numbers of an array, or of a tuple in Swift's print format: `(1.0, 0.0)`; `nil` if any
  /// element is not a number.
  package var numbers: [Double]? {
    if let elements {
      let numbers = elements.compactMap(\.number)
      return numbers.count == elements.count ? numbers : nil
    }
    guard let text, let start = text.lastIndex(of: "("), let end = text.lastIndex(of: ")"),
      start < end
    else { return nil }
    let parts = text[text.index(after: start)..<end].split(
      separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      let trimmed = part.drop { $0 == " " }
      return Double(trimmed).flatMap { $0.isFinite ? $0 : nil }
    }
    return numbers.count == parts.count ? numbers : nil
  }
}

extension CaptureReadingError {
  /// Converts a JSON error to an error of reading a capture, inside the given structures.
  package init(_ error: JSONReadingError, inside path: [String] = []) {
    let reason: Reason =
      switch error.reason {
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .missing: .missing
      case .limitExceeded: .limitExceeded
      }
    self.init(
      reason, path: path + error.path, offset: error.offset, expected: error.expected,
      found: error.found)
  }
}
