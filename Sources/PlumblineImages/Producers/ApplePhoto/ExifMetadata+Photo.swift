extension ExifMetadata {
  /// Reads the Exif of a photo's main image; `nil` for other files, damaged ones and those without it.
  ///
  /// - Parameters:
  ///   - photo: The whole file.
  ///   - limits: What reading may spend.
  public init?(photo: [UInt8], limits: ReadingLimits = ReadingLimits()) {
    let found: ExifMetadata?
    switch FileSignature(photo) {
    case .jpeg:
      let file = try? JPEGFile(photo[...], limits: limits)
      found = try? file?.primary.exifMetadata(limits: limits)
    case .heif:
      let file = try? HEIFFile(bytes: photo, limits: limits)
      let block = file.flatMap { try? $0.exif(of: $0.primaryItemID) }
      found = block.flatMap { try? ExifMetadata(tiff: $0, limits: limits) }
    case .ply, .json, .other, .empty: found = nil
    }
    guard let found else { return nil }
    self = found
  }
}
