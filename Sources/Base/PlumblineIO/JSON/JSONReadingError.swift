/// Why bytes are not a JSON document, or not the expected one: position, expected and found
/// content.
public struct JSONReadingError: Error, Hashable, Sendable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The bytes are not JSON, or the document contradicts its own schema.
    case malformed
    /// The document has a schema or a value that this version does not know.
    case unsupported
    /// The document is sound, yet lacks a member that is needed.
    case missing
    /// Reading on would exceed one of ``JSONLimits``.
    case limitExceeded
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The keys that lead to the fault, outermost first.
  public var path: [String]
  /// The byte offset, where one position is at fault.
  public var offset: Int?
  /// What was expected there.
  public var expected: String
  /// What was found there.
  public var found: String

  /// Creates an error from its parts.
  package init(
    _ reason: Reason, path: [String] = [], offset: Int? = nil, expected: String, found: String
  ) {
    self.reason = reason
    self.path = path
    self.offset = offset
    self.expected = expected
    self.found = found
  }

  /// The same error with an enclosing key added to its path.
  public func inside(_ key: String) -> JSONReadingError {
    var copy = self
    copy.path.insert(key, at: 0)
    return copy
  }
}

extension JSONReadingError: CustomStringConvertible {
  /// One sentence, such as `malformed at columns: expected a whole number, found "ten"`.
  public var description: String {
    var text = reason == .limitExceeded ? "over a limit" : reason.rawValue
    if !path.isEmpty { text += " at " + path.joined(separator: "/") }
    if let offset { text += " (byte \(offset))" }
    return text + ": expected \(expected), found \(found)"
  }
}

/// Limits on one JSON text; each is checked before memory is allocated.
public struct JSONLimits: Hashable, Sendable {
  /// Bytes of the text; a printed depth map of 640 × 480 with one number per line has 10 million.
  public var bytes = 64 << 20
  /// Values of all kinds, apart from number rows; 1,000 recorded frames have 120,000.
  ///
  /// Two bytes can make a value, and each value costs about 50 bytes of memory.
  public var values = 2_000_000
  /// Nesting of arrays and objects; recordings need four, calibration files five.
  public var depth = 32
  /// Bytes of one string or key, escapes included; names and notes have a few hundred.
  public var stringBytes = 64 << 10

  /// The default limits.
  public init() {}
}
