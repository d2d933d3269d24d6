import PlumblineModel
import PlumblineTestSupport
import Synchronization
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("Archives of many gigabytes")
struct ZIPLargeTests {
  /// An archive whose first file has more than 5 GB of zeros that are computed, not held.
  private final class Sparse: ByteSource {
    let byteCount: Int
    private let pieces: [Int: [UInt8]]
    /// The most bytes that were requested at a time, and all of them together.
    let asked = Mutex((most: 0, all: 0))

    init(pieces: [Int: [UInt8]]) {
      self.pieces = pieces
      byteCount = pieces.map { $0 + $1.count }.max() ?? 0
    }

    func bytes(in range: Range<Int>) throws(CaptureReadingError) -> [UInt8] {
      asked.withLock { $0 = (max($0.most, range.count), $0.all + range.count) }
      var bytes = [UInt8](repeating: 0, count: range.count)
      for (start, piece) in pieces {
        let shared = range.clamped(to: start..<(start + piece.count))
        for place in shared { bytes[place - range.lowerBound] = piece[place - start] }
      }
      return bytes
    }
  }

  /// A file to which nothing of a certain size is really written.
  private final class SparseFile: RecordingFile {
    private(set) var byteCount = 0
    private(set) var pieces: [Int: [UInt8]] = [:]

    func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError) {
      pieces[byteCount] = Array(bytes)
      byteCount += bytes.count
    }

    func skip(_ count: Int) { byteCount += count }
    func synchronize() throws(RecordingWritingError) {}
    func close() throws(RecordingWritingError) {}
  }

  @Test("Opens a video of 5 GB with 300 frames behind it, and reads a late one in little memory")
  func late() throws {
    let video = 5 << 30
    let file = SparseFile()
    // The video's header by hand: ZIP64 sizes in its extra field, a checksum that is not tested.
    var header: [UInt8] = [0x50, 0x4B, 3, 4, 45, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0, 0, 0, 0]
    header +=
      Array(repeating: 255, count: 8) + [7, 0, 20, 0] + Array("rgb.mp4".utf8) + [1, 0, 16, 0]
    let size = (0..<8).map { UInt8(truncatingIfNeeded: video >> (8 * $0)) }
    header += size + size
    try file.append(header[...])
    file.skip(video)
    var writer = ZIPWriter(file: file)
    for index in 0..<300 {
      try writer.add("depth/\(index).bin", Array(repeating: UInt8(index % 251), count: 2_000))
    }
    try writer.finish()
    let source = Sparse(pieces: file.pieces)
    #expect(source.byteCount > 5 << 30)

    // The writer's directory does not know the video; the frames lie beyond 4 GB.
    let archive = try ZIPArchive(source)
    #expect(archive.fileNames.count == 300)
    #expect(try archive.bytes(of: "287.bin") == Array(repeating: 36, count: 2_000))
    #expect(source.asked.withLock { $0.most } <= 1 << 20)
    #expect(source.asked.withLock { $0.all } < 1 << 20)

    // Cut off before the directory, the video is stepped over by its own header.
    let end = try #require(try ZIPDirectory.find(in: source)).range.lowerBound
    let cut = Sparse(pieces: file.pieces.filter { $0.key < end })
    let scanned = try ZIPArchive(cut)
    #expect(scanned.findings.map(\.code) == [.fileCutOff])
    #expect(scanned.fileNames.count == 301)
    #expect(try scanned.source(of: "rgb.mp4").byteCount == video)
    #expect(try scanned.bytes(of: "depth/299.bin") == Array(repeating: 48, count: 2_000))
    #expect(cut.asked.withLock { $0.all } < 1 << 20)
  }

  @Test("Writes and reads the fields of ZIP64 at their limits")
  func limits() throws {
    for start in [Int(UInt32.max) - 200, Int(UInt32.max) - 1, Int(UInt32.max), 6 << 30] {
      let file = SparseFile()
      file.skip(start)
      var writer = ZIPWriter(file: file)
      for name in ["a", "b", "c"] { try writer.add(name, Array(name.utf8)) }
      try writer.finish()
      let archive = try ZIPArchive(Sparse(pieces: file.pieces))
      for name in ["a", "b", "c"] { #expect(try archive.bytes(of: name) == Array(name.utf8)) }
    }
  }

  @Test("Streams a source of known size, its checksum first")
  func streaming() throws {
    // More than two of the pieces in which a source is copied.
    let bytes = Array(repeating: UInt8(5), count: 2_500_000) + [1, 2, 3]
    let output = MemoryOutput()
    var writer = ZIPWriter(file: try output.makeFile("a"))
    try writer.add("large", from: MemoryBytes(bytes))
    try writer.finish()
    let archive = try ZIPArchive(MemoryBytes(try output.folder.bytes(of: "a")))
    #expect(try archive.bytes(of: "large") == bytes)

    let full = MemoryOutput(capacity: 1 << 20)
    var failing = ZIPWriter(file: try full.makeFile("a"))
    #expect(throws: RecordingWritingError.self) {
      try failing.add("large", from: MemoryBytes(bytes))
    }
    var refusing = ZIPWriter(file: try MemoryOutput().makeFile("a"))
    try refusing.add("a", [1])
    for name in ["A", "../a", "/a", "b\\a", ""] {
      #expect(throws: RecordingWritingError.self, "\(name)") { try refusing.add(name, [1]) }
    }
  }
}
