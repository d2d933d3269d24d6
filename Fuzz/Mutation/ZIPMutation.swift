@testable import PlumblineIO
extension Mutation {
  /// An archive with one thing changed, whose checksums, sizes and offsets are right but for at most
  /// one that is wrong on purpose; `nil` where the bytes are no archive with a directory.
  public mutating func zip(_ bytes: [UInt8]) -> [UInt8]? {
    guard var archive = ArchiveParts(bytes) else { return nil }
    var lie: ArchiveParts.Lie?
    switch below(8) {
    case 0: changeOrder(of: &archive.entries)
    case 1:
      if let index = index(of: archive.entries) {
        archive.entries[index].name = changedName(archive.entries[index].name)
      }
    case 2:
      if let index = index(of: archive.entries) { changeKind(of: &archive.entries[index]) }
    case 3:
      archive.comment = changedBlindly(archive.comment)
      if once(in: 2) { archive.before = changedBlindly(archive.before) }
    case 4:
      if let index = index(of: archive.entries) {
        lie = ArchiveParts.Lie(
          entry: index, field: .allCases[below(ArchiveParts.Lie.Field.allCases.count)],
          value: awkwardNumber(near: UInt64(archive.entries[index].content.count)))
      }
    default:
      if let index = index(of: archive.entries) {
        let content = archive.entries[index].content
        archive.entries[index].content =
          once(in: 3) ? withAwkwardField(content, bigEndian: false) : changedBlindly(content)
      }
    }
    return archive.bytes(telling: lie)
  }

  private mutating func changedName(_ name: [UInt8]) -> [UInt8] {
    let awkward = [
      "../" + String(decoding: name, as: UTF8.self), "/etc/passwd", "", "a//b", "a/./b", "a/..",
      "\\a",
      "a\u{0}b", "A", "a", "a/", "é", "e\u{301}", String(repeating: "n", count: 300),
    ]
    return once(in: 3) ? changedBlindly(name) : Array(awkward[below(awkward.count)].utf8)
  }

  private mutating func changeKind(of entry: inout ArchiveParts.Entry) {
    switch below(4) {
    case 0: entry.isDeflated.toggle()
    case 1: entry.flags ^= 1 << UInt64(below(16))
    case 2: entry.externalAttributes = awkwardNumber(near: entry.externalAttributes)
    default: entry.extra = changedBlindly(entry.extra)
    }
  }
}

/// What an archive is put together from.
struct ArchiveParts {
  struct Entry {
    var name: [UInt8]
    var flags: UInt64
    var isDeflated: Bool
    var content: [UInt8]
    var extra: [UInt8]
    var externalAttributes: UInt64
  }

  /// A field of one entry that says something else than what is so.
  struct Lie {
    enum Field: CaseIterable {
      case checksum, packedSize, plainSize, localOffset, localPackedSize, nameCount, method
    }
    let entry: Int
    let field: Field
    let value: UInt64
  }

  /// Bytes before the first entry, as a self-extracting archive has.
  var before: [UInt8] = []
  var entries: [Entry] = []
  var comment: [UInt8] = []

  /// Takes an archive apart by its directory; entries of ZIP64 are left out.
  ///
  /// - Source: PKWARE APPNOTE 6.3.10, §4.3.7 (local header), §4.3.12 (directory), §4.3.16 (its end).
  init?(_ bytes: [UInt8]) {
    let end = stride(from: bytes.count - 22, through: max(0, bytes.count - 66_000), by: -1)
      .first { bytes.littleEndian(at: $0, width: 4) == 0x0605_4B50 }
    guard let end, let count = bytes.littleEndian(at: end + 10, width: 2),
      var place = bytes.littleEndian(at: end + 16, width: 4)
    else { return nil }
    comment = Array(bytes[(end + 22)...])
    for _ in 0..<min(count, 64) {
      guard bytes.littleEndian(at: place, width: 4) == 0x0201_4B50,
        let header = bytes.run(at: place, count: 46),
        let nameCount = header.littleEndian(at: 28, width: 2),
        let extraCount = header.littleEndian(at: 30, width: 2),
        let commentCount = header.littleEndian(at: 32, width: 2),
        let name = bytes.run(at: place + 46, count: nameCount)
      else { break }
      if let entry = Self.entry(header: header, name: name, in: bytes) { entries.append(entry) }
      place += 46 + nameCount + extraCount + commentCount
    }
    guard !entries.isEmpty else { return nil }
  }

