/// A depth map as a producer stored it, with all that the producer says about it.
public struct DepthRecord: Sendable {
  /// The map by its kind.
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
    /// Meters.
    case absolute
    /// True disparity is `a·d + b` with both unknown.
    case relative
    /// Not said.
    case unknown
  }

  /// The map by its kind.
  public var values: Values
  /// The codes as stored, where the file holds integers.
  public var storedSamples: StoredSamples?
  /// The rule from codes to values, where the file holds integers.
  public var quantization: LinearQuantization?
  /// The stored pixel type, such as `L008`, `hdis` or `u16`.
  public var storedType: String
  /// The type that the sensor pipeline delivered, such as `hdis`; `nil` when not said.
  public var nativeType: String?
  /// The accuracy that the producer states.
  public var accuracy: Accuracy
  /// Whether the numbers have a known unit at all.
  public var hasUnit: Bool
  /// Whether holes were filled and values smoothed; `nil` when not said.
  public var isFiltered: Bool?
  /// The producer's own rating, `high` or `low`; `nil` when not said.
  public var quality: String?
  /// The camera's numbers at their own reference size, in the orientation of the stored map.
  public var calibration: CameraCalibration?
  /// How well the calibration's numbers are known, where they were measured; `nil` for a
  /// producer's own.
  public var calibrationUncertainty: CalibrationUncertainty?
  /// Whether pixels were moved to where a pinhole camera sees them; `nil` while the calibration's
  /// distortion says what is known.
  public var isRectified: Bool?
  /// The part of the stored map that belongs to the shown image (`clap`); `nil` for all of it.
  public var cleanAperture: PixelRectangle?
  /// The orientation of the map: the turn that makes it upright.
  public var orientation: ImageOrientation
  /// The sensor's confidence of each pixel; `nil` when not given.
  public var confidence: ConfidenceMap?
  /// One standard deviation of each pixel's depth along the optical axis, in meters, where it was
  /// computed; NaN where the depth is missing; `nil` while only a ``SigmaCurve`` is known.
  public var sigmaMeters: Raster<Float>?
  /// Which pixels no sensor measured but a filter filled in: 1 there, 0 elsewhere.
  ///
  /// It is `nil` where no such pixel is known. Their ``confidence`` is 0.
  public var inventedPixels: Raster<UInt8>?
  /// What an estimate missed a measurement by, where this map is an estimate that was fitted, or was
  /// filled by one; `nil` elsewhere, and after anything that moved or changed depths.
  public var residual: DepthResidual?

  /// The f-number that the file requests for a portrait blur; `nil` when it requests none.
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
