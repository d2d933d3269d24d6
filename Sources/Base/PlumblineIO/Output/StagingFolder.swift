/// A hidden folder that holds outputs until all of them are whole.
///
/// It lies in the folder that the outputs go to, or, where that one does not exist yet, beside its
/// place and is renamed to it. It is locked while its process lives; what a killed process left is
/// removed by the next output into the same folder.
package struct StagingFolder: Sendable {
  /// Its own path.
  package let path: String
  let operations: FileOperations
  private let lock: Int32

  /// Makes a folder under a hidden name beside a path, after removing those that no process holds.
  ///
  /// - Parameters:
  ///   - target: A path in the folder where it is made.
  ///   - operations: The system's calls.
  /// - Throws: What the system says of the folder, `.inputOutput` where it cannot be locked.
  package init(
    beside target: OutputPath, operations: FileOperations
  ) throws(SystemFailure) {
    Self.removeAbandoned(in: target.directory, operations)
    // More than a few tries mean that names of this folder cannot be locked or seen.
    for _ in 0..<100 {
      let path = target.temporary
      do throws(SystemFailure) { try operations.createDirectory(path) } catch {
        // Another process drew the same 64 random bits: draw again.
        if error.isExisting { continue }
        throw error
      }
      // Until it is locked another process may take it for abandoned: then draw again.
      guard let lock = try? operations.lock(path, false) else {
        try? operations.removeDirectory(path)
        guard (try? operations.kind(target.directory)) == .directory else { throw .inputOutput }
        continue
      }
      if (try? operations.kind(path)) == .directory {
        (self.path, self.lock, self.operations) = (path, lock, operations)
        return
      }
      try? operations.close(lock)
      try? operations.removeDirectory(path)
    }
    throw .inputOutput
  }

  /// Makes a folder beside a path by the system's own calls.
  ///
  /// - Throws: `.cannotCreate`.
  package init(beside path: String) throws(OutputError) {
    let target = try OutputPath(path)
    do throws(SystemFailure) { try self.init(beside: target, operations: .system) } catch {
      throw OutputError(.cannotCreate, path: path, detail: error.text)
    }
  }

  /// Waits until all that was written in it is on the disk, by one call for everything that any
  /// program has written: that costs less than one for each of thousands of files.
  package func synchronizeAll() { synchronizeDisks() }

  /// Removes it with all that is in it, if it still has its hidden name.
  package func remove() {
    operations.removeTree(path)
    release()
  }

  /// Lets it go after it was renamed.
  package func release() { try? operations.close(lock) }

  /// Removes hidden folders whose process is gone; those of an interrupted set that is still to be
  /// completed stay.
  private static func removeAbandoned(in directory: String, _ operations: FileOperations) {
    let unfinished = try? UnfinishedSet.read(in: directory, operations)
    for name in (try? operations.entries(directory)) ?? []
    where name.hasPrefix(OutputPath.hiddenStart) && name.hasSuffix(OutputPath.hiddenEnd) {
      let path = "\(directory)/\(name)"
      if name == unfinished?.staging { continue }
      // Files of that name belong to a file that is being written, not to a folder.
      guard let lock = try? operations.lock(path, false) else { continue }
      operations.removeTree(path)
      try? operations.close(lock)
    }
  }
}

/// A file that is being written under a temporary name; see ``OutputTransaction``.
public struct StagedFile: ~Copyable {
  package let path: String
  package let descriptor: Int32
  let operations: FileOperations

  /// Appends bytes; every byte is on its way to the disk when this returns.
  ///
  /// - Throws: `.inputOutput`, such as for a full disk.
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
    // A zero byte would end the name early for the system, so that another file would be written.
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