  private static func entry(header: [UInt8], name: [UInt8], in bytes: [UInt8]) -> Entry? {
    guard let flags = header.littleEndian(at: 8, width: 2),
      let method = header.littleEndian(at: 10, width: 2), method == 0 || method == 8,
      let packedCount = header.littleEndian(at: 20, width: 4),
      let plainCount = header.littleEndian(at: 24, width: 4), plainCount < 1 << 20,
      let attributes = header.littleEndian(at: 38, width: 4),
      let local = header.littleEndian(at: 42, width: 4),
      let localName = bytes.littleEndian(at: local + 26, width: 2),
      let localExtra = bytes.littleEndian(at: local + 28, width: 2),
      let extra = bytes.run(at: local + 30 + localName, count: localExtra),
      let packed = bytes.run(at: local + 30 + localName + localExtra, count: packedCount)
    else { return nil }
    var content = packed
    if method == 8 {
      guard let plain = try? RawDeflate.inflated(packed[...], exactly: plainCount) else {
        return nil
      }
      content = plain
    }
    return Entry(
      name: name, flags: UInt64(flags), isDeflated: method == 8, content: content, extra: extra,
      externalAttributes: UInt64(attributes))
  }

  /// The archive with everything right but for the lie.
  func bytes(telling lie: Lie?) -> [UInt8] {
    var output = before
    var directory: [UInt8] = []
    func number(_ value: UInt64, _ width: Int) -> [UInt8] {
      [UInt8](value, width: width, bigEndian: false)
    }
    for (index, entry) in entries.enumerated() {
      func told(_ field: Lie.Field, _ truth: UInt64) -> UInt64 {
        if let lie, lie.entry == index, lie.field == field { lie.value } else { truth }
      }
      let packed =
        entry.isDeflated ? RawDeflate.deflated(entry.content, level: 1) : entry.content
      let hasDescriptor = entry.flags & 8 != 0
      let offset = UInt64(output.count)
      let checksum = number(told(.checksum, crc32(entry.content)), 4)
      let packedSize = number(told(.packedSize, UInt64(packed.count)), 4)
      let plainSize = number(told(.plainSize, UInt64(entry.content.count)), 4)
      let method = number(told(.method, entry.isDeflated ? 8 : 0), 2)
      // Version, flags, method, time and date: what the local header and the directory share.
      let shared = number(20, 2) + number(entry.flags, 2) + method + number(0x5821_6000, 4)
      let nameCount = number(told(.nameCount, UInt64(entry.name.count)), 2)
      let counts = nameCount + number(UInt64(entry.extra.count), 2)
      output += [0x50, 0x4B, 3, 4] + shared
      output +=
        hasDescriptor
        ? number(0, 12)
        : checksum + number(told(.localPackedSize, UInt64(packed.count)), 4) + plainSize
      output += counts + entry.name + entry.extra + packed
      if hasDescriptor { output += [0x50, 0x4B, 7, 8] + checksum + packedSize + plainSize }
      directory += [0x50, 0x4B, 1, 2] + number(0x031E, 2) + shared + checksum + packedSize
      directory += plainSize + nameCount + number(0, 8) + number(entry.externalAttributes, 4)
      directory += number(told(.localOffset, offset), 4) + entry.name
    }
    let start = UInt64(output.count)
    let count = number(UInt64(entries.count), 2)
    let end = [0x50, 0x4B, 5, 6] + number(0, 4) + count + count
    return output + directory + end + number(UInt64(directory.count), 4) + number(start, 4)
      + number(UInt64(comment.count), 2) + comment
  }
}
