public import PlumblineModel

/// The camera of an image, and the source of its focal length.
public struct PhotoCamera: Sendable, Hashable {
  /// The sources of a focal length, best first.
  public enum Source: String, Sendable, CaseIterable {
    /// The capture's own calibration, or one that the user gave.
    case calibration
    /// The focal length in Exif: the 35 mm equivalent, else the lens's on a stated sensor.
    case exif
    /// An assumption of the model, which nothing in the photo confirms.
    case assumed
    /// Not known.
    case unknown
  }

  /// The camera of the image as stored; `nil` where nothing is known of it.
  public var calibration: CameraCalibration?
  /// The source of its focal length.
  public var source: Source
  /// The focal length that Exif states; `nil` for other sources.
  public private(set) var exifFocal: FilmFocalLength?

  /// One standard deviation of the focal length as a share of it; `nil` where the calibration states it,
  /// or nothing is known.
  ///
  /// - Source: for Exif, that of ``FilmFocalLength``. For an assumed focal length 25 %, an assumption of this
  ///   project: it fits a main camera (24 to 28 mm), while tele and ultra-wide cameras differ by a factor of
  ///   two.
  package var focalSigmaShare: Double? {
    switch source {
    case .calibration, .unknown: nil
    case .exif: exifFocal?.sigmaShare
    case .assumed: 0.25
    }
  }

  /// The ± of a focal length that is not measured, for the depth map that is made with it; `nil` as
  /// ``focalSigmaShare``.
  var uncertainty: CalibrationUncertainty? {
    guard let share = focalSigmaShare, let calibration else { return nil }
    return CalibrationUncertainty(
      focalLengthPixels: calibration.intrinsics.focalLength * share,
      basis: exifFocal?.basis ?? "a focal length that the model assumes")
  }

  /// Creates a camera from a calibration, or one of which nothing is known.
  public init(_ calibration: CameraCalibration?) {
    self.calibration = calibration
    source = calibration == nil ? .unknown : .calibration
  }

  /// The camera with the focal length that Exif states, its axis in the middle of the image.
  ///
  /// - Parameters:
  ///   - focal: What Exif states.
  ///   - size: The image as stored, not cropped since it was taken.
  /// - Precondition: The image has pixels.
  package init(exif focal: FilmFocalLength, size: RasterSize) {
    calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(filmMillimeters: focal.millimeters, size: size))
    source = .exif
    exifFocal = focal
  }

  /// A camera whose axis is in the middle of the image.
  init(focalLengthPixels: Double, size: RasterSize, _ source: Source) {
    calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: focalLengthPixels),
        principalPoint: [Double(size.width - 1) / 2, Double(size.height - 1) / 2], size: size))
    self.source = source
  }

  /// The camera that a model assumes, at the image's size; `nil` for a model that assumes none.
  ///
  /// The image's pixels are taken to be square, which a stretching placement cannot keep: the
  /// mean of both scales is used.
  static func assumed(_ focalLengthPixels: Double?, _ placement: InputPlacement) -> PhotoCamera? {
    guard let focalLengthPixels, focalLengthPixels > 0, focalLengthPixels.isFinite else {
      return nil
    }
    let scale = (placement.scale.x * placement.scale.y).squareRoot()
    return PhotoCamera(
      focalLengthPixels: focalLengthPixels / scale, size: placement.imageSize, .assumed)
  }
}
