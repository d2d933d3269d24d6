import PlumblineImages
import PlumblineIO

/// The rules for an archive's entries, checked before any entry is read.
enum ZIPRules {
  /// Checks all entries against the rules and sets the limit at which each must end.
  ///
  /// - Throws: `.malformed` for names that lead out of the folder, links, duplicate names and
  ///   entries that share bytes; `.limitExceeded` for contents that would expand without bound.
  ///   O(*n* log *n*).
  static func check(
    _ entries: inout [ZIPEntry], limits: ReadingLimits
  ) throws(CaptureReadingError) {
    try limits.require(entries.count, atMost: limits.archiveEntries, "entries of an archive")
    var names: Set<String> = []
    names.reserveCapacity(entries.count)
    var total = 0
    for entry in entries {
      do throws(CaptureReadingError) {
        try checkName(entry)
        try checkSizes(entry, limits: limits)
        // Case-insensitive file systems would keep one of the two; Swift's equality also treats
        // both Unicode spellings of an accented letter as equal.
        guard names.insert(entry.name.lowercased()).inserted else {
          throw CaptureReadingError(
            .malformed, offset: entry.headerOffset, expected: "names that differ",
            found: "one that is there twice")
        }
        // Neither is above 2⁶².
        total += entry.count
        try limits.require(total, atMost: limits.archiveBytes, "unpacked bytes of an archive")
      } catch {
        throw error.inside(printable(text: entry.name.prefix(80)))
      }
    }
    try separate(&entries)
  }

  private static func checkName(_ entry: ZIPEntry) throws(CaptureReadingError) {
    func refuse(_ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, offset: entry.headerOffset,
        expected: "the path of a regular file inside the archive", found: found)
    }
    let name = entry.nameBytes
    if name.isEmpty { throw refuse("no name") }
    if name.contains(0) { throw refuse("a name with a zero byte") }
    if name.contains(UInt8(ascii: "\\")) { throw refuse("a name with a backslash") }
    if name[0] == UInt8(ascii: "/") { throw refuse("an absolute path") }
    if name.count >= 2, name[1] == UInt8(ascii: ":"), isLetter(name[0]) {
      throw refuse("the letter of a drive")
    }
    if name.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
      throw refuse("a path with “..”")
    }
    // Relative to the folder above it, the part after an empty one would be an absolute path.
    if zip(name, name.dropFirst()).contains(where: { $0 == 0x2F && $1 == 0x2F }) {
      throw refuse("a path with an empty part")
    }
    // S_IFMT: 0 (not given), regular files and folders are allowed; all else is rejected.
    switch entry.unixMode & 0xF000 {
    case 0, 0x8000, 0x4000: break
    case 0xA000: throw refuse("a symbolic link")
    default: throw refuse("a special file of type \(entry.unixMode >> 12)")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  private static func checkSizes(
    _ entry: ZIPEntry, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    if entry.method == ZIPRecord.stored {
      // An encrypted entry has twelve bytes before its data.
      guard entry.count == entry.compressedCount || entry.flags & ZIPRecord.isEncrypted != 0 else {
        throw CaptureReadingError(
          .malformed, offset: entry.headerOffset,
          expected: "a stored file of \(entry.count) bytes",
          found: "\(entry.compressedCount) bytes")
      }
      return
    }
    try limits.require(entry.count, atMost: limits.archiveInflatedBytes, "bytes of one file")
    // A confidence map of equal bytes compresses 756:1 and is harmless, so small files are allowed.
    let (bound, overflow) = entry.compressedCount.multipliedReportingOverflow(
      by: limits.archiveRatio)
    guard overflow || entry.count <= max(bound, limits.archiveRatioBytes) else {
      throw CaptureReadingError(
        .limitExceeded, offset: entry.headerOffset,
        expected: "at most \(limits.archiveRatio) bytes from each compressed one",
        found: "\(entry.count) from \(entry.compressedCount)")
    }
  }

  /// Rejects entries that share bytes, with which a small archive could expand without bound.
  private static func separate(_ entries: inout [ZIPEntry]) throws(CaptureReadingError) {
    let order = entries.indices.sorted {
      (entries[$0].headerOffset, $0) < (entries[$1].headerOffset, $1)
    }
    for (index, next) in zip(order, order.dropFirst()) {
      let entry = entries[index]
      let least = ZIPRecord.localHeaderSize + entry.nameBytes.count + entry.compressedCount
      let end = entries[next].headerOffset
      guard end - entry.headerOffset >= least else {
        throw CaptureReadingError(
          .malformed, path: [printable(text: entry.name.prefix(80))], offset: entry.headerOffset,
          expected: "\(least) bytes of its own",
          found: "“\(printable(text: entries[next].name.prefix(80)))” at byte \(end)")
      }
      entries[index].endOffset = end
    }
  }

  /// Whether it is a file that macOS adds to archives and folders.
  static func isFinderFile(_ name: String) -> Bool {
    name.hasPrefix("__MACOSX/") || name == ".DS_Store" || name.hasSuffix("/.DS_Store")
  }

  /// The folder, with its `/`, that contains all files; empty if there is none.
  static func commonFolder(of names: [String]) -> String {
    // It compares bytes, as all name comparisons do; see pathParts.
    guard let first = names.first, let slash = first.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      return ""
    }
    let folder = first.utf8[...slash]
    let isCommon = names.allSatisfy {
      $0.utf8.count > folder.count && $0.utf8.starts(with: folder)
    }
    return isCommon ? String(Substring(folder)) : ""
  }
}
