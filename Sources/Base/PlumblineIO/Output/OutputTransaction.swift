/// A set of files that is published completely or not at all.
///
/// Each file is written into a hidden folder, checked and synchronized; ``publish()`` then gives
/// all files their names. If the output folder is new, this is one rename. In an existing folder, a
/// note lists the renames that are still to be done: if the process is killed or the power fails
/// between two renames, the next output into the folder completes the set, and until then its files
/// are not read. If anything fails, or if the transaction ends without being published, the folder
/// is as before. Two processes can never write the same file: without ``ExistingFiles/replace`` the
/// operating system rejects the second name. A file that the same command has read is never
/// replaced (``FilesRead``).
///
///     var output = OutputTransaction(existing: .keep)
///     try output.createDirectory(at: "out")
///     try output.stage(bytes, at: "out/cloud.ply")
///     let paths = try output.publish()
///
/// A killed process leaves at most a folder named `.plumbline-….partial`, which the next output to
/// the same folder removes.
///
/// - Source: decision 0034.
public struct OutputTransaction: ~Copyable {
  /// What happens to a file that already has the name of an output.
  public enum ExistingFiles: Sendable {
    /// The existing file stays, and the transaction fails with ``OutputError/Reason/exists``.
    case keep
    /// The new file replaces it in one step; a symbolic link is replaced, not followed.
    case replace
  }

  /// The guarantee once ``publish()`` returns.
  public enum Durability: Sendable {
    /// The files are on the disk and survive a power failure.
    case synchronized
    /// Every process sees complete files, but a power failure may lose them.
    case buffered
  }

  private let existing: ExistingFiles
  private let durability: Durability
  private let operations: FileOperations
  private let filesRead = FilesRead.current
  private var groups: [OutputGroup] = []
  private var paths: [String] = []

  /// Creates a transaction without files.
  public init(existing: ExistingFiles, durability: Durability = .synchronized) {
    self.init(existing: existing, durability: durability, operations: .system)
  }

  package init(
    existing: ExistingFiles, durability: Durability = .synchronized, operations: FileOperations
  ) {
    self.existing = existing
    self.durability = durability
    self.operations = operations
  }

  deinit { for group in groups { group.staging.remove() } }

  /// Adds a folder, which is created on publishing unless it exists.
  ///
  /// - Throws: `.cannotCreate`, for example when the parent folder does not exist.
  public mutating func createDirectory(at path: String) throws(OutputError) {
    let path = Self.withoutSlashAtEnd(path)
    if let (index, name) = group(holding: path) {
      do throws(SystemFailure) { return try groups[index].addFolder(name) } catch {
        throw OutputError(.cannotCreate, path: path, detail: error.text)
      }
    }
    if groups.contains(where: { $0.folder == path }) { return }
    switch try kind(path) {
    case .directory: _ = try addGroup(for: path)
    case .nothing:
      let place = try OutputPath(path)
      groups.append(
        OutputGroup(folder: path, isNew: true, staging: try staging(beside: place, for: path)))
    case .file, .other:
      throw OutputError(.cannotCreate, path: path, detail: "it is not a folder")
    }
  }

  /// Removes files of an older set on publishing, so that files which an earlier run left are not
  /// taken for a part of the new set.
  ///
  /// - Parameters:
  ///   - folder: A folder made by ``createDirectory(at:)``; files in its subfolders stay.
  ///   - isPart: Whether a file of this name belongs to such a set; staged names, before or after
  ///     this call, are replaced anyway.
  /// - Throws: `.exists` if there is such a file and existing files are kept, `.isRead`.
  public mutating func removeStale(
    in folder: String, where isPart: (_ name: String) -> Bool
  ) throws(OutputError) {
    let folder = Self.withoutSlashAtEnd(folder)
    // A new folder contains no older files.
    guard let names = try? operations.entries(folder) else { return }
    for name in names.sorted() where isPart(name) {
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      guard try kind(path) == .file, !paths.contains(where: { Self.isSame($0, path) }) else {
        continue
      }
      if filesRead?.contains(path: path) == true { throw Self.isRead(path) }
      guard existing == .replace else {
        throw OutputError(.staleFile, path: path)
      }
      let (index, name) = try place(path)
      groups[index].addStale(name)
    }
  }

  private static func isSame(_ path: String, _ other: String) -> Bool {
    path == other
      || path.split(separator: "/", omittingEmptySubsequences: true)
        == other.split(separator: "/", omittingEmptySubsequences: true)
  }

  /// Writes a file under a temporary name.
  ///
  /// - Throws: `.exists` as early as possible, `.isRead`, `.cannotCreate`, `.inputOutput`.
  public mutating func stage(_ bytes: [UInt8], at path: String) throws(OutputError) {
    try stage(at: path) { file throws(OutputError) in try file.write(bytes) }
  }

  /// Writes a file in pieces under a temporary name, so that it need not fit into memory.
  ///
  /// - Throws: As ``stage(_:at:)``, and what `body` throws.
  public mutating func stage(
    at path: String, _ body: (borrowing StagedFile) throws(OutputError) -> Void
  ) throws(OutputError) {
    let (index, temporary) = try prepare(path)
    var failure: OutputError?
    do throws(OutputError) { try write(body, to: temporary, for: path) } catch { failure = error }
    guard let failure else { return }
    // Removed at once, so that publishing after a caught error cannot publish an incomplete file.
    paths.removeLast()
    groups[index].removeLast()
    try? operations.remove(temporary)
    throw failure
  }

