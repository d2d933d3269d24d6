import PlumblineExport
package import PlumblineIO
package import PlumblineImages
package import PlumblineModel
package import PlumblineStereo

extension StereoReconstructor {
  /// Sets the geometry of two cameras as a user states it.
  ///
  /// - Parameters:
  ///   - focal: The focal length in pixels of the images; `nil` where it is not stated.
  ///   - baseline: The distance between the cameras in meters.
  ///   - offset: The right principal point's column minus the left one's, in pixels, of rectified images.
  ///   - isRectified: Whether the images' rows agree already.
  package mutating func state(
    focal: StatedNumber?, baseline: StatedNumber?, offset: StatedNumber?, isRectified: Bool
  ) {
    focalLengthPixels = focal?.value
    focalSigmaPixels = focal?.sigma
    baselineMeters = baseline?.value
    baselineSigmaMeters = baseline?.sigma
    guard isRectified else { return }
    var geometry = RectifiedGeometry(
      focalLengthPixels: focal?.value, baselineMeters: baseline?.value, offsetPixels: offset?.value)
    geometry.focalSigmaPixels = focal?.sigma
    geometry.baselineSigmaMeters = baseline?.sigma
    geometry.offsetSigmaPixels = offset?.sigma
    rectified = geometry
  }

  /// Sets from how many directions costs are summed: 4, 5 or 8.
  ///
  /// - Returns: Whether it is one of these.
  package mutating func sumCosts(ofDirections count: Int) -> Bool {
    switch count {
    case 4: paths = .four
    case 5: paths = .five
    case 8: paths = .eight
    default: return false
    }
    return true
  }

  /// The megapixels to which rectified images may be reduced; 0 is for images as they are.
  package static let megapixels = 0.0...128
  /// The megapixels where a user says nothing.
  package static let usualMegapixels = 3.0

  /// Sets the size to which larger rectified images are reduced, in megapixels; 0 for as they are.
  package mutating func reduce(toMegapixels megapixels: Double) {
    maximumPixels = megapixels == 0 ? .max : max(1, Int(megapixels * 1e6))
  }
}

extension StereoCalibration {
  /// Reads a calibration of two cameras from a file, or from OpenCV's two: intrinsics, then
  /// extrinsics.
  ///
  /// - Parameters:
  ///   - paths: One or two files.
  ///   - size: The size of the images, for files that do not say it.
  /// - Throws: `InputError` for a file, `CalibrationFileError` for what is in it.
  package init(paths: [String], imageSize size: RasterSize) throws {
    let files = try paths.map { try InputFile(path: $0) }
    do throws(CalibrationReadingError) {
      self = try StereoCalibrationFile(
        parsing: files.first?.bytes ?? [], extrinsics: files.dropFirst().first?.bytes,
        imageSize: size
      ).calibration
    } catch {
      throw CalibrationFileError(path: paths.joined(separator: ", "), error: error)
    }
  }
}

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

extension StereoResult {
  /// Writes the files of a result and its recording into a folder, all or none.
  ///
  /// - Returns: Their paths.
  package func published(
    in folder: String, _ existing: OutputTransaction.ExistingFiles
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: folder)
    _ = try transaction.stage(files(), in: folder, as: .depth)
    try transaction.stage(recording(), at: path("capture.mcap", in: folder))
    return try transaction.publish()
  }
}
