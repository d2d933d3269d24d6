/// The outputs of one folder, which get their names together.
///
/// A folder that does not exist yet is filled under a hidden name and renamed at once. In one that
/// exists, files are named one by one; ``UnfinishedSet`` makes a set of that.
struct OutputGroup {
  /// One file.
  struct File {
    /// Its name inside of the hidden folder.
    let staged: String
    /// Its name inside of the folder.
    let name: String
    /// Its path as it was given, for messages.
    let path: String
  }

  /// What was done to one name, so that it can be taken back.
  private enum Step {
    case made(File)
    case replaced(File, backup: String?)
    case removed(name: String, backup: String)
    case folder(String)
  }

  /// The folder that the files go to, without a slash at its end.
  let folder: String
  /// Whether the hidden folder becomes that folder.
  let isNew: Bool
  let staging: StagingFolder
  private(set) var files: [File] = []
  private(set) var folders: [String] = []
  private(set) var stale: [String] = []
  private var steps: [Step] = []
  private var hasNote = false
  /// Whether the hidden folder has become the new folder.
  private var isNamed = false

  private var operations: FileOperations { staging.operations }

  init(folder: String, isNew: Bool, staging: StagingFolder) {
    self.folder = folder
    self.isNew = isNew
    self.staging = staging
  }

  /// Where a file of the folder is written until it is published.
  mutating func add(_ name: String, path: String) -> String {
    // In a new folder files lie as they will; beside others their number is name enough.
    let staged = isNew ? name : "\(files.count)"
    files.append(File(staged: staged, name: name, path: path))
    return "\(staging.path)/\(staged)"
  }

  /// Forgets the file that was added last.
  mutating func removeLast() { files.removeLast() }

  /// Makes a folder inside.
  mutating func addFolder(_ name: String) throws(SystemFailure) {
    guard !folders.contains(name) else { return }
    if isNew { try operations.createDirectory("\(staging.path)/\(name)") }
    folders.append(name)
  }

  /// Names a file of an older set that goes when this set appears.
  mutating func addStale(_ name: String) {
    if !isNew, !stale.contains(name) { stale.append(name) }
  }

  /// Gives all files their names.
  ///
  /// - Throws: What failed, after which ``takeBack()`` undoes what was done.
  mutating func publish(
    existing: OutputTransaction.ExistingFiles, isSynchronized: Bool
  ) throws(OutputError) {
    if isNew { return try publishNewFolder(isSynchronized) }
    let names = Set(files.map(\.name))
    stale.removeAll { names.contains($0) }
    guard !files.isEmpty || !stale.isEmpty || !folders.isEmpty else { return }
    if files.count + stale.count + folders.count > 1 {
      try writeNote(existing, isSynchronized)
    }
    for name in folders { try makeFolder(name) }
    for file in files { try publish(file, existing) }
    for (index, name) in stale.enumerated() { try setAside(name, index) }
    if isSynchronized { try synchronizeFolders(of: unfinishedSet(existing)) }
  }

  /// Ends what ``publish(existing:isSynchronized:)`` began: nothing can be taken back afterwards.
  mutating func finish(isSynchronized: Bool) {
    guard !isNew else { return staging.release() }
    if hasNote {
      try? operations.remove(UnfinishedSet.path(in: folder))
      if isSynchronized { try? operations.synchronizeDirectory(folder) }
    }
    staging.remove()
  }

  /// Takes back what was published, and removes what was staged.
  ///
  /// - Returns: The files that replaced older ones and could not be taken back.
  mutating func takeBack() -> [String] {
    var kept: [String] = []
    if isNamed { try? operations.renameFolder(folder, staging.path) }
    for step in steps.reversed() {
      switch step {
      case .made(let file):
        // Back into the hidden folder: should the power fail now, the note still completes the set.
        try? operations.replace(place(file.name), "\(staging.path)/\(file.staged)")
      case .replaced(let file, let backup?):
        try? operations.link(place(file.name), "\(staging.path)/\(file.staged)")
        if (try? operations.replace(backup, place(file.name))) == nil { kept.append(file.path) }
      case .replaced(let file, nil): kept.append(file.path)
      case .removed(let name, let backup): try? operations.rename(backup, place(name))
      case .folder(let name): try? operations.removeDirectory(place(name))
      }
    }
    if hasNote { try? operations.remove(UnfinishedSet.path(in: folder)) }
    staging.remove()
    return kept.reversed()
  }

  private func place(_ name: String) -> String { "\(folder)/\(name)" }

