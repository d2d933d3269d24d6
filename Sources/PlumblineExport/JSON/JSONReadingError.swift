/// Why bytes are no JSON document, or not the one expected: where, what was expected and found.
public struct JSONReadingError: Error, Hashable, Sendable {
  /// Who can act on the failure.
  public enum Reason: String, Sendable, CaseIterable {
    /// The bytes are not JSON, or the document contradicts its own schema.
    case malformed
    /// The document has a schema or a value that this version does not know.
    case unsupported
    /// Reading on would exceed one of ``JSONLimits``.
    case limitExceeded
  }

  /// Who can act on the failure.
  public var reason: Reason
  /// The keys that lead to the fault, outermost first.
  public var path: [String]
  /// The byte offset, where one place is at fault.
  public var offset: Int?
  /// What a sound document has there.
  public var expected: String
  /// What this one has there.
  public var found: String

  /// Creates an error from its parts.
  public init(
    _ reason: Reason, path: [String] = [], offset: Int? = nil, expected: String, found: String
  ) {
    self.reason = reason
    self.path = path
    self.offset = offset
    self.expected = expected
    self.found = found
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

/// What a reader may spend on one JSON document; each limit is checked before memory is taken.
public struct JSONLimits: Hashable, Sendable {
  /// Bytes of the document; the largest that phones write for one frame has some 100 kB.
  public var bytes = 16 << 20
  /// Values of all kinds; two bytes can make one, and each costs some 50 bytes of memory.
  public var values = 1 << 20
  /// Nesting of arrays and objects; calibration files need five.
  public var depth = 64

  /// The default limits.
  public init() {}
}
