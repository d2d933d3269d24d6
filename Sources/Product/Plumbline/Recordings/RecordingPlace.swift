#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif
import PlumblineExport
import PlumblineIO
import PlumblineStreams
import Synchronization

/// Where a converted recording goes: one file, or a folder that appears whole or not at all.
///
/// A folder is filled under a hidden name beside its place and renamed by ``publish()``; a file has
/// the name `NAME.converting` until its writer closes it. What is not published disappears with the
/// last use.
final class RecordingPlace: RecordingOutput {
  private let path: String
  private let staging: StagingFolder?
  private let folder: DiskRecordingOutput?
  private let existing: OutputTransaction.ExistingFiles
  private let hasMadeFile = Atomic(false)
  /// Not `.partial`, which may be what a recorder left: this one may be made again at any time.
  private static let unfinishedEnding = ".converting"

  /// Prepares an output.
  ///
  /// - Parameters:
  ///   - path: The final name of the file or folder.
  ///   - isFolder: Which of both it is.
  ///   - existing: What happens to a file of that name. A folder is never replaced: frames of two
  ///     recordings in one folder would be read as one.
  /// - Throws: `.output` when a folder of that name holds something, or cannot be made.
  init(
    path: String, isFolder: Bool, existing: OutputTransaction.ExistingFiles
  ) throws(RecordingWritingError) {
    self.existing = existing
    var path = path
    while isFolder, path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    guard isFolder else {
      staging = nil
      folder = nil
      return
    }
    guard Self.isFree(path) else {
      throw .output(
        path: path, detail: "it already exists; a folder is not replaced", reason: .exists)
    }
    let staging: StagingFolder
    do throws(OutputError) { staging = try StagingFolder(beside: path) } catch {
      throw RecordingWritingError(error)
    }
    self.staging = staging
    do throws(RecordingWritingError) {
      // Many small files one by one synchronized would take a second for each thousand.
      folder = try DiskRecordingOutput(folder: staging.path, durability: .buffered)
    } catch { throw error.renaming(staging.path, to: path) }
  }

  deinit {
    // Nothing is there under this name any more once it was published.
    staging?.remove()
  }

  /// The name that a single file is made under.
  var fileName: String { path }

  /// Makes a file in the folder, or the file itself.
  ///
  /// - Throws: `.output`.
  func makeFile(_ name: String) throws(RecordingWritingError) -> any RecordingFile {
    if let folder { return try folder.makeFile(name) }
    let file = try DiskRecordingFile(
      path: path, existing: existing, ballastBytes: 0, abandonableEnding: Self.unfinishedEnding)
    hasMadeFile.store(true, ordering: .relaxed)
    return file
  }

  /// Gives a folder its name; a file has it since it was closed.
  ///
  /// - Throws: `.output` when something took the name meanwhile; then nothing stays.
  func publish() throws(RecordingWritingError) {
    guard let staging else { return }
    staging.synchronizeAll()
    // Renames onto nothing or an empty folder, and fails for everything else.
    guard rename(staging.path, path) == 0 else {
      throw .output(path: path, detail: String(cString: strerror(errno)), reason: .cannotCreate)
    }
  }

  /// What failed, under the name that the user gave instead of the hidden one.
  func named(_ error: any Error) -> any Error {
    guard let staging, let error = error as? RecordingWritingError else { return error }
    return error.renaming(staging.path, to: path)
  }

  /// Removes a single file that its writer could not finish; never one that another process began.
  func discard() {
    if staging == nil, hasMadeFile.load(ordering: .relaxed) { unlink(path + Self.unfinishedEnding) }
  }

  private static func isFree(_ path: String) -> Bool {
    guard let entries = opendir(path) else { return errno == ENOENT }
    defer { closedir(entries) }
    var count = 0
    while readdir(entries) != nil { count += 1 }
    // An empty folder lists itself and the one above.
    return count <= 2
  }
}

extension RecordingWritingError {
  /// The same failure with one folder called by another path.
  fileprivate func renaming(_ folder: String, to path: String) -> RecordingWritingError {
    guard case .output(let place, let detail, let reason, let obstacle) = self,
      place.hasPrefix(folder)
    else { return self }
    return .output(
      path: path + place.dropFirst(folder.count), detail: detail, reason: reason,
      obstacle: obstacle)
  }
}
