/// The kinds of records; others may be met in later versions and are skipped.
///
/// - Source: mcap.dev/spec, "Records".
enum MCAPOpcode: UInt8 {
  case header = 0x01
  case footer, schema, channel, message, chunk, messageIndex, chunkIndex, attachment
  case attachmentIndex, statistics, metadata, metadataIndex, summaryOffset, dataEnd

  /// The name in error messages.
  var name: String { Self.names[Int(rawValue) - 1] }

  private static let names = [
    "header", "footer", "schema", "channel", "message", "chunk", "message index", "chunk index",
    "attachment", "attachment index", "statistics", "metadata", "metadata index",
    "summary offset", "data end",
  ]
}

/// The numbers of the container.
///
/// - Source: mcap.dev/spec, "Magic", "Records", "Footer".
enum MCAPLayout {
  /// The first and the last bytes of a file; the digit is the version.
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  /// Bytes of an opcode and a length.
  static let recordPrefixBytes = 9
  /// Bytes of the footer's fields, which are never extended.
  static let footerBytes = 20
  /// Bytes of a message's fields before its payload.
  static let messageFieldBytes = 22
  /// Bytes of a chunk's fields without the text of its compression and its records.
  static let chunkFieldBytes = 40
}
