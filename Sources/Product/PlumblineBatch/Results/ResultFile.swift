import PlumblineIO

/// One file of a set of results, written piece by piece.
///
/// The bytes of small pieces wait in a buffer, so that a row is not a system call.
struct ResultFile: ~Copyable {
  private static let bufferBytes = 1 << 16
  private let file: AppendedFile
  private var buffer: [UInt8] = []

  /// Starts a file under the temporary name that the transaction gives it.
  ///
  /// - Throws: ``OutputError`` if the name is taken or cannot be created.
  init(at path: String, in transaction: inout OutputTransaction) throws(OutputError) {
    let temporary = try transaction.reserve(at: path)
    file = try AppendedFile(path: temporary, ballastBytes: 0)
  }

  /// Appends bytes.
  ///
  /// - Throws: `.inputOutput`, for example for a full disk.
  mutating func write(_ bytes: [UInt8]) throws(OutputError) {
    buffer += bytes
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Writes what waits and closes the file, whose bytes are on the disk then.
  ///
  /// - Throws: `.inputOutput`.
  mutating func close() throws(OutputError) {
    try flush()
    try file.close()
  }

  private mutating func flush() throws(OutputError) {
    guard !buffer.isEmpty else { return }
    try file.append(buffer[...])
    buffer.removeAll(keepingCapacity: true)
  }
}
