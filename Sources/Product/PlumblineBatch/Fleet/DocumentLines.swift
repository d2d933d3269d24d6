public import Plumbline

/// The documents of a file with one JSON document a line, or with one document in all.
///
/// The file is read in pieces: of a million lines, one is in memory at a time.
public struct DocumentLines: Sendable {
  /// The maximum number of bytes of a line; a `plumbline.verify/1` has some 15,000.
  static let lineByteLimit = 16 << 20

  private let source: FileSource

  /// Opens the file, or `results.jsonl` in a folder of results.
  ///
  /// - Throws: ``InputError``.
  public init(path: String) throws(InputError) {
    do throws(InputError) {
      source = try FileSource(path: path)
    } catch {
      guard case .notAFile(_, "a folder") = error else { throw error }
      source = try FileSource(path: path + (path.hasSuffix("/") ? "" : "/") + "results.jsonl")
    }
  }

  /// Calls for each document in the order of the file; empty lines are none.
  ///
  /// - Parameter body: Gets the number of the line from 1, and the document or why the line is none.
  /// - Throws: ``CaptureReadingError`` where the file cannot be read, and `.limitExceeded` for a line of
  ///   more than 16 MiB. Cost: O(*n*).
  public func forEach(
    _ body: (Int, Result<JSONValue, JSONReadingError>) -> Void
  ) throws(CaptureReadingError) {
    if let whole = try wholeDocument() { return body(1, .success(whole)) }
    var line: [UInt8] = []
    var number = 0
    func finish() {
      number += 1
      defer { line.removeAll(keepingCapacity: true) }
      guard line.contains(where: { $0 > 0x20 }) else { return }
      let bytes = line
      body(number, Result { () throws(JSONReadingError) in try JSONValue(parsing: bytes) })
    }
    for start in stride(from: 0, to: source.byteCount, by: 1 << 20) {
      let piece = try source.bytes(in: start..<min(start + (1 << 20), source.byteCount))
      for part in piece.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        if part.offset > 0 { finish() }
        guard line.count + part.element.count <= Self.lineByteLimit else {
          throw CaptureReadingError(
            .limitExceeded, path: ["line \(number + 1)"],
            expected: "at most \(Self.lineByteLimit) bytes a line", found: "more")
        }
        line += part.element
      }
    }
    finish()
  }

  /// The document of a file that is one, over several lines; `nil` for lines of documents.
  private func wholeDocument() throws(CaptureReadingError) -> JSONValue? {
    guard source.byteCount <= Self.lineByteLimit else { return nil }
    return try? JSONValue(parsing: source.bytes(in: 0..<source.byteCount))
  }
}
