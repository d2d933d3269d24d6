import PlumblineExport
import PlumblineIO

/// The rows of the page: inside it while they are few, else in a script beside it.
///
/// A page with few rows is one file that can be sent. Many rows would keep a browser from showing anything
/// until all of them are read, and would be in memory as text of the page as well.
struct ResultRowStore: ~Copyable {
  /// Rows of so many bytes are still inside the page: some 10,000 captures, which open without a wait.
  static let insideBytes = 2 << 20

  private let path: String
  private let insideBytes: Int
  private var block = ResultBlock()
  private var inside: [[UInt8]] = []
  private var byteCount = 0
  private var file: ResultFile?

  init(path: String, insideBytes: Int) {
    self.path = path
    self.insideBytes = insideBytes
  }

  /// Adds a row.
  ///
  /// - Throws: `.inputOutput`, `.cannotCreate`.
  mutating func append(
    _ row: ResultRow, _ entry: ResultEntry, in transaction: inout OutputTransaction
  ) throws(OutputError) {
    block.add(row, entry)
    if block.count == ResultBlock.maximumCount { try store(&transaction) }
  }

  /// Completes the rows, and says where they are.
  ///
  /// - Throws: `.inputOutput`, `.cannotCreate`.
  mutating func finish(
    in transaction: inout OutputTransaction
  ) throws(OutputError) -> ResultsPage.Rows {
    if block.count > 0 { try store(&transaction) }
    guard file != nil else { return .inside(inside) }
    try file?.close()
    return .beside(String(path.split(separator: "/").last ?? ""))
  }

  private mutating func store(_ transaction: inout OutputTransaction) throws(OutputError) {
    let bytes = JSONWriter(layout: .compact).bytes(block.document)
    block = ResultBlock()
    byteCount += bytes.count
    guard byteCount > insideBytes else {
      inside.append(bytes)
      return
    }
    if file == nil { file = try ResultFile(at: path, in: &transaction) }
    for bytes in inside + [bytes] { try file?.write(ResultsPage.scriptLine(of: bytes)) }
    inside = []
  }
}