  private mutating func publishNewFolder(_ isSynchronized: Bool) throws(OutputError) {
    do throws(SystemFailure) {
      if isSynchronized {
        // Names inside first, those of the deepest folders before those of the folders around them.
        for name in folders.reversed() {
          try operations.synchronizeDirectory("\(staging.path)/\(name)")
        }
        try operations.synchronizeDirectory(staging.path)
      }
      try operations.renameFolder(staging.path, folder)
      isNamed = true
      if isSynchronized { try operations.synchronizeDirectory(try parent()) }
    } catch { throw failure(error, at: folder) }
  }

  private func parent() throws(SystemFailure) -> String {
    do throws(OutputError) { return try OutputPath(folder).directory } catch { throw .inputOutput }
  }

  /// What is to be done, as the note says it.
  private func unfinishedSet(_ existing: OutputTransaction.ExistingFiles) -> UnfinishedSet {
    let name = staging.path.utf8.split(separator: UInt8(ascii: "/")).last ?? []
    var set = UnfinishedSet(staging: String(decoding: name, as: UTF8.self))
    set.folders = folders
    set.files = files.map {
      UnfinishedSet.File(staged: $0.staged, target: $0.name, replaces: existing == .replace)
    }
    set.stale = stale
    return set
  }

  /// Says on the disk what is about to be named, from which moment on the set counts as there.
  private mutating func writeNote(
    _ existing: OutputTransaction.ExistingFiles, _ isSynchronized: Bool
  ) throws(OutputError) {
    let set = unfinishedSet(existing)
    let note = "\(staging.path)/note"
    do throws(SystemFailure) {
      let file = try operations.create(note)
      do throws(SystemFailure) {
        try operations.writeAll(set.bytes[...], to: file)
        if isSynchronized { try operations.synchronize(file) }
      } catch {
        try? operations.close(file)
        throw error
      }
      try operations.close(file)
      if isSynchronized {
        try operations.synchronizeDirectory(staging.path)
        // The note must not outlive the hidden folder that it is about.
        try operations.synchronizeDirectory(folder)
      }
      try operations.rename(note, UnfinishedSet.path(in: folder))
      hasNote = true
      if isSynchronized { try operations.synchronizeDirectory(folder) }
    } catch { throw failure(error, at: UnfinishedSet.path(in: folder)) }
  }

  private mutating func makeFolder(_ name: String) throws(OutputError) {
    do throws(SystemFailure) {
      try operations.createDirectory(place(name))
      steps.append(.folder(name))
    } catch {
      if error.isExisting, (try? operations.kind(place(name))) == .directory { return }
      throw failure(error, at: place(name))
    }
  }

  private mutating func publish(
    _ file: File, _ existing: OutputTransaction.ExistingFiles
  ) throws(OutputError) {
    let staged = "\(staging.path)/\(file.staged)"
    do throws(SystemFailure) {
      do throws(SystemFailure) {
        try operations.rename(staged, place(file.name))
        steps.append(.made(file))
      } catch {
        guard error.isExisting, existing == .replace else { throw error }
        let backup = "\(staging.path)/old-\(file.staged)"
        // A disk without second names cannot take a replaced file back.
        let hasBackup = (try? operations.link(place(file.name), backup)) != nil
        try operations.replace(staged, place(file.name))
        steps.append(.replaced(file, backup: hasBackup ? backup : nil))
      }
    } catch { throw failure(error, at: file.path) }
  }

  private mutating func setAside(_ name: String, _ index: Int) throws(OutputError) {
    let backup = "\(staging.path)/stale-\(index)"
    do throws(SystemFailure) {
      try operations.replace(place(name), backup)
      steps.append(.removed(name: name, backup: backup))
    } catch {
      if error.isMissing { return }
      throw failure(error, at: place(name))
    }
  }

  private func synchronizeFolders(of set: UnfinishedSet) throws(OutputError) {
    // Old files were moved into the hidden folder: a name is gone for good when it is there.
    let aside = stale.isEmpty ? [] : [staging.path]
    for directory in set.directories(in: folder) + aside {
      do throws(SystemFailure) { try operations.synchronizeDirectory(directory) } catch {
        throw OutputError(.inputOutput, path: files.first?.path ?? folder, detail: error.text)
      }
    }
  }

  private func failure(_ error: SystemFailure, at path: String) -> OutputError {
    error.isExisting
      ? OutputError(.file, path: path)
      : OutputError(
        error == .inputOutput ? .inputOutput : .cannotCreate, path: path, detail: error.text)
  }
}
