import PlumblineIO
import Testing

/// A plain reader of E57 files with one scan, written from the standard and not from the writer.
///
/// It checks what must hold in every file: the checksums of all pages, lengths, alignment, zeros
/// where nothing is, and that the index names every packet of points.
struct E57File {
  /// A packet of points: its physical offset, and a stream of bytes for each field.
  struct Packet {
    var offset: Int
    var length: Int
    var streams: [[UInt8]]
  }

  /// The bytes without checksums.
  let logical: [UInt8]
  /// The XML section.
  let xml: String
  /// The packets of points in their order.
  private(set) var packets: [Packet] = []
  /// What the leaves of the index name: a point and the physical offset of its packet.
  private(set) var entries: [(point: Int, offset: Int)] = []
  /// The levels of the index above its leaves.
  private(set) var indexLevel = 0

  init(_ bytes: [UInt8]) throws {
    try #require(bytes.count > 0 && bytes.count % 1024 == 0)
    logical = try Self.content(bytes)
    try #require(Array(logical.prefix(8)) == Array("ASTM-E57".utf8))
    try #require(Self.number(logical, 8, 4) == 1 && Self.number(logical, 12, 4) == 0)
    try #require(Self.number(logical, 16, 8) == bytes.count)
    try #require(Self.number(logical, 40, 8) == 1024)
    let xmlStart = try Self.logicalOffset(Self.number(logical, 24, 8))
    let xmlLength = Self.number(logical, 32, 8)
    try #require(xmlStart % 4 == 0 && xmlLength % 4 == 0)
    xml = String(decoding: logical[xmlStart..<xmlStart + xmlLength], as: UTF8.self)
    // After the XML section come the zeros of its page, and no further page.
    try #require(logical.count - xmlStart - xmlLength < 1020)
    try #require(isZero(xmlStart + xmlLength..<logical.count))
    try readSection(endingAt: xmlStart)
  }

  /// The bytes of a field over all packets.
  func stream(_ index: Int) -> [UInt8] { packets.flatMap { $0.streams[index] } }

  /// The text between the first tag that begins so and the next tag.
  func text(_ start: String) -> String? {
    guard let tag = xml.firstRange(of: "<" + start),
      let open = xml[tag.upperBound...].firstIndex(of: ">"),
      let end = xml[open...].firstIndex(of: "<")
    else { return nil }
    return String(xml[xml.index(after: open)..<end])
  }
}

extension E57File {
  /// The content of pages whose checksums are right.
  private static func content(_ bytes: [UInt8]) throws -> [UInt8] {
    let table = (0..<256).map { code in
      (0..<8).reduce(UInt32(code)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    var content: [UInt8] = []
    for page in stride(from: 0, to: bytes.count, by: 1024) {
      let part = bytes[page..<page + 1020]
      let checksum = ~part.reduce(UInt32.max) { crc, byte in
        crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
      }
      let stored = bytes[page + 1020..<page + 1024].reduce(0) { $0 << 8 | UInt32($1) }
      try #require(checksum == stored, "page at \(page)")
      content += part
    }
    return content
  }

  private static func logicalOffset(_ physical: Int) throws -> Int {
    try #require(physical % 1024 < 1020, "offset \(physical) is in a checksum")
    return physical / 1024 * 1020 + physical % 1024
  }

  private func isZero(_ range: Range<Int>) -> Bool { logical[range].allSatisfy { $0 == 0 } }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func readSection(endingAt end: Int) throws {
    let start = 48
    try #require(xml.contains(#"fileOffset="48""#))
    try #require(logical[start] == 1 && isZero(start + 1..<start + 8))
    try #require(Self.number(logical, start + 8, 8) == end - start)
    try #require(try Self.logicalOffset(Self.number(logical, start + 16, 8)) == start + 32)
    var offset = start + 32
    while offset < end, logical[offset] == 1 {
      let packet = try dataPacket(at: offset)
      packets.append(packet)
      offset += packet.length
    }
    // What follows are index packets, one after another up to the end.
    while offset < end {
      try #require(logical[offset] == 0)
      offset += Self.number(logical, offset + 2, 2) + 1
    }
    try #require(offset == end)
    let root = Self.number(logical, start + 24, 8)
    guard root > 0 else { return }
    indexLevel = Int(logical[try Self.logicalOffset(root) + 6])
    try readIndex(at: root, level: indexLevel)
  }

  private func dataPacket(at offset: Int) throws -> Packet {
    let length = Self.number(logical, offset + 2, 2) + 1
    let streamCount = Self.number(logical, offset + 4, 2)
    try #require(logical[offset + 1] == 0 && length % 4 == 0 && streamCount > 0)
    var next = offset + 6 + 2 * streamCount
    var streams: [[UInt8]] = []
    for stream in 0..<streamCount {
      let count = Self.number(logical, offset + 6 + 2 * stream, 2)
      streams.append(Array(logical[next..<next + count]))
      next += count
    }
    let padding = offset + length - next
    try #require((0..<4).contains(padding))
    try #require(isZero(next..<next + padding))
    return Packet(offset: offset / 1020 * 1024 + offset % 1020, length: length, streams: streams)
  }

  private mutating func readIndex(at physical: Int, level: Int) throws {
    let offset = try Self.logicalOffset(physical)
    let count = Self.number(logical, offset + 4, 2)
    try #require(Self.number(logical, offset, 2) == 0)
    try #require(Self.number(logical, offset + 2, 2) + 1 == 16 + 16 * count)
    try #require((level == 0 ? 1...2048 : 2...2048).contains(count))
    try #require(Int(logical[offset + 6]) == level)
    try #require(isZero(offset + 7..<offset + 16))
    for entry in 0..<count {
      let point = Self.number(logical, offset + 16 + 16 * entry, 8)
      let target = Self.number(logical, offset + 24 + 16 * entry, 8)
      if level == 0 {
        entries.append((point, target))
      } else {
        let next = entries.count
        try readIndex(at: target, level: level - 1)
        try #require(entries[next].point == point)
      }
    }
  }
}
