extension PinholeIntrinsics {
  /// The camera that a focal length for 35 mm film means: square pixels, its axis in the middle of the
  /// image.
  ///
  /// An iPhone 13 Pro's 26 mm give 3028.6 pixels where its calibration says 3032.6.
  ///
  /// - Parameters:
  ///   - millimeters: The focal length of a 35 mm camera with the same diagonal field of view.
  ///   - size: The image as stored, not cropped since it was taken.
  /// - Source: CIPA DC-008 (Exif 3.0), tag 0xA405, and CIPA DCG-001-2018, 3.2: the equivalence is one
  ///   of diagonals; a frame of 36 mm × 24 mm has one of 43.27 mm.
  /// - Precondition: The focal length is finite and above 0, and the image has pixels.
  package init(filmMillimeters millimeters: Double, size: RasterSize) {
    let (width, height) = (Double(size.width), Double(size.height))
    let diagonal = (width * width + height * height).squareRoot()
    let film = (36.0 * 36 + 24 * 24).squareRoot()
    self.init(
      focalLength: SIMD2(repeating: millimeters * diagonal / film),
      principalPoint: [(width - 1) / 2, (height - 1) / 2], size: size)
  }
}