  /// Reserves a name for a file that other code writes, such as a growing recording.
  ///
  /// - Returns: The path at which the complete file must be when ``publish()`` is called.
  /// - Throws: `.exists`, `.isRead`, `.cannotCreate`.
  public mutating func reserve(at path: String) throws(OutputError) -> String {
    try prepare(path).temporary
  }

  /// Gives every staged file its final name.
  ///
  /// - Returns: The names, in the order of staging.
  /// - Throws: `.exists`, `.isRead`, `.cannotCreate` or `.inputOutput`; everything is then as
  ///   before, except the files in ``OutputError/replaced``, on disks that cannot undo a
  ///   replacement.
  public mutating func publish() throws(OutputError) -> [String] {
    let isSynchronized = durability == .synchronized
    for path in paths where filesRead?.contains(path: path) == true {
      _ = takeBack()
      throw Self.isRead(path)
    }
    for index in groups.indices {
      do throws(OutputError) {
        try groups[index].publish(existing: existing, isSynchronized: isSynchronized)
      } catch {
        var failure = error
        failure.replaced = takeBack()
        throw failure
      }
    }
    for index in groups.indices { groups[index].finish(isSynchronized: isSynchronized) }
    defer { (groups, paths) = ([], []) }
    return paths
  }

  private mutating func takeBack() -> [String] {
    var kept: [String] = []
    for index in groups.indices.reversed() { kept = groups[index].takeBack() + kept }
    (groups, paths) = ([], [])
    return kept
  }

  private func write(
    _ body: (borrowing StagedFile) throws(OutputError) -> Void, to temporary: String,
    for path: String
  ) throws(OutputError) {
    let descriptor: Int32
    do throws(SystemFailure) { descriptor = try operations.create(temporary) } catch {
      throw OutputError(.cannotCreate, path: path, detail: error.text)
    }
    let file = StagedFile(path: path, descriptor: descriptor, operations: operations)
    var failure: OutputError?
    do throws(OutputError) { try body(file) } catch { failure = error }
    do throws(SystemFailure) {
      if failure == nil, durability == .synchronized { try operations.synchronize(descriptor) }
    } catch { failure = OutputError(.inputOutput, path: path, detail: error.text) }
    do throws(SystemFailure) { try operations.close(descriptor) } catch {
      failure = failure ?? OutputError(.inputOutput, path: path, detail: error.text)
    }
    if let failure { throw failure }
  }

  /// Checks that a name may be used, and returns the hidden path of its file.
  private mutating func prepare(
    _ path: String
  ) throws(OutputError) -> (index: Int, temporary: String) {
    guard !paths.contains(path) else {
      throw OutputError(.exists, path: path, detail: "two outputs have this name")
    }
    _ = try OutputPath(path)
    if filesRead?.contains(path: path) == true { throw Self.isRead(path) }
    switch try kind(path) {
    case .nothing: break
    case .file where existing == .replace: break
    case .file: throw OutputError(.file, path: path)
    case .directory: throw OutputError(.cannotCreate, path: path, detail: "it is a folder")
    // Renaming a file to /dev/null would remove the device for all programs.
    case .other: throw OutputError(.cannotCreate, path: path, detail: "it is not a regular file")
    }
    let (index, name) = try place(path)
    paths.append(path)
    return (index, groups[index].add(name, path: path))
  }

  /// The group of a path and the file's name in it; adds a group for an existing folder if needed.
  private mutating func place(_ path: String) throws(OutputError) -> (index: Int, name: String) {
    if let found = group(holding: path) { return found }
    let output = try OutputPath(path)
    let index = try addGroup(for: Self.withoutSlashAtEnd(output.directory), beside: output)
    return (index, output.name)
  }

  /// Adds a group for an existing folder, after completing an interrupted set in it.
  private mutating func addGroup(
    for folder: String, beside place: OutputPath? = nil
  ) throws(OutputError) -> Int {
    try UnfinishedSet.complete(in: folder, operations)
    let inside: OutputPath
    if let place {
      inside = place
    } else {
      inside = try OutputPath(folder == "/" ? "/staged" : "\(folder)/staged")
    }
    let staging = try staging(beside: inside, for: place?.path ?? folder)
    groups.append(OutputGroup(folder: folder, isNew: false, staging: staging))
    return groups.count - 1
  }

  private func staging(
    beside place: OutputPath, for path: String
  ) throws(OutputError) -> StagingFolder {
    do throws(SystemFailure) {
      return try StagingFolder(beside: place, operations: operations)
    } catch { throw OutputError(.cannotCreate, path: path, detail: error.text) }
  }

  /// The group whose folder contains a path, and the file's name in it.
  private func group(holding path: String) -> (index: Int, name: String)? {
    for (index, group) in groups.enumerated() {
      let start = group.folder == "/" ? "/" : group.folder + "/"
      guard path.hasPrefix(start) else { continue }
      let name = path.dropFirst(start.count).drop { $0 == "/" }
      if !name.isEmpty { return (index, String(name)) }
    }
    return nil
  }

  private func kind(_ path: String) throws(OutputError) -> FileKind {
    do throws(SystemFailure) { return try operations.kind(path) } catch {
      throw OutputError(.cannotCreate, path: path, detail: error.text)
    }
  }

  private static func withoutSlashAtEnd(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  package static func isRead(_ path: String) -> OutputError {
    OutputError(
      .isRead, path: path,
      detail: "this command reads it, and no output takes the place of what is read; name another")
  }
}
