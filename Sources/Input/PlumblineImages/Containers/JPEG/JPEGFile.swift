package import PlumblineIO

/// A JPEG file as phones write it: a primary image, followed by further complete images.
///
/// The purpose of an image is known only from its own metadata, not from its position.
package struct JPEGFile: Sendable {
  /// The whole file.
  package let bytes: ArraySlice<UInt8>
  /// The images by their position in the file; the first is the primary image.
  package let images: [JPEGImage]
  /// The data after the last image.
  package let trailer: JPEGTrailer?
  /// The notes about the container, including those of each image.
  package let notes: [ContainerNote]

  /// The first image, which every viewer shows.
  package var primary: JPEGImage { images[0] }

  /// Whether bytes start with the signature of a JPEG file.
  package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF])
  }

  /// Finds the images of a file.
  ///
  /// Images are taken from valid entries of the multi-picture index, and from a scan for start
  /// markers in the remaining bytes. Real indices have wrong lengths (iPhone X: 224 bytes too few
  /// for the primary image), so every image ends at its end marker.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, first index 0.
  ///   - limits: The limits for reading.
  /// - Throws: `.malformed` when the file does not start as a JPEG file; `.limitExceeded`. Every
  ///   other problem becomes a note. Cost: O(*n*), one pass.
  package init(
    _ bytes: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes")
    guard Self.recognizes(bytes) else {
      throw CaptureReadingError(
        .malformed, offset: bytes.startIndex, expected: "a JPEG start marker (FFD8FF)",
        found: bytes.isEmpty ? "an empty file" : printable(bytes.prefix(3)))
    }
    var finder = JPEGImageFinder(bytes: bytes, limits: limits)
    try finder.find()
    self.bytes = bytes
    images = finder.images
    // Data after an image without an end marker cannot be separated from that image.
    let end = finder.images.last.flatMap { $0.isComplete ? $0.range.upperBound : nil }
    trailer = JPEGTrailer(bytes[(end ?? bytes.endIndex)...])
    var notes = finder.notes + finder.images.flatMap(\.notes)
    if let trailer { notes.append(trailer.note) }
    self.notes = notes
  }
}

/// The data after the last image of a JPEG file, by kind if it is known.
package struct JPEGTrailer: Sendable, Hashable {
  /// The known kinds of trailing data.
  package enum Kind: String, Sendable, CaseIterable {
    /// Only zero bytes.
    case zeros = "zero bytes"
    /// Samsung's list of extra data, which can contain a depth map in Samsung's own format.
    case samsung = "Samsung trailer (SEFT)"
    /// Huawei's extended depth-of-field data.
    case huawei = "Huawei trailer (edof)"
    /// Xiaomi's portrait data.
    case xiaomi = "Xiaomi trailer (PMPD)"
    /// A video in an ISO base-media container, as motion photos append it.
    case movie = "ISO base-media movie"
    /// Something else.
    case unknown = "unknown data"
  }

  /// The kind of data.
  package var kind: Kind
  /// The position of the data in the file.
  package var range: Range<Int>

  /// Identifies the bytes after the last image.
  ///
  /// - Returns: `nil` when there are none. O(*n*).
  ///
  /// Source of the signatures: phone formats as documented by ExifTool. These formats are only
  /// identified, not read.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    range = bytes.startIndex..<bytes.endIndex
    if bytes.allSatisfy({ $0 == 0 }) {
      kind = .zeros
    } else if bytes.suffix(4).elementsEqual("SEFT".utf8) {
      kind = .samsung
    } else if Self.contains("edof", bytes) {
      kind = .huawei
    } else if Self.contains("PMPD", bytes) {
      kind = .xiaomi
    } else if bytes.dropFirst(4).prefix(4).elementsEqual("ftyp".utf8) {
      kind = .movie
    } else {
      kind = .unknown
    }
  }

  /// The note about the data for a reader.
  package var note: ContainerNote {
    ContainerNote(
      kind == .zeros ? .trailingZeros : .trailer,
      "\(range.count) bytes follow the last image: \(kind.rawValue)", offset: range.lowerBound)
  }

  private static func contains(_ name: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    var wanted: UInt32 = 0
    for byte in name.utf8.prefix(4) { wanted = wanted << 8 | UInt32(byte) }
    var window: UInt32 = 0
    for byte in bytes {
      window = window << 8 | UInt32(byte)
      if window == wanted { return true }
    }
    return false
  }
}
