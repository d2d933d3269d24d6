package import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// The files of a ZIP archive, read one by one on demand.
///
/// Neither the archive nor its directory is ever loaded as a whole; the entries of 100,000 files
/// take about 20 MB. Archives that could write outside a folder or expand without bound are
/// rejected when they are opened, so that no other program unpacks contents that this one did not
/// see.
///
/// - Source: PKWARE APPNOTE.TXT 6.3.10; see `Documentation/formats/zip.md`.
package struct ZIPArchive: CaptureFolder {
  /// Findings about the archive, for example that its end is missing.
  package let findings: [Finding]
  private let source: any ByteSource
  private let limits: ReadingLimits
  private let entries: [String: ZIPEntry]
  /// The names of its files in ascending byte order.
  ///
  /// If all files lie in one folder, as when a folder was packed, names are relative to that
  /// folder. Files of the Finder (`__MACOSX`, `.DS_Store`) are omitted.
  package let fileNames: [String]

  /// Whether a file starts with the signature of an archive, including an empty one.
  package static func recognizes(_ start: some Collection<UInt8>) -> Bool {
    start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Reads the directory of an archive, also of 4 GB and more (ZIP64).
  ///
  /// A truncated archive has no directory; its files are then found one after another, and a
  /// finding reports it.
  ///
  /// - Throws: `.malformed` for names and records that no regular writer produces; `.unsupported`
  ///   for multi-part archives; `.limitExceeded`. Cost: the directory; for a truncated archive, a
  ///   read in each file.
  package init(
    _ source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    var findings: [Finding] = []
    var entries: [ZIPEntry]
    do throws(CaptureReadingError) {
      let directory = try ZIPDirectory.find(in: source)
      if let directory {
        entries = try directory.entries(of: source, limits: limits)
      } else {
        let scan = try ZIPScan(source, limits: limits)
        entries = scan.entries
        findings.append(scan.finding)
      }
      try ZIPRules.check(&entries, limits: limits)
    } catch {
      throw error.inside("ZIP")
    }
    let files = entries.filter { !$0.isFolder && !ZIPRules.isFinderFile($0.name) }
    let top = ZIPRules.commonFolder(of: files.map(\.name))
    var named: [String: ZIPEntry] = [:]
    for file in files {
      named[String(Substring(file.name.utf8.dropFirst(top.utf8.count)))] = file
    }
    self.findings = findings
    self.source = source
    self.limits = limits
    self.entries = named
    fileNames = named.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// All bytes of a file, with its checksum verified.
  ///
  /// - Throws: `.missing` for an unknown name; `.limitExceeded` over ``ReadingLimits/fileBytes``;
  ///   `.unsupported` for encryption and for methods other than stored and deflate; `.malformed`
  ///   for damage.
  package func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    let (entry, data) = try located(fileName)
    do throws(CaptureReadingError) {
      try limits.require(entry.count, atMost: limits.fileBytes, "bytes of file")
      let stored = try source.bytes(in: data)
      let bytes =
        entry.method == ZIPRecord.stored
        ? stored : try RawDeflate.inflated(stored[...], exactly: entry.count)
      let checksum = ZlibStream.crc32(bytes[...])
      guard checksum == entry.checksum else {
        throw CaptureReadingError(
          .malformed, offset: data.lowerBound,
          expected: "the checksum \(String(entry.checksum, radix: 16))",
          found: String(checksum, radix: 16))
      }
      return bytes
    } catch {
      throw error.inside(printable(text: fileName)).inside("ZIP")
    }
  }

  /// The first bytes of a file, without reading much more of it; the checksum is not verified.
  package func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    let (entry, data) = try located(fileName)
    do throws(CaptureReadingError) {
      if entry.method == ZIPRecord.stored {
        return try source.bytes(in: data.prefix(count))
      }
      let wanted = min(count, entry.count)
      // Usually as many compressed bytes suffice, plus about 300 for the tables before them.
      var size = count + 512
      while true {
        let start = try RawDeflate.prefix(
          of: source.bytes(in: data.prefix(size))[...], count: wanted)
        if start.count == wanted || size >= data.count { return start }
        size = min(data.count, 2 * size)
      }
    } catch {
      throw error.inside(printable(text: fileName)).inside("ZIP")
    }
  }

  /// A file for reading in pieces: a window on the archive if the file is stored, all of its bytes
  /// if it is deflated.
  ///
  /// The checksum of a window is not verified.
  package func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    let (entry, data) = try located(fileName)
    guard entry.method == ZIPRecord.stored else { return MemoryBytes(try bytes(of: fileName)) }
    return SourceWindow(source: source, start: data.lowerBound, byteCount: data.count)
  }

  /// The entry of a file and the position of its data, as confirmed by the local header.
  private func located(
    _ fileName: String
  ) throws(CaptureReadingError) -> (entry: ZIPEntry, data: Range<Int>) {
    guard let entry = entries[fileName] else {
      throw CaptureReadingError(
        .missing, path: ["ZIP"], expected: "the file \(printable(text: fileName))", found: "none")
    }
    do throws(CaptureReadingError) {
      return (entry, try ZIPLocalHeader.data(of: entry, in: source))
    } catch {
      throw error.inside(printable(text: fileName)).inside("ZIP")
    }
  }
}

/// A range of a source as a separate source.
struct SourceWindow: ByteSource {
  let source: any ByteSource
  let start: Int
  let byteCount: Int

  func bytes(in range: Range<Int>) throws(CaptureReadingError) -> [UInt8] {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= byteCount, "bytes \(range) of \(byteCount)")
    return try source.bytes(in: (start + range.lowerBound)..<(start + range.upperBound))
  }
}
