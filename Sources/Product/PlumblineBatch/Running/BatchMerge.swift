package import Plumbline
import PlumblineIO

/// Joins folders of results, such as those of the parts of one run on several machines.
package struct BatchMerge: Sendable {
  private let sources: [String]
  private let folder: String

  /// Prepares to join folders of results; they stay as they are.
  ///
  /// - Parameters:
  ///   - sources: One folder or more, with the same settings.
  ///   - folder: Where all results go; made, or joined with what is there.
  package init(_ sources: [String], into folder: String) {
    self.sources = sources
    self.folder = folder
  }

  /// Joins them; what has no result yet in a folder is left out.
  ///
  /// - Returns: How many captures have a result, and how many failed.
  /// - Throws: ``JournalError``, ``MergeError``, `OutputError`; the same call again goes on.
  package func run() throws -> (done: Int, failed: Int) {
    guard let first = sources.first else { return (0, 0) }
    let settings = try Journal.settings(of: first)
    let target = try Journal(folder: folder, settings: settings)
    for source in sources {
      let journal = try Journal(folder: source, settings: settings)
      var records: [JournalRecord] = []
      try journal.forEach { record in
        if let known = try target.result(of: record.path) {
          guard let result = record.result, known == (try result.line()) else {
            throw MergeError(path: record.path, folder: source)
          }
          return
        }
        try copyFiles(of: record.path, from: source)
        records.append(record)
        if records.count == 512 {
          try target.record(records)
          records.removeAll(keepingCapacity: true)
        }
      }
      try target.record(records)
    }
    _ = try JournalResults(folder: folder, journal: target, verb: settings.verb).write()
    return try target.counts()
  }

  /// Gives the files of a capture a second name in the folder, or copies them where they lie on another disk.
  private func copyFiles(of path: String, from source: String) throws(OutputError) {
    let name = CaptureName(path: path).name
    let output = CaptureOutput(path: "\(folder)/captures/\(name)")
    let old = "\(source)/captures/\(name)"
    if (try? FileOperations.system.kind(old)) == .directory {
      try output.begin()
      try Self.copy(old, to: output.unfinished)
      try output.finish(isGood: true)
    }
    let image = "thumbnails/\(name).jpg"
    if (try? FileOperations.system.kind("\(source)/\(image)")) == .file {
      try? FileOperations.system.remove("\(folder)/\(image)")
      try Self.copy("\(source)/\(image)", to: "\(folder)/\(image)")
    }
  }

  private static func copy(_ path: String, to new: String) throws(OutputError) {
    do throws(SystemFailure) {
      try copyInside(path, to: new)
    } catch { throw OutputError(.cannotCreate, path: new, detail: error.text) }
  }

  private static func copyInside(_ path: String, to new: String) throws(SystemFailure) {
    let operations = FileOperations.system
    if try operations.kind(path) == .directory {
      try operations.createDirectory(new)
      for name in try operations.entries(path) {
        try copyInside("\(path)/\(name)", to: "\(new)/\(name)")
      }
      return
    }
    do throws(SystemFailure) { try operations.link(path, new) } catch {
      if error.isExisting { return }
      try copyBytes(path, to: new)
    }
  }

  private static func copyBytes(_ path: String, to new: String) throws(SystemFailure) {
    let operations = FileOperations.system
    guard let source = try? FileSource(path: path) else { throw .inputOutput }
    let file = try operations.create(new)
    var place = 0
    do throws(SystemFailure) {
      while place < source.byteCount {
        let end = min(source.byteCount, place + 1 << 22)
        guard let bytes = try? source.bytes(in: place..<end) else { throw .inputOutput }
        try operations.writeAll(bytes[...], to: file)
        place = end
      }
      try operations.synchronize(file)
    } catch {
      try? operations.close(file)
      throw error
    }
    try operations.close(file)
  }
}

/// Two folders have other results for one path.
package struct MergeError: CategorizedError, Sendable, Hashable, CustomStringConvertible {
  /// The path of the capture.
  package let path: String
  /// The folder whose result contradicts an earlier one.
  package let folder: String

  package var category: FailureCategory { .unusableInput }

  package var description: String {
    "\(printable(text: folder)): expected the result of \(printable(text: path)) that another folder has, "
      + "found another result"
  }
}
