/// A depth map as a producer stored it, with all that the producer states about it.
public struct DepthRecord: Sendable {
  /// The values of the map, by kind.
  public enum Values: Sendable {
    /// Meters along the optical axis.
    case depth(DepthMap)
    /// Reciprocal meters.
    case disparity(DisparityMap)
    /// Meters along the ray.
    case range(RangeMap)

    /// The number of columns and rows.
    public var size: RasterSize {
      switch self {
      case .depth(let map): map.size
      case .disparity(let map): map.size
      case .range(let map): map.size
      }
    }
  }

  /// The accuracy that a producer states for its numbers.
  public enum Accuracy: String, Sendable, CaseIterable {
    /// Absolute, in meters.
    case absolute
    /// Relative: the true disparity is `a·d + b`, where both numbers are unknown.
    case relative
    /// Not stated.
    case unknown
  }

  /// The map by its kind.
  public var values: Values
  /// The stored codes, if the file holds integers.
  public var storedSamples: StoredSamples?
  /// The conversion from codes to values, if the file holds integers.
  public var quantization: LinearQuantization?
  /// The stored pixel type, such as `L008`, `hdis` or `u16`.
  public var storedType: String
  /// The type that the sensor pipeline delivered, such as `hdis`; `nil` when not stated.
  public var nativeType: String?
  /// The accuracy that the producer states.
  public var accuracy: Accuracy
  /// Whether the values have a known unit.
  public var hasUnit: Bool
  /// Whether holes were filled and values smoothed; `nil` when not stated.
  public var isFiltered: Bool?
  /// The producer's own quality rating, `high` or `low`; `nil` when not stated.
  public var quality: String?
  /// The calibration at its own reference size, in the orientation of the stored map.
  public var calibration: CameraCalibration?
  /// The uncertainty of a measured calibration; `nil` for a producer's own calibration.
  public var calibrationUncertainty: CalibrationUncertainty?
  /// Whether pixels were moved to the positions of a pinhole camera; `nil` when only the
  /// calibration's distortion is known.
  public var isRectified: Bool?
  /// The part of the stored map that corresponds to the displayed image (`clap`); `nil` for the
  /// whole map.
  public var cleanAperture: PixelRectangle?
  /// The orientation of the map: the rotation or mirroring that makes it upright.
  public var orientation: ImageOrientation
  /// The sensor's confidence of each pixel; `nil` when not given.
  public var confidence: ConfidenceMap?
  /// One standard deviation of each pixel's depth along the optical axis, in meters, if it was
  /// computed; NaN where the depth is missing; `nil` when only a ``SigmaCurve`` is known.
  public var sigmaMeters: Raster<Float>?
  /// Marks pixels that a filter filled in and no sensor measured: 1 for these, 0 for others.
  ///
  /// It is `nil` if no such pixel is known. The ``confidence`` of these pixels is 0.
  public var inventedPixels: Raster<UInt8>?
  /// The difference between estimated and measured depth, if this map is a fitted estimate or was
  /// filled by one; `nil` otherwise, and after any step that moved or changed depths.
  public var residual: DepthResidual?

  /// The f-number that the file specifies for the portrait blur; `nil` for none.
  public var simulatedAperture: Double?

  /// Creates a record of which only the values and their type are known.
  package init(values: Values, storedType: String, accuracy: Accuracy = .unknown) {
    self.values = values
    self.storedType = storedType
    self.accuracy = accuracy
    self.hasUnit = true
    self.orientation = .up
  }

  /// The number of columns and rows.
  public var size: RasterSize { values.size }
}
