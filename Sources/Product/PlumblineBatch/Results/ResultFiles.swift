import PlumblineExport
public import PlumblineIO

/// Writes the files of results of a batch: `results.jsonl`, `results.csv`, `values.csv`, `timings.csv`,
/// `results.html` and, where there are many rows, `results-data.js`.
///
/// Rows are written as they come, in the order in which they come; memory does not grow with them but for
/// the counts of kinds of results. The files appear together, or none of them; older ones are replaced,
/// and those that this run does not write are removed.
///
///     var files = try ResultFiles(folder: "results", verb: "check")
///     for entry in entries { try files.append(entry) }
///     let tally = try files.publish()
public struct ResultFiles: ~Copyable {
  /// The names of all files that a set can have.
  static let names: Set<String> = [
    "results.jsonl", "results.csv", "values.csv", "timings.csv", "results.html", "results-data.js",
  ]

  private let folder: String
  private let verb: String
  private var transaction: OutputTransaction
  private var lines: ResultFile
  private var table: ResultFile
  private var values: ResultFile?
  private var timings: ResultFile?
  private var page: ResultRowStore
  private var tally = ResultTally()
  private let resultColumns = ResultTableColumn<ResultRow>.results

  /// Starts the files under temporary names.
  ///
  /// - Parameters:
  ///   - folder: The folder of the results, which exists.
  ///   - verb: What was done to each capture, such as `check`; the title of the page.
  /// - Throws: `.cannotCreate`.
  public init(folder: String, verb: String) throws(OutputError) {
    try self.init(folder: folder, verb: verb, insideBytes: ResultRowStore.insideBytes)
  }

  /// Starts the files; rows of more than `insideBytes` bytes are beside the page.
  init(folder: String, verb: String, insideBytes: Int) throws(OutputError) {
    var transaction = OutputTransaction(existing: .replace)
    try transaction.createDirectory(at: folder)
    let lines = try ResultFile(at: "\(folder)/results.jsonl", in: &transaction)
    var table = try ResultFile(at: "\(folder)/results.csv", in: &transaction)
    try table.write(CSVRow.bytes(ResultTableColumn.results.map(\.name)))
    self.folder = folder
    self.verb = verb
    self.lines = lines
    self.table = table
    self.transaction = transaction
    page = ResultRowStore(path: "\(folder)/results-data.js", insideBytes: insideBytes)
  }

  /// Appends a capture to every file.
  ///
  /// - Throws: `.inputOutput`, for example for a full disk. Cost: O(*n*) in the document.
  public mutating func append(_ entry: ResultEntry) throws(OutputError) {
    let row = entry.row
    try lines.write(entry.line + [UInt8(ascii: "\n")])
    try table.write(CSVRow.bytes(resultColumns.map { $0.field(row) }))
    for value in row.values { try append(value, of: row.path) }
    if let timing = entry.timing { try append(timing, of: row.path) }
    tally.add(row)
    try page.append(row, entry, in: &transaction)
  }

  private mutating func append(_ value: ResultRow.Value, of path: String) throws(OutputError) {
    let columns = ResultTableColumn<(path: String, value: ResultRow.Value)>.values
    if values == nil { values = try start("values.csv", heads: columns.map(\.name)) }
    try values?.write(CSVRow.bytes(columns.map { $0.field((path, value)) }))
  }

  private mutating func append(
    _ timing: ResultEntry.Timing, of path: String
  ) throws(OutputError) {
    let columns = ResultTableColumn<(path: String, timing: ResultEntry.Timing)>.timings
    if timings == nil { timings = try start("timings.csv", heads: columns.map(\.name)) }
    try timings?.write(CSVRow.bytes(columns.map { $0.field((path, timing)) }))
  }

  private mutating func start(_ name: String, heads: [String]) throws(OutputError) -> ResultFile {
    var file = try ResultFile(at: "\(folder)/\(name)", in: &transaction)
    try file.write(CSVRow.bytes(heads))
    return file
  }

  /// Completes the files and gives all of them their names.
  ///
  /// - Returns: What was counted.
  /// - Throws: `.inputOutput`, `.cannotCreate`; the folder is then as before.
  /// - Precondition: Called once, as the last method.
  public mutating func publish() throws(OutputError) -> ResultTally {
    try lines.close()
    try table.close()
    try values?.close()
    try timings?.close()
    let rows = try page.finish(in: &transaction)
    let summary = ResultSummary(tally, verb: verb, rows: rows)
    try transaction.stage(summary.page.html(), at: "\(folder)/results.html")
    try transaction.removeStale(in: folder) { Self.names.contains($0) }
    _ = try transaction.publish()
    return tally
  }
}
