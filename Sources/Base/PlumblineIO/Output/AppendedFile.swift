/// A file that grows at its end for hours and survives what ends the writing.
///
/// It is named `NAME.partial` until ``close()``. An append either counts as a whole or leaves the
/// file as it was. Room is kept on the disk, and given free when the disk is full: then one append
/// fails, and what belongs at the end of the file can still be written.
///
/// - Source: decision 0016.
package final class AppendedFile {
  /// The final name.
  package let path: String
  /// The name until it is closed.
  package let partialPath: String
  /// The number of bytes appended so far.
  package private(set) var byteCount = 0
  /// The error that was thrown last.
  package private(set) var lastError: OutputError?
  /// Whether the disk was full, so that only the kept room is left.
  package private(set) var isDiskFull = false

  private let target: OutputPath
  private let existing: OutputTransaction.ExistingFiles
  private let durability: OutputTransaction.Durability
  private let operations: FileOperations
  private let filesRead = FilesRead.current
  private var descriptor: Int32?
  private var ballast: Int32?
  /// Shows other processes that this one is alive.
  private var lock: Int32?
  private var isPublished = false
  private var isNameSynchronized = false
  /// The failure after which nothing may be appended or promised.
  private var failure: OutputError?

  /// Makes the file under its name for the time being.
  ///
  /// - Parameters:
  ///   - path: The final name.
  ///   - existing: What happens to a file that has it already.
  ///   - durability: What is certain once it is closed.
  ///   - ballastBytes: The room to keep; less where the disk has less or cannot keep any. 0: none.
  ///   - unfinishedEnding: What follows the name until the file is closed.
  ///   - replacesAbandoned: Whether an unfinished file whose process is gone is replaced.
  /// - Throws: `.exists` for the name or that of an unfinished file, `.cannotCreate`.
  package convenience init(
    path: String, existing: OutputTransaction.ExistingFiles = .keep,
    durability: OutputTransaction.Durability = .synchronized, ballastBytes: Int = 64 << 20,
    unfinishedEnding: String = ".partial", replacesAbandoned: Bool = false
  ) throws(OutputError) {
    try self.init(
      path: path, existing: existing, durability: durability, ballastBytes: ballastBytes,
      unfinishedEnding: unfinishedEnding, replacesAbandoned: replacesAbandoned,
      operations: .system)
  }

  package init(
    path: String, existing: OutputTransaction.ExistingFiles = .keep,
    durability: OutputTransaction.Durability = .synchronized, ballastBytes: Int,
    unfinishedEnding: String = ".partial", replacesAbandoned: Bool = false,
    operations: FileOperations
  ) throws(OutputError) {
    target = try OutputPath(path)
    self.path = path
    partialPath = path + unfinishedEnding
    self.existing = existing
    self.durability = durability
    self.operations = operations
    if filesRead?.contains(path: path) == true { throw OutputTransaction.isRead(path) }
    let kind: FileKind
    do throws(SystemFailure) { kind = try operations.kind(path) } catch {
      throw OutputError(.cannotCreate, path: path, detail: error.text)
    }
    switch kind {
    case .nothing: break
    case .file where existing == .replace: break
    case .file: throw OutputError(.file, path: path)
    default: throw OutputError(.cannotCreate, path: path, detail: "it is not a regular file")
    }
    if replacesAbandoned, let lock = try? operations.lock(partialPath, false) {
      try? operations.remove(partialPath)
      try? operations.close(lock)
    }
    do throws(SystemFailure) {
      descriptor = try operations.create(partialPath)
      if replacesAbandoned { lock = try? operations.lock(partialPath, false) }
    } catch {
      guard error.isExisting else {
        throw OutputError(.cannotCreate, path: path, detail: error.text)
      }
      throw replacesAbandoned
        ? OutputError(.exists, path: partialPath, detail: "another run is writing it")
        : OutputError(.unfinishedFile, path: partialPath)
    }
    keepRoom(ballastBytes)
  }

  deinit {
    releaseRoom()
    if let descriptor { try? operations.close(descriptor) }
    if let lock { try? operations.close(lock) }
  }

  /// Appends bytes; all of them count, or none.
  ///
  /// - Throws: `.inputOutput`. After a full disk the next append may succeed in the room that was
  ///   kept; after any other failure nothing more can be appended.
  package func append(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    if let failure { throw failure }
    guard let descriptor else { preconditionFailure("\(path) is closed") }
    let problem: SystemFailure
    do throws(SystemFailure) {
      try operations.writeAll(bytes, to: descriptor)
      byteCount += bytes.count
      return
    } catch { problem = error }
    let error = OutputError(.inputOutput, path: path, detail: problem.text)
    lastError = error
    isDiskFull = isDiskFull || problem.isFull
    releaseRoom()
    do throws(SystemFailure) { try operations.truncate(descriptor, byteCount) } catch {
      // What follows would stand behind a part of what failed.
      failure = OutputError(.inputOutput, path: path, detail: problem.text)
    }
    if !problem.isFull { failure = error }
    throw error
  }

  /// Waits until all that was appended would survive a power cut.
  ///
  /// - Throws: `.inputOutput`, and again at each later call: after a failed synchronization the
  ///   system forgets what it could not write, and a second one would only seem to succeed.
  ///   - Source: T. Rebello et al., "Can Applications Recover from fsync Failures?", USENIX 2020.
  package func synchronize() throws(OutputError) {
    try synchronize(operations.synchronizeData)
  }

  /// Brings the file to the disk and gives it its final name.
  ///
  /// - Throws: `.inputOutput`, `.exists`; then the file keeps the name `NAME.partial`. May be
  ///   called again and goes on where it failed.
  package func close() throws(OutputError) {
    releaseRoom()
    if let descriptor {
      if durability == .synchronized { try synchronize(operations.synchronize) }
      self.descriptor = nil
      do throws(SystemFailure) { try operations.close(descriptor) } catch {
        failure = OutputError(.inputOutput, path: path, detail: error.text)
        lastError = failure
      }
    }
    if let failure { throw failure }
    if !isPublished, filesRead?.contains(path: path) == true {
      throw OutputTransaction.isRead(path)
    }
    do throws(SystemFailure) {
      if !isPublished { try publish() }
      isPublished = true
      if durability == .synchronized { try operations.synchronizeDirectory(target.directory) }
    } catch {
      let error =
        error.isExisting
        ? OutputError(.file, path: path)
        : OutputError(.inputOutput, path: path, detail: error.text)
      lastError = error
      throw error
    }
  }

  /// Gives the unfinished file up: it is removed, and nothing may be called afterwards.
  package func remove() {
    guard !isPublished else { return }
    releaseRoom()
    if let descriptor { try? operations.close(descriptor) }
    descriptor = nil
    try? operations.remove(partialPath)
  }

  private func synchronize(
    _ call: @Sendable (Int32) throws(SystemFailure) -> Void
  ) throws(OutputError) {
    if let failure { throw failure }
    guard let descriptor else { preconditionFailure("\(path) is closed") }
    do throws(SystemFailure) {
      try call(descriptor)
      // Bytes on the disk are of no use while the name of the file is not.
      if !isNameSynchronized { try operations.synchronizeDirectory(target.directory) }
      isNameSynchronized = true
    } catch {
      let error = OutputError(.inputOutput, path: path, detail: error.text)
      (failure, lastError) = (error, error)
      throw error
    }
  }

  private func publish() throws(SystemFailure) {
    do throws(SystemFailure) { try operations.rename(partialPath, path) } catch {
      guard error.isExisting, existing == .replace else { throw error }
      try operations.replace(partialPath, path)
    }
  }

  /// Keeps as much room as there is, down to a 64th of what was requested.
  private func keepRoom(_ bytes: Int) {
    var wanted = bytes
    while wanted > 0, wanted >= bytes / 64, ballast == nil {
      do throws(SystemFailure) { ballast = try operations.reserve(target.temporary, wanted) } catch
      {
        guard error.isFull else { return }
        wanted /= 2
      }
    }
  }

  private func releaseRoom() {
    if let ballast { try? operations.close(ballast) }
    ballast = nil
  }
}
