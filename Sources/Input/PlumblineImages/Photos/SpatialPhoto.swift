import PlumblineIO
package import PlumblineModel

/// Two images of one scene from two cameras side by side, before they are written as a spatial
/// photo.
///
/// Both are upright and rectified: their rows correspond, and the right camera is to the right of
/// the left one by the baseline.
package struct SpatialPhoto: Sendable {
  /// The left eye's image.
  package var left: Raster<RGB8>
  /// The right eye's image, of the same size.
  package var right: Raster<RGB8>
  /// The pinhole camera of both, at the images' size.
  package var intrinsics: PinholeIntrinsics
  /// The distance between the cameras in millimeters, above 0.
  package var baselineMillimeters: Double
  /// Exif, XMP and ICC of both; its orientation is not written.
  package var metadata: PhotoMetadata

  /// Creates a photo.
  ///
  /// - Precondition: Both images and the camera have the same size, and the baseline is finite and
  ///   above 0.
  package init(
    left: Raster<RGB8>, right: Raster<RGB8>, intrinsics: PinholeIntrinsics,
    baselineMillimeters: Double, metadata: PhotoMetadata = PhotoMetadata()
  ) {
    precondition(left.size == right.size, "images of \(left.size) and \(right.size)")
    precondition(intrinsics.size == left.size, "a camera of \(intrinsics.size) for \(left.size)")
    precondition(
      baselineMillimeters.isFinite && baselineMillimeters > 0,
      "a baseline of \(baselineMillimeters)")
    self.left = left
    self.right = right
    self.intrinsics = intrinsics
    self.baselineMillimeters = baselineMillimeters
    self.metadata = metadata
  }
}

/// Writes spatial photos in the form of Vision Pro's HEIC files: two images, their roles, and the
/// positions of the cameras.
///
/// - Source: ISO/IEC 23008-12 §6.8.5 for the group; the camera boxes were found in a real file, see
///   `Documentation/formats/heif.md`. Whether Apple's programs accept the files is not known.
package struct SpatialPhotoWriter: Sendable {
  /// Creates a writer.
  package init() {}

  /// The whole file.
  ///
  /// - Parameters:
  ///   - photo: The images; empty ones cannot be written.
  ///   - options: The coding of the images.
  /// - Returns: The whole file.
  /// - Throws: `.encoder` if no program can encode images, `.unrepresentable` for empty images,
  ///   sides above 65,535 pixels, focal lengths of at least twice the width, and baselines above 2
  ///   km.
  package func bytes(
    of photo: SpatialPhoto, options: PhotoWritingOptions = PhotoWritingOptions()
  ) throws(PhotoWritingError) -> [UInt8] {
    let coder = try HEVCImageCoder(options.hevc, threads: options.threads)
    let camera = try Self.camera(photo.intrinsics)
    let micrometers = (photo.baselineMillimeters * 1000).rounded()
    guard micrometers >= 1, micrometers < 0x1p31 else {
      throw .unrepresentable(
        format: "HEIC", place: "camera position", expected: "a baseline from 1 µm to 2 km",
        found: "\(photo.baselineMillimeters) mm")
    }
    var draft = HEIFDraft.new()
    var items: [HEIFItemID] = []
    for (image, place) in [(photo.left, 0), (photo.right, Int(micrometers))] {
      // The left camera is the origin, which has no coordinates.
      var position: [UInt8] = [0, 0, 0, place == 0 ? 0 : 1]
      if place != 0 { position.appendBigEndian(place, bytes: 4) }
      items.append(
        try draft.addImage(
          image, orientation: nil, photo.metadata, quality: options.colorQuality, coder,
          furtherUses: [
            ("uuid", Self.userType(HEIFCameraPosition.draftUserType) + position, false),
            ("uuid", Self.userType(HEIFCameraIntrinsics.draftUserType) + camera, false),
          ]))
    }
    draft.primaryItem = items[0]
    let group = draft.freeItemID()
    // Groups and items share their numbers, so groups get higher ones.
    var body: [UInt8] = [0, 0, 0, 0]
    for number in [Int(group), 2, Int(items[0]), Int(items[1])] {
      body.appendBigEndian(number, bytes: 4)
    }
    draft.groups = [HEIFDraft.box("ster", body)]
    draft.reservedIDs.insert(group)
    for item in items {
      if let exif = photo.metadata.exif { draft.addExif(exif, of: item) }
      if let packet = photo.metadata.xmp { draft.addXMP(packet, of: item) }
    }
    return try draft.bytes()
  }

  /// Version, flags and the camera as fractions of the image with the denominator 2³⁰.
  private static func camera(
    _ intrinsics: PinholeIntrinsics
  ) throws(PhotoWritingError) -> [UInt8] {
    let (width, height) = (Double(intrinsics.size.width), Double(intrinsics.size.height))
    // The principal point is relative to the corner of the first pixel.
    var fractions = [
      intrinsics.focalLength.x / width, (intrinsics.principalPoint.x + 0.5) / width,
      (intrinsics.principalPoint.y + 0.5) / height,
    ]
    // A second focal length without skew, if pixels are not square.
    let isSquare =
      abs(intrinsics.focalLength.x - intrinsics.focalLength.y)
      < 1e-6 * intrinsics.focalLength.x
    if !isSquare { fractions += [intrinsics.focalLength.y / height, 0] }
    var bytes: [UInt8] = [0, 0, 30, isSquare ? 0 : 1]
    for fraction in fractions {
      guard abs(fraction) < 2 else {
        throw .unrepresentable(
          format: "HEIC", place: "camera", expected: "less than twice the image's side",
          found: "\(fraction) of it")
      }
      bytes.appendBigEndian(Int((fraction * 0x1p30).rounded(.toNearestOrAwayFromZero)), bytes: 4)
    }
    return bytes
  }

  /// The sixteen bytes of a user type in hexadecimal.
  private static func userType(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { $0 > 0x39 ? $0 - 0x57 : $0 - 0x30 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
