import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("ZIP archives")
struct ZIPArchiveTests {
  let names = [
    "empty", "metadata", "rgbd/0.depth", "rgbd/1.depth", "rgbd/10.depth", "ünïcode ☃.txt",
  ]

  private func check(_ archive: ZIPArchive, _ comment: Comment) throws {
    #expect(archive.fileNames == names, comment)
    for (name, bytes) in ZIPSamples.files {
      #expect(try archive.bytes(of: name) == bytes, comment)
      #expect(try archive.firstBytes(of: name, count: 50) == Array(bytes.prefix(50)), comment)
      #expect(try archive.firstBytes(of: name, count: 1 << 20) == bytes, comment)
      let source = try archive.source(of: name)
      #expect(source.byteCount == bytes.count, comment)
      let middle = (bytes.count / 3)..<(bytes.count / 2)
      #expect(try source.bytes(in: middle) == Array(bytes[middle]), comment)
    }
  }

  @Test("Returns what was written, stored and deflated, and the same bytes every time")
  func roundTrip() throws {
    for method in [ZIPWriter.Method.stored, .deflated(level: 1), .deflated(level: 9)] {
      let bytes = try ZIPSamples.archive(method)
      #expect(try bytes == ZIPSamples.archive(method))
      let archive = try ZIPArchive(MemoryBytes(bytes))
      try check(archive, "\(method)")
      #expect(archive.findings.isEmpty)
      // A comment behind the end record, with a false end record in it.
      let comment: [UInt8] = [0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 40)
      let commented = Array(bytes.dropLast(2)) + [44, 0] + comment
      try check(try ZIPArchive(MemoryBytes(commented)), "comment")
    }
    #expect(try ZIPArchive(MemoryBytes(ZIPBuilder(files: []).bytes())).fileNames.isEmpty)
    let error = #expect(throws: CaptureReadingError.self) {
      try ZIPArchive(MemoryBytes(ZIPSamples.archive())).bytes(of: "rgbd/2.depth")
    }
    #expect(error?.reason == .missing)
  }

  @Test("Starts files where it is asked to, and reads them there", arguments: [1, 3, 64, 4096])
  func alignment(alignment: Int) throws {
    let bytes = try ZIPSamples.archive(alignment: alignment)
    try check(try ZIPArchive(MemoryBytes(bytes)), "\(alignment)")
    var place = 0
    var count = 0
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[place + offset + $1]) << (8 * $1) }
    }
    while number(0, 4) == Int(ZIPRecord.localHeader) {
      let start = 30 + number(26, 2) + number(28, 2)
      #expect((place + start) % alignment == 0)
      // No more than the gap and the four bytes that a field takes.
      #expect(number(28, 2) < alignment + 4)
      place += start + number(18, 4)
      count += 1
    }
    #expect(count == ZIPSamples.files.count)
  }

  @Test(
    "Reads what Python packs, and Python reads what is written here",
    .enabled(if: PythonPeer.has("zipfile"), "no Python: set PLUMBLINE_PYTHON"))
  func peer() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in ZIPSamples.files {
      try DiskFolderWriter.put(bytes, at: "in/\(name)", in: folder)
    }
    _ = try PythonPeer.run("zip_samples.py", folder.path)
    for name in ["stored", "deflated", "in-folder", "zip64", "piped", "piped-stored"] {
      let bytes = try #require(folder.bytes("\(name).zip"))
      let archive = try ZIPArchive(MemoryBytes(bytes))
      #expect(archive.findings.isEmpty)
      try check(archive, "\(name)")
      // Without its directory, every file is still found.
      let end = try #require(try ZIPDirectory.find(in: MemoryBytes(bytes))).range.lowerBound
      let cut = try ZIPArchive(MemoryBytes(Array(bytes[..<end])))
      #expect(cut.findings.map(\.code) == [.fileCutOff])
      try check(cut, "\(name), cut")
    }
    let other = try ZIPArchive(MemoryBytes(try #require(folder.bytes("bzip2.zip"))))
    let error = #expect(throws: CaptureReadingError.self) { try other.bytes(of: "metadata") }
    #expect(error?.reason == .unsupported)

    let kinds: [(ZIPWriter.Method, Int)] = [
      (.stored, 1), (.deflated(level: 6), 1), (.stored, 64), (.deflated(level: 6), 4096),
    ]
    for (method, alignment) in kinds {
      try folder.put(try ZIPSamples.archive(method, alignment: alignment), at: "own.zip")
      let list = try PythonPeer.run("zip_samples.py", "list", folder.file("own.zip"))
      let expected = ZIPSamples.files.sorted { $0.key < $1.key }.map { name, bytes in
        let digits = String(ZIPBuilder.checksum(bytes), radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return "\(name) \(bytes.count) \(padded) 1980\n"
      }
      #expect(String(decoding: list, as: UTF8.self) == expected.joined())
    }
  }

  @Test("Reads an archive that was cut off up to its last whole file")
  func cutOff() throws {
    let files = (0..<30).map { ZIPBuilder.File(name: "rgbd/\($0).depth", bytes: Array(0...99)) }
    let bytes = ZIPBuilder(files: files).bytes()
    // 42 or 43 bytes of header and 100 of data each.
    let ends = (0...30).map { 142 * $0 + max(0, $0 - 10) }
    for count in ByteDamage.truncations(of: bytes.count, steps: 97) {
      let whole = ends.count { $0 <= count } - 1
      guard let archive = try? ZIPArchive(MemoryBytes(Array(bytes[..<count]))) else {
        #expect(whole == 0)
        continue
      }
      #expect(archive.findings.map(\.code) == [.fileCutOff])
      #expect(archive.fileNames.count == whole)
      for name in archive.fileNames { #expect(try archive.bytes(of: name) == Array(0...99)) }
    }
  }

  @Test("Ends with files or an error, whatever is damaged")
  func corruption() throws {
    let files = (0..<12).map { ZIPBuilder.File(name: "rgbd/\($0).depth", bytes: Array(0...99)) }
    let bytes = ZIPBuilder(files: files).bytes()
    var refused = 0
    for seed in 0..<600 {
      let damaged = ByteDamage.flipped(bytes, seed: UInt64(seed))
      do {
        let archive = try ZIPArchive(MemoryBytes(damaged))
        for name in archive.fileNames {
          _ = try archive.source(of: name)
          // The checksum holds whatever reading lets through.
          #expect(try archive.bytes(of: name) == Array(0...99), "\(seed)")
        }
      } catch {
        refused += 1
      }
    }
    #expect(refused > 300)
  }
}

/// Writes files in folders below a temporary one.
enum DiskFolderWriter {
  static func put(_ bytes: [UInt8], at name: String, in folder: TemporaryFolder) throws {
    if let slash = name.lastIndex(of: "/") {
      try FileManager.default.createDirectory(
        atPath: folder.file(String(name[..<slash])), withIntermediateDirectories: true)
    }
    try folder.put(bytes, at: name)
  }
}
