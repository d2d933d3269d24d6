/// A focal length as a photo's Exif states it, given as that of a 35 mm camera with the same diagonal field
/// of view.
public struct FilmFocalLength: Sendable, Hashable {
  /// The 35 mm equivalent in millimeters, finite and above 0.
  public var millimeters: Double
  /// One standard deviation as a share of it.
  public var sigmaShare: Double
  /// The source of the focal length, in a few words.
  public var basis: String

  /// The diagonal of a frame of 36 mm × 24 mm.
  ///
  /// - Source: CIPA DCG-001-2018, 3.2.
  private static let filmDiagonal = (36.0 * 36 + 24 * 24).squareRoot()

  /// What Exif says in whole millimeters (FocalLengthIn35mmFilm).
  ///
  /// Half a millimeter is taken for the ±, 2 % of 26 mm, and 1 % at least: cameras of one kind differ by as
  /// much from what they all state.
  ///
  /// - Parameter wholeMillimeters: 1 to 10,000; `nil` for others.
  package init?(wholeMillimeters: Int) {
    guard (1...10_000).contains(wholeMillimeters) else { return nil }
    millimeters = Double(wholeMillimeters)
    sigmaShare = max(0.5 / millimeters, 0.01)
    basis = "FocalLengthIn35mmFilm of Exif, whole millimeters"
  }

  /// What a lens's own focal length means on a sensor whose pixels have a stated pitch (FocalLength with
  /// FocalPlaneXResolution).
  ///
  /// A lens's name rounds its focal length; 3 % are taken for the ±, an assumption of this project.
  ///
  /// - Parameters:
  ///   - lensMillimeters: The lens's focal length.
  ///   - pixelsPerMillimeter: Pixels of the sensor in a millimeter, across and down.
  ///   - size: The image in these pixels.
  ///
  /// It is `nil` where a number makes no sense, and for equivalents outside of 1 mm to 10 m.
  package init?(
    lensMillimeters: Double, pixelsPerMillimeter: SIMD2<Double>, size: RasterSize
  ) {
    let side = SIMD2(Double(size.width), Double(size.height)) / pixelsPerMillimeter
    let diagonal = (side.x * side.x + side.y * side.y).squareRoot()
    let film = lensMillimeters * Self.filmDiagonal / diagonal
    guard lensMillimeters > 0, pixelsPerMillimeter.min() > 0, size.pixelCount > 0, film.isFinite,
      (1...10_000).contains(film)
    else { return nil }
    millimeters = film
    sigmaShare = 0.03
    basis = "FocalLength and FocalPlaneXResolution of Exif"
  }
}

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
