/// A hidden folder that holds outputs until all of them are complete.
///
/// It lies in the output folder, or beside the future output folder, in which case it is renamed to
/// it. It is locked while its process lives; the next output into the same folder removes the
/// folders of killed processes.
package struct StagingFolder: Sendable {
  /// The path of the hidden folder.
  package let path: String
  let operations: FileOperations
  private let lock: Int32

  /// Creates a folder under a hidden name beside a path, after removing those of ended processes.
  ///
  /// - Parameters:
  ///   - target: A path in the folder where it is made.
  ///   - operations: The system's calls.
  /// - Throws: The system's error for the folder; `.inputOutput` if the folder cannot be locked.
  package init(
    beside target: OutputPath, operations: FileOperations
  ) throws(SystemFailure) {
    Self.removeAbandoned(in: target.directory, operations)
    // More than a few tries mean that folders here cannot be locked or found.
    for _ in 0..<100 {
      let path = target.temporary
      do throws(SystemFailure) { try operations.createDirectory(path) } catch {
        // Another process drew the same 64 random bits; draw again.
        if error.isExisting { continue }
        throw error
      }
      // Before it is locked, another process may remove it as abandoned; draw again.
      guard let lock = try? operations.lock(path, false) else {
        try? operations.removeDirectory(path)
        guard (try? operations.kind(target.directory)) == .directory else { throw .inputOutput }
        continue
      }
      if (try? operations.kind(path)) == .directory {
        (self.path, self.lock, self.operations) = (path, lock, operations)
        return
      }
      operations.unlock(lock)
      try? operations.removeDirectory(path)
    }
    throw .inputOutput
  }

  /// Creates a folder beside a path with the system's own calls.
  ///
  /// - Throws: `.cannotCreate`.
  package init(beside path: String) throws(OutputError) {
    let target = try OutputPath(path)
    do throws(SystemFailure) { try self.init(beside: target, operations: .system) } catch {
      throw OutputError(.cannotCreate, path: path, detail: error.text)
    }
  }

  /// Waits until everything written into the folder is on the disk.
  ///
  /// One call synchronizes the files of all programs, which is faster than a call for each of
  /// thousands of files.
  package func synchronizeAll() { synchronizeDisks() }

  /// Removes the folder and its contents, if it still has its hidden name.
  package func remove() {
    operations.removeTree(path)
    release()
  }

  /// Releases the lock after the folder was renamed.
  package func release() { operations.unlock(lock) }

  /// Removes hidden folders whose process has ended, except that of an interrupted set that is
  /// still to be completed.
  private static func removeAbandoned(in directory: String, _ operations: FileOperations) {
    let unfinished = try? UnfinishedSet.read(in: directory, operations)
    for name in (try? operations.entries(directory)) ?? []
    where name.hasPrefix(OutputPath.hiddenStart) && name.hasSuffix(OutputPath.hiddenEnd) {
      let path = "\(directory)/\(name)"
      if name == unfinished?.staging { continue }
      // Regular files with such names are unfinished outputs, not staging folders.
      guard let lock = try? operations.lock(path, false) else { continue }
      operations.removeTree(path)
      operations.unlock(lock)
    }
  }
}

/// A file that is being written under a temporary name; see ``OutputTransaction``.
public struct StagedFile: ~Copyable {
  package let path: String
  package let descriptor: Int32
  let operations: FileOperations

  /// Appends bytes and returns when the system has accepted all of them.
  ///
  /// - Throws: `.inputOutput`, for example for a full disk.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    do throws(SystemFailure) { try operations.writeAll(bytes[...], to: descriptor) } catch {
      throw OutputError(.inputOutput, path: path, detail: error.text)
    }
  }
}

/// The final path of an output, split into folder and name.
package struct OutputPath {
  package let path: String
  package let name: String
  package let directory: String

  /// Splits a path at its last slash.
  package init(_ path: String) throws(OutputError) {
    let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
    // For the system a zero byte ends the path, so another file would be written.
    guard let name, !name.isEmpty, !path.utf8.contains(0) else {
      throw OutputError(.cannotCreate, path: path, detail: "it is not the name of a file")
    }
    var folder = path.utf8.dropLast(name.count)
    while folder.count > 1, folder.last == UInt8(ascii: "/") { folder.removeLast() }
    self.path = path
    self.name = String(decoding: name, as: UTF8.self)
    self.directory = folder.isEmpty ? "." : String(decoding: folder, as: UTF8.self)
  }

  /// A new hidden name in the same folder, hence on the same file system.
  package var temporary: String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let name = "\(Self.hiddenStart)\(number)\(Self.hiddenEnd)"
    if directory == "." && !path.hasPrefix("./") { return name }
    return directory == "/" ? "/\(name)" : "\(directory)/\(name)"
  }

  /// The start and end of hidden names.
  static let hiddenStart = ".plumbline-"
  static let hiddenEnd = ".partial"
}
