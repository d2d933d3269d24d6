public import PlumblineIO
public import PlumblineModel

/// Reads the images of a pair: from two files, or from one that holds both.
///
/// ```swift
/// let (left, right) = try StereoImageReader().pair(from: bytes)
/// ```
package struct StereoImageReader: Sendable {
  /// The limits of memory and work for reading.
  package var limits: ReadingLimits
  /// The maximum number of threads for tiles; the result does not depend on it.
  package var threads: Int

  /// Creates a reader.
  ///
  /// - Precondition: At least one thread.
  package init(limits: ReadingLimits = ReadingLimits(), threads: Int = 2) {
    precondition(threads >= 1, "\(threads) threads cannot read")
    self.limits = limits
    self.threads = threads
  }

  /// Reads one image: a HEIC or JPEG photo, with the calibration of its depth map where it has
  /// one, a PNG, a TIFF, a PGM or a PPM.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The image as stored.
  /// - Throws: Where and why the bytes cannot be read.
  package func image(from bytes: [UInt8]) throws(CaptureReadingError) -> StereoImage {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of file")
    if PNGImage.recognizes(bytes.prefix(64)) {
      let image = try PNGImage(bytes[...], maximumPixels: limits.colorPixels, limits: limits)
      return StereoImage(color: image.colorRaster)
    }
    if NetpbmImage.recognizes(bytes.prefix(64)) {
      let image = try NetpbmImage(bytes[...], maximumPixels: limits.colorPixels, limits: limits)
      return StereoImage(color: image.colorRaster)
    }
    if TIFFImage.recognizes(bytes.prefix(64)) {
      let file = try TIFFColorImage(
        bytes[...], maximumPixels: limits.colorPixels, limits: limits)
      var image = StereoImage(color: file.color)
      image.orientation = file.orientation
      if file.isFollowed {
        image.findings.append(
          Finding(
            .imageFurtherPages, .note,
            "the file holds more than one image, of which the first was read",
            evidence: "a TIFF directory that names another"))
      }
      return image
    }
    switch FileSignature(bytes) {
    case .heif, .jpeg: return try photo(bytes)
    case .empty: throw Self.unreadable("an empty file", .malformed)
    case .ply: throw Self.unreadable("a PLY file")
    case .json: throw Self.unreadable("a JSON text")
    case .other(let name): throw Self.unreadable(name)
    }
  }

  /// Reads both images of one file: a spatial photo, or a JPEG of two views (MPO).
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The images as stored.
  /// - Throws: `.missing` for a file with one image; else where and why the bytes cannot be read.
  package func pair(
    from bytes: [UInt8]
  ) throws(CaptureReadingError) -> (left: StereoImage, right: StereoImage) {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of file")
    switch FileSignature(bytes) {
    case .heif: return try spatialPhoto(bytes)
    case .jpeg: return try viewsOfJPEG(bytes)
    case .empty: throw Self.unreadable("an empty file", .malformed)
    case .ply, .json, .other: throw Self.oneImage("no HEIC or JPEG photo")
    }
  }

  private static func unreadable(
    _ found: String, _ reason: CaptureReadingError.Reason = .unsupported
  ) -> CaptureReadingError {
    CaptureReadingError(
      reason, offset: 0, expected: "an image (HEIC, JPEG, PNG, TIFF, PGM or PPM)", found: found)
  }

  /// What a file lacks that holds one image.
  static func oneImage(_ found: String) -> CaptureReadingError {
    CaptureReadingError(
      .missing,
      expected: "a file that holds two images (a spatial photo, an MPO, or two side by side), or "
        + "two files", found: found, need: .sideBySide)
  }

  private func photo(_ bytes: [UInt8]) throws(CaptureReadingError) -> StereoImage {
    var reader = CaptureReader(limits: limits, threads: threads)
    reader.readsCompanions = false
    let capture = try reader.capture(from: bytes)
    guard let color = capture.color else {
      throw CaptureReadingError(
        .missing, expected: "a color image", found: capture.findings.first?.message ?? "none")
    }
    var image = StereoImage(color: color, source: capture.source)
    image.orientation = capture.colorOrientation
    image.findings = capture.findings
    let stored = capture.colorSize ?? color.size
    if let record = capture.depth, let calibration = record.calibration,
      record.orientation == capture.colorOrientation,
      calibration.intrinsics.matchesAspect(of: stored)
    {
      let camera = calibration.scaled(to: stored)
      // A shown part (clap) was cut out; the calibration counts the pixels around it.
      let aperture = shownPart(of: bytes)
      image.camera = aperture.map { camera.cropped(to: $0) } ?? camera
      image.cameraBasis = .calibration
      image.referenceFromCamera = calibration.extrinsics?.referenceFromCamera
    } else if let camera = ExifMetadata(photo: bytes, limits: limits)?.camera(of: color.size) {
      image.camera = CameraCalibration(intrinsics: camera)
      image.cameraBasis = .exif
    }
    return image
  }

  /// The part of a HEIC photo's stored pixels that is shown; `nil` for all of them.
  private func shownPart(of bytes: [UInt8]) -> PixelRectangle? {
    guard FileSignature(bytes) == .heif, let file = try? HEIFFile(bytes: bytes, limits: limits)
    else { return nil }
    return try? HEIFShape(of: file.primaryItemID, in: file).cleanAperture
  }
}

