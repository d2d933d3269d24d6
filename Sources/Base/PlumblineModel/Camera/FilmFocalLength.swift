/// A focal length from a photo's Exif, expressed as that of a 35 mm camera with the same diagonal
/// field of view.
public struct FilmFocalLength: Sendable, Hashable {
  /// The 35 mm equivalent in millimeters, finite and above 0.
  public var millimeters: Double
  /// One standard deviation as a fraction of the focal length.
  public var sigmaShare: Double
  /// The source of the focal length, in a few words.
  public var basis: String

  /// The diagonal of a frame of 36 mm × 24 mm.
  ///
  /// - Source: CIPA DCG-001-2018, 3.2.
  private static let filmDiagonal = (36.0 * 36 + 24 * 24).squareRoot()

  /// Takes the value of Exif's FocalLengthIn35mmFilm, which is in whole millimeters.
  ///
  /// The uncertainty is half a millimeter (2 % of 26 mm), and at least 1 %, since cameras of one
  /// model vary by about that much from the value that they all state.
  ///
  /// - Parameter wholeMillimeters: 1 to 10,000; `nil` for others.
  package init?(wholeMillimeters: Int) {
    guard (1...10_000).contains(wholeMillimeters) else { return nil }
    millimeters = Double(wholeMillimeters)
    sigmaShare = max(0.5 / millimeters, 0.01)
    basis = "FocalLengthIn35mmFilm of Exif, whole millimeters"
  }

  /// Converts a lens's own focal length with the pixel pitch of its sensor (FocalLength and
  /// FocalPlaneXResolution).
  ///
  /// The nominal focal length of a lens is rounded; this project assumes an uncertainty of 3 %.
  ///
  /// - Parameters:
  ///   - lensMillimeters: The lens's focal length.
  ///   - pixelsPerMillimeter: The sensor's pixels per millimeter, horizontally and vertically.
  ///   - size: The size of the image in these pixels.
  ///
  /// It is `nil` for an input that makes no sense, and for an equivalent outside 1 mm to 10 m.
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
  /// A camera with a 35 mm equivalent focal length, square pixels and the principal point at the
  /// image's center.
  ///
  /// The 26 mm of an iPhone 13 Pro give 3028.6 pixels; its calibration says 3032.6.
  ///
  /// - Parameters:
  ///   - millimeters: The focal length of a 35 mm camera with the same diagonal field of view.
  ///   - size: The size of the image as stored; it must not have been cropped.
  /// - Source: CIPA DC-008 (Exif 3.0), tag 0xA405, and CIPA DCG-001-2018, 3.2: equivalence is that
  ///   of diagonals; a frame of 36 mm × 24 mm has a diagonal of 43.27 mm.
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
