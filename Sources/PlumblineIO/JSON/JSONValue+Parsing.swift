extension JSONValue {
  /// Reads a text of UTF-8 bytes.
  ///
  /// The order of keys and the digits of numbers are kept. Nothing but RFC 8259 passes: no
  /// comments, no trailing commas, no NaN; a byte order mark at the start is skipped. O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The whole text; offsets in errors are indices of it.
  ///   - limits: What may be spent.
  ///   - strictness: What is done about repeated keys and wrong characters.
  /// - Throws: `.malformed` with the byte where it breaks, or `.limitExceeded`.
  public init(
    parsing bytes: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits(),
    strictness: JSONReader.Strictness = .exact
  ) throws(JSONReadingError) {
    var reader = try JSONReader(bytes, limits: limits, strictness: strictness)
    self = try reader.readValue()
    try reader.expectEnd()
  }

  /// Reads a text of UTF-8 bytes exactly; see ``init(parsing:limits:strictness:)-(ArraySlice<UInt8>,_,_)``.
  ///
  /// - Throws: `.malformed` with the byte where it breaks, or `.limitExceeded`.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits())
    throws(JSONReadingError)
  {
    try self.init(parsing: bytes[...], limits: limits)
  }
}
