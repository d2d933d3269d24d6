public import PlumblineIO

/// A JPEG file as phones write it: a primary image, and further complete images behind it.
///
/// What an image is for is known from its own metadata, never by its position in the list.
public struct JPEGFile: Sendable {
  /// The whole file.
  public let bytes: ArraySlice<UInt8>
  /// The images by their position in the file; the first is the primary image.
  public let images: [JPEGImage]
  /// The data behind the last image.
  public let trailer: JPEGTrailer?
  /// The notes about the container, those of each image included.
  public let notes: [ContainerNote]

  /// The first image, which every viewer shows.
  public var primary: JPEGImage { images[0] }

  /// Whether bytes start as every JPEG file does.
  public static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF])
  }

  /// Finds the images of a file.
  ///
  /// Images come from the multi-picture index where its entries hold, and from scanning for start
  /// markers in whatever bytes remain. Real indices are wrong about lengths (iPhone X: 224 bytes
  /// too few for the primary image), so the end of every image is where its end marker is.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, first index 0.
  ///   - limits: What may be spent.
  /// - Throws: `.malformed` when the file does not start as a JPEG file; `.limitExceeded`.
  ///   Everything else is a note. Cost: O(*n*), one pass.
  public init(
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
    // Behind an image without end, what follows cannot be separated from the image.
    let end = finder.images.last.flatMap { $0.isComplete ? $0.range.upperBound : nil }
    trailer = JPEGTrailer(bytes[(end ?? bytes.endIndex)...])
    var notes = finder.notes + finder.images.flatMap(\.notes)
    if let trailer { notes.append(trailer.note) }
    self.notes = notes
  }
}
