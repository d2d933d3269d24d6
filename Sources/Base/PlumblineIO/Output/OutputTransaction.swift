/// Files that appear under their names together, whole, or not at all.
///
/// Each file is written into a hidden folder, checked, and brought to the disk; ``publish()`` then
/// gives all of them their names. Where the folder of the outputs is new, that is one renaming; in
/// one that exists a note of what is left to do makes a set of many renamings: should the process
/// be killed or the power fail among them, the next output into the folder completes the set, and
/// until then its files are not read. When anything fails, or the transaction ends without being
/// published, all is as it was. Two processes can never write into one file: without
/// ``ExistingFiles/replace`` the system itself refuses the second name. A file that the same
/// command has read is never replaced (``FilesRead``).
///
///     var output = OutputTransaction(existing: .keep)
///     try output.createDirectory(at: "out")
///     try output.stage(bytes, at: "out/cloud.ply")
///     let paths = try output.publish()
///
/// A process that is killed leaves at most a folder named `.plumbline-….partial`, which the next
/// output to the same folder removes.
///
/// - Source: decision 0034.
public struct OutputTransaction: ~Copyable {
  /// What happens to a file that already has the name of an output.
  public enum ExistingFiles: Sendable {
    /// It stays, and the transaction fails with ``OutputError/Reason/exists``.
    case keep
    /// It is replaced at once by the new one; a symbolic link is replaced, not followed.
    case replace
  }

  /// The guarantee once ``publish()`` returns.
  public enum Durability: Sendable {
    /// The files are on the disk, even if the power fails.
    case synchronized
    /// The files are complete for every process, but may be lost with the power.
    case buffered
  }

  private let existing: ExistingFiles
  private let durability: Durability
  private let operations: FileOperations
  private let filesRead = FilesRead.current
  private var groups: [OutputGroup] = []
  private var paths: [String] = []

  /// Starts without any file.
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

  /// Makes a folder unless it is there; it appears when the transaction is published.
  ///
  /// - Throws: `.cannotCreate`, such as when the folder above it does not exist.
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

  /// Lets the rest of an older set go with this one: what an earlier run left and this one does not
  /// write would be taken for a part of the new set.
  ///
  /// - Parameters:
  ///   - folder: The folder that was made by ``createDirectory(at:)``; files in folders inside stay.
  ///   - isPart: Whether a file of this name belongs to such a set; names that are staged, before or
  ///     after this call, are replaced anyway.
  /// - Throws: `.exists` where there is such a file and existing files are kept, `.isRead`.
  public mutating func removeStale(
    in folder: String, where isPart: (_ name: String) -> Bool
  ) throws(OutputError) {
    let folder = Self.withoutSlashAtEnd(folder)
    // In a folder that appears with this set nothing is old.
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

  /// Writes a file piece by piece under a temporary name, so that it need not fit into memory.
  ///
  /// - Throws: As ``stage(_:at:)``, and what `body` throws.
  public mutating func stage(
    at path: String, _ body: (borrowing StagedFile) throws(OutputError) -> Void
  ) throws(OutputError) {
    let (index, temporary) = try prepare(path)
    var failure: OutputError?
    do throws(OutputError) { try write(body, to: temporary, for: path) } catch { failure = error }
    guard let failure else { return }
    // At once, so that publishing after a caught error cannot publish a part of a file.
    paths.removeLast()
    groups[index].removeLast()
    try? operations.remove(temporary)
    throw failure
  }

  /// Takes a file into the set that something else writes, such as a recording that grows.
  ///
  /// - Returns: The path where it has to be, whole, when ``publish()`` is called.
  /// - Throws: `.exists`, `.isRead`, `.cannotCreate`.
  public mutating func reserve(at path: String) throws(OutputError) -> String {
    try prepare(path).temporary
  }

  /// Gives every staged file its name.
  ///
  /// - Returns: The names, in the order of staging.
  /// - Throws: `.exists`, `.isRead`, `.cannotCreate` or `.inputOutput`; then all is as it was, but
  ///   for the files in ``OutputError/replaced``, on disks that cannot take a replacement back.
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

  /// Makes sure that a name may be taken, and finds the hidden path of its file.
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
    // Renaming onto /dev/null would take the device away from everybody.
    case .other: throw OutputError(.cannotCreate, path: path, detail: "it is not a regular file")
    }
    let (index, name) = try place(path)
    paths.append(path)
    return (index, groups[index].add(name, path: path))
  }

  /// The group of a path and its name in there; one is made for the folder that holds it if need be.
  private mutating func place(_ path: String) throws(OutputError) -> (index: Int, name: String) {
    if let found = group(holding: path) { return found }
    let output = try OutputPath(path)
    let index = try addGroup(for: Self.withoutSlashAtEnd(output.directory), beside: output)
    return (index, output.name)
  }

  /// Adds a group for a folder that exists, in which an interrupted set is completed first.
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

  /// The group in whose folder a path lies, and its name in there.
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
