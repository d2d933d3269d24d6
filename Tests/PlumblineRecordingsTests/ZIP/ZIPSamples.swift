import PlumblineRecordings
import PlumblineTestSupport

/// Archives made by hand, byte by byte, so that each field can lie.
struct ZIPBuilder {
  /// A file of an archive, with every field that a test may want to be wrong.
  struct File {
    var name: String
    var bytes: [UInt8] = [1, 2, 3]
    var localName: String?
    var flags = 0
    var method = 0
    var checksumChange: UInt32 = 0
    var sizeChange = 0
    var mode = 0o100644
    var offsetChange = 0
  }

  var files: [File]
  var countChange = 0
  var comment: [UInt8] = []

  /// The archive; all files stored.
  func bytes() -> [UInt8] {
    var output: [UInt8] = []
    var directory: [UInt8] = []
    for file in files {
      let offset = output.count
      let checksum = ZIPBuilder.checksum(file.bytes)
      output += number(0x0403_4B50, 4) + number(20, 2) + number(file.flags, 2)
      output += number(file.method, 2) + number(0, 2) + number(33, 2)
      output += number(Int(checksum), 4) + number(file.bytes.count, 4) + number(file.bytes.count, 4)
      let localName = Array((file.localName ?? file.name).utf8)
      output += number(localName.count, 2) + number(0, 2) + localName + file.bytes
      directory += number(0x0201_4B50, 4) + number(0x0314, 2) + number(20, 2)
      directory += number(file.flags, 2) + number(file.method, 2) + number(0, 2) + number(33, 2)
      directory += number(Int(checksum &+ file.checksumChange), 4)
      directory += number(file.bytes.count, 4) + number(file.bytes.count + file.sizeChange, 4)
      directory += number(file.name.utf8.count, 2) + number(0, 2) + number(0, 2) + number(0, 4)
      directory += number(file.mode << 16, 4) + number(offset + file.offsetChange, 4)
      directory += file.name.utf8
    }
    let start = output.count
    output += directory + number(0x0605_4B50, 4) + number(0, 4)
    output += number(files.count + countChange, 2) + number(files.count + countChange, 2)
    output += number(directory.count, 4) + number(start, 4) + number(comment.count, 2)
    return output + comment
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// CRC-32 bit by bit (ISO 3309), the slow twin of zlib's.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}

/// Files of several kinds and sizes for archives.
enum ZIPSamples {
  static let files: [String: [UInt8]] = {
    var random = SeededGenerator(seed: 9)
    let noise = (0..<70_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return [
      "metadata": Array("{\"w\": 4}".utf8), "empty": [], "rgbd/0.depth": noise,
      "rgbd/1.depth": Array(repeating: 7, count: 300_000), "rgbd/10.depth": Array(noise.prefix(99)),
      "ünïcode ☃.txt": Array("snow".utf8),
    ]
  }()

  /// The archive that the library writes of them.
  static func archive(
    _ method: ZIPWriter.Method = .stored, alignment: Int = 1
  ) throws -> [UInt8] {
    let output = MemoryOutput()
    var writer = ZIPWriter(file: try output.makeFile("a.zip"))
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      try writer.add(name, bytes, method: method, alignment: alignment)
    }
    try writer.finish()
    return try output.folder.bytes(of: "a.zip")
  }
}
