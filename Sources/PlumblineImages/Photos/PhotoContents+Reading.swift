public import PlumblineIO

extension PhotoContents {
  /// Reads a photo whole: all of it that can be written again, as the stored pixels lie.
  ///
  /// Codes of depth stay what they are, so that reading and writing never drift. Metadata are the blocks
  /// of the file as they stand; nothing in them is interpreted but the orientation.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, HEIC or JPEG.
  ///   - reader: Limits and threads; whatever it asks of color, all of it is decoded.
  /// - Throws: As ``CaptureReader/capture(from:)`` does; `.unsupported` for other files, `.malformed` too
  ///   where the image, or a depth map that is there, cannot be read.
  public init(
    reading bytes: [UInt8], reader: CaptureReader = CaptureReader()
  ) throws(CaptureReadingError) {
    try reader.limits.require(bytes.count, atMost: reader.limits.fileBytes, "bytes of file")
    switch FileSignature(bytes) {
    case .jpeg: try self.init(jpeg: bytes, reader)
    case .heif: try self.init(heif: bytes, reader)
    case .ply, .json, .other, .empty:
      throw CaptureReadingError(
        .unsupported, offset: 0, expected: "a HEIC or JPEG photo",
        found: bytes.isEmpty ? "an empty file" : printable(bytes.prefix(4)))
    }
  }
}
