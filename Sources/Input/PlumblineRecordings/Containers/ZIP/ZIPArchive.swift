package import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// The files of a ZIP archive, read one by one where they are needed.
///
/// Neither the archive nor its directory is ever held whole; a directory of 100,000 files takes
/// some 20 MB. What could write outside a folder, or grow without bound, is refused when the archive is
/// opened, so that another program cannot unpack what this one did not see.
///
/// - Source: PKWARE APPNOTE.TXT 6.3.10; see `Documentation/formats/zip.md`.
package struct ZIPArchive: CaptureFolder {
  /// What is odd about the archive, such as an end that is cut off.
  package let findings: [Finding]
  private let source: any ByteSource
  private let limits: ReadingLimits
  private let entries: [String: ZIPEntry]
  /// The names of its files in ascending order of their bytes.
  ///
  /// Where all of them lie in one folder, as when a folder was packed, they are named from there.
  /// What the Finder adds (`__MACOSX`, `.DS_Store`) is left out.
  package let fileNames: [String]

  /// Whether a file starts as archives do, an empty one included.
  package static func recognizes(_ start: some Collection<UInt8>) -> Bool {
    start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Reads the directory of an archive, of 4 GB and more too (ZIP64).
  ///
  /// An archive that was cut off has no directory; its files are then found one behind the other,
  /// and a finding says so.
  ///
  /// - Throws: `.malformed` for names and records that no honest writer makes; `.unsupported` for
  ///   archives of several parts; `.limitExceeded`. Cost: the directory; where that is cut off, a
  ///   look at each file.
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

  /// All bytes of a file, its checksum tested.
  ///
  /// - Throws: `.missing` for a name that is not there; `.limitExceeded` over
  ///   ``ReadingLimits/fileBytes``; `.unsupported` for encryption and methods other than stored and
  ///   deflate; `.malformed` for damage.
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

  /// The first bytes of a file, without reading much more of it; their checksum cannot be tested.
  package func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    let (entry, data) = try located(fileName)
    do throws(CaptureReadingError) {
      if entry.method == ZIPRecord.stored {
        return try source.bytes(in: data.prefix(count))
      }
      let wanted = min(count, entry.count)
      // Most often as many compressed bytes are enough, and the tables before them have some 300.
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

  /// A file for reading piece by piece: a window on the archive where it is stored, all of its
  /// bytes where it is deflated.
  ///
  /// The checksum of a window is not tested.
  package func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    let (entry, data) = try located(fileName)
    guard entry.method == ZIPRecord.stored else { return MemoryBytes(try bytes(of: fileName)) }
    return SourceWindow(source: source, start: data.lowerBound, byteCount: data.count)
  }

  /// A file's entry and the position of its data, as its local header confirms them.
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

/// Some bytes of a source as a source of their own.
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
