/// Files that appear under their names together, whole, or not at all.
///
/// Each file is written beside its final place under a temporary name, checked, and brought to the
/// disk; ``publish()`` then renames all of them. When anything fails, or the transaction ends
/// without being published, the temporaries are removed, and so are files published a moment
/// before that had replaced nothing. Two processes can never write into one file: without
/// ``ExistingFiles/replace`` the system itself refuses the second name.
///
///     var output = OutputTransaction(existing: .keep)
///     try output.stage(bytes, at: "out/cloud.ply")
///     let paths = try output.publish()
///
/// A process that is killed leaves at most files named `.plumbline-….partial`.
public struct OutputTransaction: ~Copyable {
  /// What happens to a file that already has the name of an output.
  public enum ExistingFiles: Sendable {
    /// It stays, and the transaction fails with ``OutputError/Reason/exists``.
    case keep
    /// It is replaced at once by the new one; a symbolic link is replaced, not followed.
    case replace
  }

  /// What is certain once ``publish()`` returns.
  public enum Durability: Sendable {
    /// The files are on the disk, even if the power fails.
    case synchronized
    /// The files are complete for every process, but may be lost with the power.
    case buffered
  }

  private struct Stage {
    let temporary: String
    let target: OutputPath
  }

  private let existing: ExistingFiles
  private let durability: Durability
  private let operations: FileOperations
  private var staged: [Stage] = []
  private var createdDirectories: [String] = []

  /// Starts without any file.
  public init(existing: ExistingFiles, durability: Durability = .synchronized) {
    self.init(existing: existing, durability: durability, operations: .system)
  }

  init(
    existing: ExistingFiles, durability: Durability = .synchronized, operations: FileOperations
  ) {
    self.existing = existing
    self.durability = durability
    self.operations = operations
  }

  deinit { Self.undo(staged.map(\.temporary), createdDirectories, operations) }

  /// Makes a folder unless it is there; it disappears again if the transaction is not published.
  ///
  /// - Throws: `.cannotCreate`, such as when the folder above it does not exist.
  public mutating func createDirectory(at path: String) throws(OutputError) {
    do throws(SystemFailure) {
      try operations.createDirectory(path)
      createdDirectories.append(path)
    } catch {
      if error.isExisting, (try? operations.kind(path)) == .directory { return }
      throw OutputError(.cannotCreate, path: path, detail: error.text)
    }
  }

  /// Writes a file under a temporary name.
  ///
  /// - Throws: `.exists` as early as possible, `.cannotCreate`, `.inputOutput`.
  public mutating func stage(_ bytes: [UInt8], at path: String) throws(OutputError) {
    try stage(at: path) { file throws(OutputError) in try file.write(bytes) }
  }

  /// Writes a file piece by piece under a temporary name, so that it need not fit into memory.
  ///
  /// - Throws: As ``stage(_:at:)``, and what `body` throws.
  public mutating func stage(
    at path: String, _ body: (borrowing StagedFile) throws(OutputError) -> Void
  ) throws(OutputError) {
    let target = try OutputPath(path)
    try requireFree(path)
    let (temporary, descriptor) = try create(beside: target)
    staged.append(Stage(temporary: temporary, target: target))
    let file = StagedFile(path: path, descriptor: descriptor, operations: operations)
    var failure: OutputError?
    do throws(OutputError) { try body(file) } catch { failure = error }
    do throws(SystemFailure) {
      if failure == nil, durability == .synchronized { try operations.synchronize(descriptor) }
    } catch { failure = OutputError(.inputOutput, path: path, detail: error.text) }
    do throws(SystemFailure) { try operations.close(descriptor) } catch {
      failure = failure ?? OutputError(.inputOutput, path: path, detail: error.text)
    }
    guard let failure else { return }
    // At once, so that publishing after a caught error cannot publish a part of a file.
    staged.removeLast()
    try? operations.remove(temporary)
    throw failure
  }

  /// Gives every staged file its name.
  ///
  /// - Returns: The names, in the order of staging.
  /// - Throws: `.exists`, `.cannotCreate` or `.inputOutput`; then no file of the set that is new
  ///   remains, and ``OutputError/replaced`` names those that could not be taken back.
  public mutating func publish() throws(OutputError) -> [String] {
    var created: [String] = []
    var replaced: [String] = []
    for (index, stage) in staged.enumerated() {
      do throws(SystemFailure) {
        if try publish(stage) {
          created.append(stage.target.path)
        } else {
          replaced.append(stage.target.path)
        }
      } catch {
        Self.undo(created + staged[index...].map(\.temporary), createdDirectories, operations)
        (staged, createdDirectories) = ([], [])
        var failure = OutputError(
          error.isExisting ? .exists : error == .inputOutput ? .inputOutput : .cannotCreate,
          path: stage.target.path, detail: error.isExisting ? Self.existsDetail : error.text)
        failure.replaced = replaced
        throw failure
      }
    }
    let targets = staged.map(\.target)
    (staged, createdDirectories) = ([], [])
    if durability == .synchronized { try synchronizeFolders(of: targets) }
    return targets.map(\.path)
  }

  private static let existsDetail = "it already exists"

  /// Renames a file; whether its name was free.
  private func publish(_ stage: Stage) throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      try operations.rename(stage.temporary, stage.target.path)
      return true
    } catch {
      guard error.isExisting, existing == .replace else { throw error }
      try operations.replace(stage.temporary, stage.target.path)
      return false
    }
  }

  private func synchronizeFolders(of targets: [OutputPath]) throws(OutputError) {
    var done: Set<String> = []
    for target in targets where done.insert(target.directory).inserted {
      do throws(SystemFailure) { try operations.synchronizeDirectory(target.directory) } catch {
        throw OutputError(.inputOutput, path: target.path, detail: error.text)
      }
    }
  }

  private func requireFree(_ path: String) throws(OutputError) {
    guard !staged.contains(where: { $0.target.path == path }) else {
      throw OutputError(.exists, path: path, detail: "two outputs have this name")
    }
    let kind: FileKind
    do throws(SystemFailure) { kind = try operations.kind(path) } catch {
      throw OutputError(.cannotCreate, path: path, detail: error.text)
    }
    switch kind {
    case .nothing: return
    case .file where existing == .replace: return
    case .file: throw OutputError(.exists, path: path, detail: Self.existsDetail)
    case .directory: throw OutputError(.cannotCreate, path: path, detail: "it is a folder")
    // Renaming onto /dev/null would take the device away from everybody.
    case .other: throw OutputError(.cannotCreate, path: path, detail: "it is not a regular file")
    }
  }

  private func create(
    beside target: OutputPath
  ) throws(OutputError) -> (path: String, descriptor: Int32) {
    while true {
      let temporary = target.temporary
      do throws(SystemFailure) { return (temporary, try operations.create(temporary)) } catch {
        // Another process drew the same 64 random bits: draw again.
        if error.isExisting { continue }
        throw OutputError(.cannotCreate, path: target.path, detail: error.text)
      }
    }
  }

  private static func undo(
    _ files: [String], _ directories: [String], _ operations: FileOperations
  ) {
    for file in files { try? operations.remove(file) }
    for directory in directories.reversed() { try? operations.removeDirectory(directory) }
  }
}
