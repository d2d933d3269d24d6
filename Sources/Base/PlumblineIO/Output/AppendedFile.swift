/// A file that is appended to for hours and remains readable after a crash, a kill or a full disk.
///
/// It is named `NAME.partial` until ``close()``. An append is either complete or leaves the file
/// unchanged. The file reserves disk space and releases it when the disk is full: that append
/// fails, but the records at the end of the file can still be written.
///
/// - Source: decision 0016.
package final class AppendedFile {
  /// The final name.
  package let path: String
  /// The name until the file is closed.
  package let partialPath: String
  /// The number of bytes appended so far.
  package private(set) var byteCount = 0
  /// The error that was thrown last.
  package private(set) var lastError: OutputError?
  /// Whether the disk was full, so that only the reserved space is left.
  package private(set) var isDiskFull = false

  private let target: OutputPath
  private let existing: OutputTransaction.ExistingFiles
  private let durability: OutputTransaction.Durability
  private let operations: FileOperations
  private let filesRead = FilesRead.current
  /// The number of bytes that are on their way to the disk or on it.
  private var startedCount = 0
  private var descriptor: Int32?
  private var ballast: Int32?
  /// A lock that shows other processes that this process still writes the file.
  private var lock: Int32?
  private var isPublished = false
  private var isNameSynchronized = false
  /// The failure after which further appends and synchronizations are refused.
  private var failure: OutputError?

  /// Creates the file under its temporary name.
  ///
  /// - Parameters:
  ///   - path: The final name.
  ///   - existing: What happens to an existing file with the final name.
  ///   - durability: The guarantee after the file is closed.
  ///   - ballastBytes: The disk space to reserve; less where the disk has less free space or cannot
  ///     reserve. 0 reserves none.
  ///   - unfinishedEnding: The ending of the temporary name.
  ///   - replacesAbandoned: Whether an unfinished file of a process that has ended is replaced.
  /// - Throws: `.exists` when the final or the temporary name is taken, `.isRead`, `.cannotCreate`.
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
      operations.unlock(lock)
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
    if let lock { operations.unlock(lock) }
  }

  /// Appends all of the bytes, or none of them.
  ///
  /// - Throws: `.inputOutput`. After a full disk the next append may succeed in the space that was
  ///   reserved; after any other failure nothing more can be appended.
  package func append(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    if let failure { throw failure }
    guard let descriptor else { preconditionFailure("\(path) is closed") }
    let problem: SystemFailure
    do throws(SystemFailure) {
      try operations.writeAll(bytes, to: descriptor)
      byteCount += bytes.count
      startWriting(descriptor)
      return
    } catch { problem = error }
    let error = OutputError(.inputOutput, path: path, detail: problem.text)
    lastError = error
    isDiskFull = isDiskFull || problem.isFull
    releaseRoom()
    do throws(SystemFailure) { try operations.truncate(descriptor, byteCount) } catch {
      // Bytes appended now would follow a part of the failed append.
      failure = OutputError(.inputOutput, path: path, detail: problem.text)
    }
    if !problem.isFull { failure = error }
    throw error
  }

  /// Lets the disk work while the next bytes are made: of 760 MB, `close` waited for 0.46 s before.
  private func startWriting(_ descriptor: Int32) {
    guard durability == .synchronized, byteCount - startedCount >= 8 << 20 else { return }
    operations.startWriting(descriptor, startedCount..<byteCount)
    startedCount = byteCount
  }

  /// Waits until all appended bytes would survive a power failure.
  ///
  /// - Throws: `.inputOutput`, and again at each later call: after a failed synchronization the
  ///   system forgets what it could not write, and a second one would only seem to succeed.
  ///   - Source: T. Rebello et al., "Can Applications Recover from fsync Failures?", USENIX 2020.
  package func synchronize() throws(OutputError) {
    try synchronize(operations.synchronizeData)
  }

  /// Synchronizes the file and gives it its final name.
  ///
  /// - Throws: `.inputOutput`, `.exists`; the file then keeps the name `NAME.partial`. A second
  ///   call continues where the first one failed.
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

  /// Removes the unfinished file; no other method may be called afterwards.
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
      // Synchronized bytes are useless while the directory entry of the file is not synchronized.
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

  /// Reserves as much disk space as is free, down to a 64th of `bytes`.
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
