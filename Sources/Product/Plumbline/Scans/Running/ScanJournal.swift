public import PlumblineIO
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings

/// What became of each frame of a scan, kept beside its output while it runs.
///
/// So a run that was killed goes on: known frames are fused at their known poses without being registered, and the
/// result has the same bytes as that of a run that was not interrupted.
///
/// The file `OUTPUT.resume` is a line for what is scanned and how, then one for each frame, each with its
/// checksum. Lines are only appended: of a killed run all whole lines hold. Another run that writes the same file
/// is refused.
public final class ScanJournal {
  private let output: String
  private let existing: OutputTransaction.ExistingFiles
  private let resumes: Bool
  private var file: AppendedFile?
  private var earlier: [ScanJournalEntry] = []

  /// The ending of the file beside the output.
  static let ending = ".resume"
  /// The most bytes that are read of an earlier file: a million frames.
  static let byteLimit = 2 << 30

  /// Creates a journal; nothing is read or written before the scan begins.
  ///
  /// - Parameters:
  ///   - output: The path of the output.
  ///   - existing: What happens to an output that exists, which is found out when the scan begins.
  ///   - resumes: Whether frames that an earlier run has written are taken as known; else they are forgotten.
  public init(
    besideOutput output: String, existing: OutputTransaction.ExistingFiles, resumes: Bool
  ) {
    self.output = output
    self.existing = existing
    self.resumes = resumes
  }

  /// The path of the file.
  public var path: String { output + Self.ending }

  /// The number of frames that are known from an earlier run.
  public var knownCount: Int { earlier.count }

  /// Removes the file: the scan is complete.
  public func remove() {
    file?.remove()
    file = nil
  }

  /// Reads what an earlier run has left, and begins the file with it.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - indices: Those that are used.
  ///   - settings: How they are fused.
  /// - Throws: ``ScanJournalError`` where the earlier run was another one, ``OutputError``.
  func begin(_ recording: Recording, indices: [Int], settings: ScanSettings) throws {
    let head = Self.head(recording, indices: indices, settings: settings)
    if resumes { earlier = try Self.entries(at: path, of: head) }
    let file = try AppendedFile(
      path: output, existing: existing, durability: .buffered, ballastBytes: 0,
      unfinishedEnding: Self.ending, replacesAbandoned: true)
    self.file = file
    let lines = [head] + earlier.map { JSONWriter(layout: .compact).bytes($0.json) }
    try file.append(lines.flatMap(Self.line)[...])
  }

  /// What is known of the frame at a place among those that are used; `nil` for nothing.
  func known(at place: Int) -> ScanJournalEntry? {
    place < earlier.count ? earlier[place] : nil
  }

  /// Writes what became of the next frame; nothing for one that is known.
  func append(_ entry: ScanJournalEntry, at place: Int) throws {
    guard place >= earlier.count, let file else { return }
    try file.append(Self.line(JSONWriter(layout: .compact).bytes(entry.json))[...])
  }

  // MARK: - Lines

  /// What is scanned and how; two runs of the same frames have the same one.
  static func head(
    _ recording: Recording, indices: [Int], settings: ScanSettings
  ) -> [UInt8] {
    let frames = indices.map { index in
      let frame = recording.frames[index]
      return "\(frame.name)\n\(frame.timestampSeconds?.description ?? "-")\n"
    }
    // Neither changes a byte of the result.
    var same = settings
    same.threads = 1
    same.maximumBytes = 0
    return JSONWriter(layout: .compact).bytes([
      "schema": "plumbline.scan-journal/2", "program": .string(PlumblineVersion.text),
      "frames": .integer(indices.count),
      "names": .string(SHA256Digest.hexadecimal(of: frames.joined().utf8)),
      // A description names every setting, also one that comes later.
      "settings": .string("\(same)"),
    ])
  }

  private static func line(_ bytes: [UInt8]) -> [UInt8] {
    let digits = String(CRC32(of: bytes[...]).value, radix: 16)
    return Array(String(repeating: "0", count: 8 - digits.utf8.count).utf8) + Array(digits.utf8)
      + [UInt8(ascii: " ")] + bytes + [UInt8(ascii: "\n")]
  }

  /// The text of a line; `nil` for one that is damaged.
  private static func text(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " "),
      let sum = UInt32(String(decoding: line.prefix(8), as: UTF8.self), radix: 16)
    else { return nil }
    let text = line.dropFirst(9)
    return CRC32(of: text).value == sum ? text : nil
  }

  /// The frames that an earlier run of the same scan has written; none without a file.
  static func entries(at path: String, of head: [UInt8]) throws -> [ScanJournalEntry] {
    let bytes: [UInt8]
    do throws(SystemFailure) {
      bytes = try FileOperations.system.read(path, byteLimit)
    } catch {
      if error.isMissing { return [] }
      throw ScanJournalError.unreadable(path: path, detail: error.text)
    }
    // What follows the last line end was being written when the run was killed.
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    lines.removeLast()
    guard let first = lines.first else { return [] }
    guard let written = text(of: first) else {
      throw ScanJournalError.unreadable(path: path, detail: "its first line is damaged")
    }
    try requireSame(Array(written), head, path)
    var entries: [ScanJournalEntry] = []
    for line in lines.dropFirst() {
      // A power cut can damage the end; what comes before it holds.
      guard let text = text(of: line), let json = try? JSONValue(parsing: text),
        let entry = ScanJournalEntry(json)
      else { break }
      entries.append(entry)
    }
    return entries
  }

  private static func requireSame(_ written: [UInt8], _ head: [UInt8], _ path: String) throws {
    guard written != head else { return }
    let old = try? JSONValue(parsing: written)
    let new = try? JSONValue(parsing: head)
    let differences = [
      ("schema", "another version of this program"), ("program", "another version of this program"),
      ("frames", "another number of frames"), ("names", "a recording with other frames"),
      ("settings", "other options"),
    ]
    let difference = differences.first { old?[$0.0] != new?[$0.0] }?.1 ?? "another file"
    throw ScanJournalError.otherScan(path: path, difference: difference)
  }
}

/// Why a scan cannot go on where an earlier run ended.
public enum ScanJournalError: Error, Sendable, Hashable {
  /// The earlier run was of something else.
  case otherScan(path: String, difference: String)
  /// A frame is not what it was, so what was found of it does not hold.
  case otherFrame(name: String)
  /// The file cannot be read.
  case unreadable(path: String, detail: String)
}

extension ScanJournalError: CategorizedError, CustomStringConvertible {
  /// Who can act on it.
  public var category: FailureCategory {
    if case .unreadable = self { .inputOutput } else { .unusableInput }
  }

  /// One sentence with what was expected and found.
  public var description: String {
    switch self {
    case .otherScan(let path, let difference):
      "cannot go on: \(printable(text: path)) is of \(difference); begin anew, or give what it was begun with"
    case .otherFrame(let name):
      "cannot go on: frame \(printable(text: name)) is not what it was when the scan was begun: the recording, or "
        + "what was said of its depths, has changed; begin anew"
    case .unreadable(let path, let detail):
      "cannot go on: \(printable(text: path)): \(printable(text: detail)); begin anew"
    }
  }
}