extension StereoImageReader {
  /// The first two views of a multi-picture JPEG, as 3D cameras write them (MPO).
  ///
  /// - Source: CIPA DC-007 §5.2.3.3: images of the type *multi-view, disparity* are in the order of
  ///   their viewpoints, from left to right.
  func viewsOfJPEG(
    _ bytes: [UInt8]
  ) throws(CaptureReadingError) -> (left: StereoImage, right: StereoImage) {
    let file = try JPEGFile(bytes[...], limits: limits)
    // Depth maps, mattes and gain maps are smaller than the image, or gray.
    let views = file.images.filter { image in
      image.frame?.size == file.primary.frame?.size && image.frame != nil
        && (image.frame?.components.count == file.primary.frame?.components.count)
    }
    guard views.count >= 2 else {
      throw Self.oneImage("a JPEG with one view")
    }
    let exif = file.primary.exif.flatMap { try? ExifMetadata(tiff: $0, limits: limits) }
    func view(_ stored: JPEGImage) throws(CaptureReadingError) -> StereoImage {
      _ = try stored.checkedFrame(maximumPixels: limits.colorPixels, limits: limits)
      let decoded = try stored.color(scale: .full, limits: limits)
      let remapping = ColorRemapping.toSRGB(
        profile: stored.iccProfile ?? file.primary.iccProfile, nil)
      var view = StereoImage(
        color: remapping?.applied(to: decoded.raster) ?? decoded.raster,
        source: CaptureSource(exif, accuracy: nil, isStereo: true))
      view.findings = decoded.notes.map { Finding($0) }
      view.orientation = exif?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .up
      if let camera = exif?.camera(of: decoded.raster.size) {
        view.camera = CameraCalibration(intrinsics: camera)
        view.cameraBasis = .exif
      }
      return view
    }
    return (try view(views[0]), try view(views[1]))
  }
}

/// One of the two images from which depth is computed, with all that its file says of its camera.
public struct StereoImage: Sendable {
  /// The sources of a camera's numbers.
  package enum CameraBasis: String, Sendable, CaseIterable {
    /// A calibration of the image itself, or of its depth map.
    case calibration
    /// The focal length that Exif states, rounded by its writer to whole millimeters; the principal
    /// point is the middle.
    case exif
  }

  /// The pixels as stored.
  public var color: Raster<RGB8>
  /// How they must be turned to be upright.
  public var orientation: ImageOrientation
  /// The camera at the size of the image; `nil` when the file says nothing.
  public var camera: CameraCalibration?
  /// The source of the camera's numbers; `nil` without them.
  package var cameraBasis: CameraBasis?
  /// Where the camera stood in a frame that both images share, in meters; `nil` when not known.
  public var referenceFromCamera: RigidTransform?
  /// The device and software that took it.
  public var source: CaptureSource
  /// The findings of the reader.
  public var findings: [Finding]

  /// Creates an image of which only the pixels are known.
  package init(color: Raster<RGB8>, source: CaptureSource = CaptureSource()) {
    self.color = color
    self.source = source
    orientation = .up
    findings = []
  }

  /// The left and the right half of an image that holds two side by side; O(*n*).
  ///
  /// Nothing that the file says of a camera holds for the halves but who took them.
  /// - Throws: `.unsupported` for an image of an odd number of columns, `.malformed` for one of
  ///   fewer than two.
  public func sideBySide() throws(CaptureReadingError) -> (
    left: StereoImage, right: StereoImage
  ) {
    guard color.width >= 2, color.width % 2 == 0, color.height > 0 else {
      throw CaptureReadingError(
        .unsupported, expected: "two images of one width side by side",
        found: "\(color.width) columns")
    }
    let half = color.width / 2
    func part(_ x: Int) -> StereoImage {
      var part = StereoImage(
        color: color.cropped(to: PixelRectangle(x: x, y: 0, width: half, height: color.height)),
        source: source)
      part.findings = x == 0 ? findings : []
      return part
    }
    return (part(0), part(half))
  }
}

extension ExifMetadata {
  /// The pinhole camera of an image that was not cropped, by the focal length that Exif states; `nil`
  /// without one.
  package func camera(of size: RasterSize) -> PinholeIntrinsics? {
    guard let focal = filmFocalLength, size.pixelCount > 0 else { return nil }
    return PinholeIntrinsics(filmMillimeters: focal.millimeters, size: size)
  }
}
