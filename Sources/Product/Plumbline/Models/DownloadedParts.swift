import PlumblineIO
import PlumblineInference

/// The parts of a file that is being fetched: files of a folder in their order, all but the last of one
/// length.
///
/// A part has its name only after its bytes are on the disk.
struct DownloadedParts {
  /// The folder, which is made with the first part.
  let folder: String
  private let partBytes: Int
  private let store: ModelStore
  private var counts: [Int] = []
  private let operations = FileOperations.system

  /// The bytes of all parts.
  var byteCount: Int { counts.reduce(0, +) }
  /// The number of parts.
  var count: Int { counts.count }
  /// Whether there is no part.
  var isEmpty: Bool { counts.isEmpty }

  /// Looks at what is there; parts behind one that is absent or cut off do not count.
  ///
  /// - Throws: ``InferenceError`` for a part that cannot be read.
  init(folder: String, partBytes: Int, store: ModelStore) throws(InferenceError) {
    self.folder = folder
    self.partBytes = partBytes
    self.store = store
    let names = Set(StoreFiles.names(in: folder))
    while names.contains(name(of: counts.count)) {
      let count = try ModelFile(path: path(of: counts.count)).bytes.count
      guard count > 0, count <= partBytes else { break }
      counts.append(count)
      if count < partBytes { break }
    }
  }

  /// Whether all of the file is there: so many bytes, or where that is not known a last part that is
  /// shorter than the others.
  func isComplete(of known: Int?) -> Bool {
    if let known { return byteCount >= known }
    return counts.last.map { $0 < partBytes } ?? false
  }

  /// Adds a part.
  ///
  /// - Throws: A failure in words where the disk takes it not.
  mutating func append(_ bytes: [UInt8]) throws(AddressRequest.Failure) {
    guard !bytes.isEmpty else { return }
    let path = path(of: counts.count)
    do throws(OutputError) {
      var output = OutputTransaction(existing: .replace)
      try output.createStoreFolder(folder, of: store)
      try output.stage(bytes, at: path)
      _ = try output.publish()
    } catch { throw .other("a part cannot be written: \(error)") }
    counts.append(bytes.count)
  }

  /// Puts a part at its place; one that is there already stays, and others from there on go.
  ///
  /// A server that knows no parts sends those again that are on the disk.
  mutating func put(_ bytes: [UInt8], at index: Int) throws(AddressRequest.Failure) {
    if index < counts.count, counts[index] == bytes.count,
      (try? ModelFile(path: path(of: index)))?.bytes == bytes
    {
      return
    }
    try removeAll(from: index)
    try append(bytes)
  }

  /// Removes the parts from one on.
  mutating func removeAll(from index: Int) throws(AddressRequest.Failure) {
    while counts.count > index { try removeLast() }
  }

  /// Removes the last part.
  mutating func removeLast() throws(AddressRequest.Failure) {
    guard !counts.isEmpty else { return }
    do throws(SystemFailure) { try operations.remove(path(of: counts.count - 1)) } catch {
      throw .other("a part cannot be removed: \(error.text)")
    }
    counts.removeLast()
  }

  /// Removes all parts and their folder.
  mutating func removeAll() throws(AddressRequest.Failure) {
    counts = []
    guard StoreFiles.isFolder(folder) else { return }
    do throws(OutputError) { try StoreFiles.remove(folder) } catch {
      throw .other("the parts cannot be removed: \(error)")
    }
  }

  /// The whole file.
  func bytes() throws(AddressRequest.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    for index in counts.indices {
      do throws(InferenceError) { bytes += try ModelFile(path: path(of: index)).bytes } catch {
        throw .other("a part cannot be read: \(error)")
      }
    }
    return bytes
  }

  private func name(of index: Int) -> String {
    let digits = "\(index)"
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".part"
  }

  private func path(of index: Int) -> String { "\(folder)/\(name(of: index))" }
}
