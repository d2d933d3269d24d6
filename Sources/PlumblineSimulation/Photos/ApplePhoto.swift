import PlumblineImages
public import PlumblineModel

/// The contents of an iPhone's photo file, before it is written.
public struct ApplePhoto: Sendable {
  /// The depth or disparity map as stored.
  public struct DepthImage: Sendable {
    /// The codes.
    public var codes: Raster<UInt8>
    /// The rule from codes to values.
    public var quantization: LinearQuantization
    /// Whether values are meters; otherwise they are 1/m.
    public var isDepth = false
    /// The accuracy that the file states.
    public var accuracy = DepthRecord.Accuracy.absolute
    /// Whether the file says that holes were filled.
    public var isFiltered = true
    /// The file's own rating.
    public var quality = "high"
    /// What the file claims about the camera, at its own reference size; `nil` leaves it out.
    public var calibration: CameraCalibration?

    /// Creates an image from its codes.
    public init(codes: Raster<UInt8>, quantization: LinearQuantization) {
      self.codes = codes
      self.quantization = quantization
    }

    /// Creates the image that stores a measurement, its calibration at a reference size.
    public init(_ measurement: SensorMeasurement, calibration: CameraCalibration) {
      (codes, quantization) = measurement.quantized()
      accuracy = measurement.accuracy
      isFiltered = measurement.isFiltered
      self.calibration = calibration
    }

    /// The same as photo files hold it, its range rounded to the six decimals that they print.
    var stored: PhotoDepth {
      var range = quantization
      range.minimumValue = Self.sixDecimals(range.minimumValue)
      range.maximumValue = Self.sixDecimals(range.maximumValue)
      var depth = PhotoDepth(
        codes: .uint8(codes), quantization: range, quantity: isDepth ? .depth : .disparity)
      depth.accuracy = accuracy
      depth.isFiltered = isFiltered
      depth.quality = quality
      depth.calibration = calibration
      return depth
    }

    private static func sixDecimals(_ value: Double) -> Double {
      (value * 1_000_000).rounded(.toNearestOrEven) / 1_000_000
    }
  }

  /// The color image as stored.
  public var color: Raster<RGB8>
  /// Its EXIF fields.
  public var exif: PhotoExif
  /// The depth map; `nil` for none.
  public var depth: DepthImage?
  /// The portrait matte; `nil` for none.
  public var portraitMatte: Raster<UInt8>?
  /// The gain map; `nil` for none.
  public var gainMap: Raster<UInt8>?

  /// Creates a photo without depth.
  public init(color: Raster<RGB8>, exif: PhotoExif = PhotoExif()) {
    self.color = color
    self.exif = exif
  }
}
