import PlumblineIO
package import PlumblineImages

/// Two images of one scene, read from one file or two.
package struct StereoInput {
  /// The left image.
  package let left: StereoImage
  /// The right image.
  package let right: StereoImage
  /// The name that outputs carry.
  package let fileName: String
  /// The SHA-256 of the file; `nil` of two files.
  package let sha256: String?

  /// Reads both images.
  ///
  /// - Parameters:
  ///   - leftPath: The left image, or a file of both.
  ///   - rightPath: The right image; `nil` where one file holds both.
  ///   - isSideBySide: Whether one image holds both, the left one in its left half.
  ///   - threads: The most threads.
  /// - Returns: Both images with the name of the pair.
  /// - Throws: ``InputError``; ``CaptureReadingError``, which of two files says which.
  package static func read(
    left leftPath: String, right rightPath: String?, isSideBySide: Bool, threads: Int
  ) throws -> StereoInput {
    let reader = StereoImageReader(threads: threads)
    let name = lastPathPart(leftPath)
    let first = try InputFile(path: leftPath)
    if let rightPath {
      let second = try InputFile(path: rightPath)
      return StereoInput(
        left: try image(of: first, by: reader), right: try image(of: second, by: reader),
        fileName: "\(name) + \(lastPathPart(rightPath))", sha256: nil)
    }
    let pair =
      isSideBySide
      ? try reader.image(from: first.bytes).sideBySide() : try reader.pair(from: first.bytes)
    return StereoInput(
      left: pair.left, right: pair.right, fileName: name,
      sha256: SHA256Digest.hexadecimal(of: first.bytes))
  }

  private static func image(
    of file: InputFile, by reader: StereoImageReader
  ) throws(CaptureReadingError) -> StereoImage {
    do throws(CaptureReadingError) {
      return try reader.image(from: file.bytes)
    } catch {
      throw error.inside(printable(text: lastPathPart(file.path)))
    }
  }
}
