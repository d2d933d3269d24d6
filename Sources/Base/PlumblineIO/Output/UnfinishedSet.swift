/// The note about a set of outputs whose names are being given: what is left to do after a kill.
///
/// It stands in the folder as `.plumbline-unfinished` from the moment at which all files of the set
/// are whole on the disk until all have their names. Completing the set means to go on with it, so
/// that a set appears whole although the system renames one file at a time.
package struct UnfinishedSet: Equatable {
  /// One file that gets its name.
  package struct File: Equatable {
    /// Its name inside of the hidden folder.
    var staged: String
    /// Its name inside of the folder.
    package var target: String
    /// Whether it may replace another.
    package var replaces: Bool
  }

  /// The name of the hidden folder.
  package var staging: String
  /// The folders to make, parents first.
  package var folders: [String] = []
  /// The files in the order of their making.
  package var files: [File] = []
  /// The files of an older set that this one does not have.
  var stale: [String] = []

  /// The name that the note has in its folder.
  package static let name = ".plumbline-unfinished"
  /// A hundred thousand files with names of 160 bytes.
  private static let byteLimit = 32 << 20

  package static func path(in folder: String) -> String { "\(folder)/\(name)" }

  /// The note in a folder; `nil` where there is none.
  ///
  /// - Throws: `.inputOutput` for one that cannot be understood.
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

  /// Completes what an interrupted process left in a folder; waits for one that is still at it.
  ///
  /// - Returns: Whether there was anything to complete.
  /// - Throws: `.exists` where a file of the set may not replace what has its name meanwhile,
  ///   `.cannotCreate`, `.inputOutput`.
  @discardableResult
  package static func complete(
    in folder: String, _ operations: FileOperations
  ) throws(OutputError) -> Bool {
    do throws(SystemFailure) {
      guard let set = try read(in: folder, operations) else { return false }
      let lock = try? operations.lock("\(folder)/\(set.staging)", true)
      defer { if let lock { try? operations.close(lock) } }
      // Its own process may have finished while the lock was waited for.
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

  /// Gives the files that still lie in the hidden folder their names, and brings all to the disk.
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
        // Both names of one file: a second one was given, and the first was not yet taken away.
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

  /// The folders that names of the set stand in, each once.
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
