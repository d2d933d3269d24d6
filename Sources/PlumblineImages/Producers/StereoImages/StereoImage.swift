public import PlumblineIO
public import PlumblineModel

/// One of the two images from which depth is computed, with all that its file says of its camera.
public struct StereoImage: Sendable {
  /// The sources of a camera's numbers.
  public enum CameraBasis: String, Sendable, CaseIterable {
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
  public var cameraBasis: CameraBasis?
  /// Where the camera stood in a frame that both images share, in meters; `nil` when not known.
  public var referenceFromCamera: RigidTransform?
  /// The device and software that took it.
  public var source: CaptureSource
  /// The findings of the reader.
  public var findings: [Finding]

  /// Creates an image of which only the pixels are known.
  public init(color: Raster<RGB8>, source: CaptureSource = CaptureSource()) {
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
