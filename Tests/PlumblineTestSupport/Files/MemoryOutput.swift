import PlumblineIO
package import PlumblineStreams
import Synchronization

/// A folder that writers of recordings fill in memory, and that can run full like a disk.
package final class MemoryOutput: RecordingOutput {
  private let files = Mutex<[String: [UInt8]]>([:])
  private let capacity: Int

  /// An empty folder.
  ///
  /// - Parameter capacity: Bytes of all files together; the append that would exceed it writes what
  ///   fits and fails, as a disk does.
  package init(capacity: Int = .max) { self.capacity = capacity }

  /// What was written so far, for readers.
  package var folder: MemoryFolder { MemoryFolder(files.withLock { $0 }) }

  /// Makes an empty file.
  package func makeFile(_ path: String) throws(RecordingWritingError) -> any RecordingFile {
    let isNew = files.withLock { files in
      guard files[path] == nil else { return false }
      files[path] = []
      return true
    }
    guard isNew else {
      throw .output(path: path, detail: "it already exists", reason: .exists)
    }
    return File(path: path, output: self)
  }

  private func append(_ bytes: ArraySlice<UInt8>, to path: String) -> Bool {
    files.withLock { files in
      let used = files.values.reduce(0) { $0 + $1.count }
      let room = min(bytes.count, capacity - used)
      files[path, default: []] += bytes.prefix(room)
      return room == bytes.count
    }
  }

  private final class File: RecordingFile {
    private let path: String
    private let output: MemoryOutput
    private(set) var byteCount = 0
    private var isClosed = false

    init(path: String, output: MemoryOutput) {
      self.path = path
      self.output = output
    }

    func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError) {
      precondition(!isClosed, "\(path) is closed")
      guard output.append(bytes, to: path) else {
        throw .output(path: path, detail: "No space left on device", reason: .inputOutput)
      }
      byteCount += bytes.count
    }

    func synchronize() throws(RecordingWritingError) {}

    func close() throws(RecordingWritingError) { isClosed = true }
  }
}
