/// The note about a set of outputs that is being published: the remaining steps after a kill.
///
/// The note exists in the folder as `.plumbline-unfinished` from the time when all files of the set
/// are complete on the disk until all have their names. Another process can complete the set from
/// it, so that the set appears as a whole although the system renames one file at a time.
package struct UnfinishedSet: Equatable {
  /// One file that gets its name.
  package struct File: Equatable {
    /// Its name inside the hidden folder.
    var staged: String
    /// Its name inside the output folder.
    package var target: String
    /// Whether it may replace an existing file.
    package var replaces: Bool
  }

  /// The name of the hidden folder.
  package var staging: String
  /// The folders to create, parents first.
  package var folders: [String] = []
  /// The files in the order in which they are named.
  package var files: [File] = []
  /// The files of an older set that this set does not contain; they are removed.
  var stale: [String] = []

  /// The name of the note in its folder.
  package static let name = ".plumbline-unfinished"
  /// Enough for 100,000 files with names of 160 bytes.
  private static let byteLimit = 32 << 20

  package static func path(in folder: String) -> String { "\(folder)/\(name)" }

  /// Reads the note in a folder; `nil` if there is none.
  ///
  /// - Throws: `.inputOutput` for a note that cannot be parsed.
  package static func read(
    in folder: String, _ operations: FileOperations
  ) throws(SystemFailure) -> UnfinishedSet? {
    let bytes: [UInt8]
    do throws(SystemFailure) { bytes = try operations.read(path(in: folder), byteLimit) } catch {
      if error.isMissing { return nil }
      throw error
    }
    guard let set = UnfinishedSet(bytes) else { throw .inputOutput }
    return set
  }

  /// Completes the set of an interrupted process in a folder; waits while that process still runs.
  ///
  /// - Returns: Whether there was anything to complete.
  /// - Throws: `.exists` if another file has taken a name that may not be replaced; `.cannotCreate`
  ///   for any other failure.
  @discardableResult
  package static func complete(
    in folder: String, _ operations: FileOperations
  ) throws(OutputError) -> Bool {
    do throws(SystemFailure) {
      guard let set = try read(in: folder, operations) else { return false }
      let lock = try? operations.lock("\(folder)/\(set.staging)", true)
      defer { if let lock { operations.unlock(lock) } }
      // The set's own process may have finished while this one waited for the lock.
      guard try read(in: folder, operations) == set else { return true }
      try set.finishNaming(in: folder, operations)
      try operations.remove(path(in: folder))
      try operations.synchronizeDirectory(folder)
      operations.removeTree("\(folder)/\(set.staging)")
      return true
    } catch {
      throw OutputError(
        error.isExisting ? .exists : .cannotCreate, path: path(in: folder),
        detail: "the set of files that an interrupted run left cannot be completed: \(error.text)")
    }
  }

  /// Gives the files in the hidden folder their final names, and synchronizes the folders.
  private func finishNaming(
    in folder: String, _ operations: FileOperations
  ) throws(SystemFailure) {
    for name in folders {
      do throws(SystemFailure) { try operations.createDirectory("\(folder)/\(name)") } catch {
        guard error.isExisting else { throw error }
      }
    }
    for file in files {
      let staged = "\(folder)/\(staging)/\(file.staged)"
      guard try operations.kind(staged) == .file else { continue }
      let target = "\(folder)/\(file.target)"
      if file.replaces || operations.isSame(staged, target) {
        // Both are names of one file: the rename had linked the new name but not removed the old
        // one.
        try operations.replace(staged, target)
        try? operations.remove(staged)
      } else {
        try operations.rename(staged, target)
      }
    }
    for name in stale where try operations.kind("\(folder)/\(name)") == .file {
      try operations.remove("\(folder)/\(name)")
    }
    for directory in directories(in: folder) { try operations.synchronizeDirectory(directory) }
  }

  /// The folders that contain files of the set, each once.
  package func directories(in folder: String) -> [String] {
    var seen: Set<String> = []
    var directories: [String] = []
    for name in files.map(\.target) + stale + folders {
      let parents = name.split(separator: "/").dropLast().joined(separator: "/")
      let path = parents.isEmpty ? folder : "\(folder)/\(parents)"
      if seen.insert(path).inserted { directories.append(path) }
    }
    return directories
  }
}

extension UnfinishedSet {
  /// The note's bytes.
  package var bytes: [UInt8] {
    let document = JSONValue.object([
      ("schema", "plumbline.unfinished/1"), ("staging", .string(staging)),
      ("folders", .array(folders.map { .string($0) })),
      (
        "files",
        .array(
          files.map {
            .array([.string($0.staged), .string($0.target), .bool($0.replaces)])
          })
      ),
      ("stale", .array(stale.map { .string($0) })),
    ])
    return Array(JSONWriter(layout: .compact).text(document).utf8)
  }

  /// Reads a note; `nil` for anything that this program would not have written, such as names that
  /// lead out of the folder.
  package init?(_ bytes: [UInt8]) {
    guard let document = try? JSONValue(parsing: bytes),
      document["schema"]?.string == "plumbline.unfinished/1",
      let staging = document["staging"]?.string, Self.isInside(staging), !staging.contains("/"),
      let folders = document["folders"]?.elements, let files = document["files"]?.elements,
      let stale = document["stale"]?.elements
    else { return nil }
    self.staging = staging
    self.folders = folders.compactMap(\.string)
    self.stale = stale.compactMap(\.string)
    self.files = files.compactMap { entry in
      guard let parts = entry.elements, parts.count == 3, let staged = parts[0].string,
        let target = parts[1].string, let replaces = parts[2].bool
      else { return nil }
      return File(staged: staged, target: target, replaces: replaces)
    }
    let names = self.folders + self.stale + self.files.flatMap { [$0.staged, $0.target] }
    guard self.folders.count == folders.count, self.stale.count == stale.count,
      self.files.count == files.count, names.allSatisfy(Self.isInside)
    else { return nil }
  }

  private static func isInside(_ name: String) -> Bool {
    !name.utf8.contains(0)
      && name.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }
}
