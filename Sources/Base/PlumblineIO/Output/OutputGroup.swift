/// The outputs in one folder, which are published together.
///
/// A new folder is filled under a hidden name and then renamed in one step. In an existing folder,
/// files are renamed one by one; ``UnfinishedSet`` makes these renames one set.
struct OutputGroup {
  /// One file.
  struct File {
    /// Its name inside the hidden folder.
    let staged: String
    /// Its name inside the output folder.
    let name: String
    /// The path as the caller gave it, for messages.
    let path: String
  }

  /// A step of publishing, recorded so that it can be undone.
  private enum Step {
    case made(File)
    case replaced(File, backup: String?)
    case removed(name: String, backup: String)
    case folder(String)
  }

  /// The output folder, without a trailing slash.
  let folder: String
  /// Whether the output folder is new, so that the hidden folder is renamed to it.
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

  /// Adds a file and returns the path to write it to until it is published.
  mutating func add(_ name: String, path: String) -> String {
    // In a new folder, files keep their names; beside existing files, a number is enough.
    let staged = isNew ? name : "\(files.count)"
    files.append(File(staged: staged, name: name, path: path))
    return "\(staging.path)/\(staged)"
  }

  /// Removes the file that was added last.
  mutating func removeLast() { files.removeLast() }

  /// Adds a subfolder.
  mutating func addFolder(_ name: String) throws(SystemFailure) {
    guard !folders.contains(name) else { return }
    if isNew { try operations.createDirectory("\(staging.path)/\(name)") }
    folders.append(name)
  }

  /// Marks a file of an older set, which is removed when this set is published.
  mutating func addStale(_ name: String) {
    if !isNew, !stale.contains(name) { stale.append(name) }
  }

  /// Publishes all files under their final names.
  ///
  /// - Throws: The error of the failed step; ``takeBack()`` then undoes the steps before it.
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

  /// Completes ``publish(existing:isSynchronized:)``; afterwards nothing can be undone.
  mutating func finish(isSynchronized: Bool) {
    guard !isNew else { return staging.release() }
    if hasNote {
      try? operations.remove(UnfinishedSet.path(in: folder))
      if isSynchronized { try? operations.synchronizeDirectory(folder) }
    }
    staging.remove()
  }

  /// Undoes what was published, and removes the staged files.
  ///
  /// - Returns: The files that replaced older files and could not be undone.
  mutating func takeBack() -> [String] {
    var kept: [String] = []
    if isNamed { try? operations.renameFolder(folder, staging.path) }
    for step in steps.reversed() {
      switch step {
      case .made(let file):
        // Back into the hidden folder, so that after a power failure the note still completes the
        // set.
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
        // Contents before their folder: the deepest folders come first.
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

  /// The steps of this group in the form that the note stores.
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

  /// Writes the note with the pending renames to disk; from then on the set counts as published.
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
        // The note must not outlive the hidden folder that it describes.
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
        // A file system without hard links cannot undo a replacement.
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
    // Stale files were moved into the hidden folder, so that folder must be synchronized too.
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
