package import PlumblineIO
package import PlumblineModel

extension StereoImageReader {
  /// Both images of a `ster` group, with their cameras.
  package func spatialPhoto(
    _ bytes: [UInt8]
  ) throws(CaptureReadingError) -> (left: StereoImage, right: StereoImage) {
    let file = try HEIFFile(bytes: bytes, limits: limits)
    guard let pair = file.stereoPair else {
      throw Self.oneImage("a HEIC file without a stereo pair (group ster)")
    }
    guard pair.left.itemID != pair.right.itemID else {
      throw CaptureReadingError(
        .malformed, path: ["grpl", "ster"], expected: "two images",
        found: "item \(pair.left.itemID) twice")
    }
    var left = try image(of: pair.left, in: file)
    let right = try image(of: pair.right, in: file)
    guard left.orientation == right.orientation else {
      throw CaptureReadingError(
        .unsupported, path: ["item \(pair.right.itemID)"], expected: "two images turned alike",
        found: "\(left.orientation) and \(right.orientation)")
    }
    if let block = try? file.exif(of: file.primaryItemID),
      let exif = try? ExifMetadata(tiff: block, limits: limits)
    {
      left.source = CaptureSource(exif, accuracy: nil, isStereo: true)
    }
    return (left, right)
  }

  private func image(
    of view: HEIFStereoPair.View, in file: HEIFFile
  ) throws(CaptureReadingError) -> StereoImage {
    let path = ["item \(view.itemID)"]
    let shape = try HEIFShape(of: view.itemID, in: file)
    let decoder = HEIFImageDecoder(file, threadCount: threads)
    var stored = try decoder.color(of: view.itemID).pixels
    if let remapping = try file.colorsToSRGB(of: view.itemID, file.limits) {
      stored = remapping.applied(to: stored)
    }
    try shape.requireInside(stored.size, of: view.itemID)
    var image = StereoImage(
      color: stored, source: CaptureSource(camera: .stereo, interface: .photo))
    image.orientation = shape.orientation
    if let intrinsics = view.intrinsics {
      guard let camera = intrinsics.camera(of: stored.size) else {
        throw CaptureReadingError(
          .malformed, path: path, expected: "the intrinsics of a camera",
          found: "a focal length of \(intrinsics.focalLengthPerWidth) widths")
      }
      image.camera = CameraCalibration(intrinsics: camera)
      image.cameraBasis = .calibration
    }
    if let position = view.position {
      guard !position.isRotated else {
        throw CaptureReadingError(
          .unsupported, path: path, expected: "cameras that look in one direction",
          found: "a rotation (cmex), whose sense no file has shown yet")
      }
      let millimeters = SIMD3(
        position.xInMillimeters, position.yInMillimeters, position.zInMillimeters)
      image.referenceFromCamera = RigidTransform(
        rotation: .identity, translation: millimeters / 1000)
    }
    if let aperture = shape.cleanAperture {
      image.color = stored.cropped(to: aperture)
      image.camera = image.camera?.cropped(to: aperture)
    }
    return image
  }
}

extension HEIFCameraIntrinsics {
  /// The camera of an image of a size; `nil` where no camera can have these numbers.
  ///
  /// Positions count from the edge of the image, half a pixel before the first pixel's center.
  package func camera(of size: RasterSize) -> PinholeIntrinsics? {
    let (width, height) = (Double(size.width), Double(size.height))
    let focal = focalLengthPerWidth * width
    return PinholeIntrinsics(
      columnMajor: [
        focal, 0, 0, 0, focalLengthPerHeight.map { $0 * height } ?? focal, 0,
        principalPointPerWidth * width, principalPointPerHeight * height, 1,
      ], size: size, grid: .cornerBased)
  }
}
