public import PlumblineModel

/// A depth map as a photo file stores it: whole codes, the rule from codes to values, and what the
/// file says about the camera.
///
/// Codes are what is written, never values: a map that only moves, is cropped or is copied keeps
/// every code and so does not drift however often it is written. The map covers the same field of view
/// as the photo and lies as the photo's stored pixels lie.
public struct PhotoDepth: Sendable {
  /// The quantity that values are in.
  public enum Quantity: String, Sendable, CaseIterable {
    /// Reciprocal meters, as phones write; the largest value is nearest.
    case disparity
    /// Meters along the optical axis.
    case depth
  }

  /// The codes, 8 or 16 bits.
  public var codes: StoredSamples
  /// The rule from codes to values, in 1/m or m.
  public var quantization: LinearQuantization
  /// The quantity of the values.
  public var quantity: Quantity
  /// The accuracy that the file shall state.
  public var accuracy: DepthRecord.Accuracy
  /// Whether holes were filled and values smoothed; `nil` to leave it unsaid.
  public var isFiltered: Bool?
  /// The file's own rating, `high` or `low`; `nil` to leave it unsaid.
  public var quality: String?
  /// The samples' type before they became codes, such as `hdis`; `nil` for `hdis` or `hdep` by quantity.
  public var nativeType: String?
  /// The f-number that the file requests for a portrait blur; `nil` for none.
  public var simulatedAperture: Double?
  /// What Apple's blur takes besides, in base64; opaque, carried along; `nil` for none.
  public var blurRenderingParameters: String?
  /// The camera's numbers at their own reference size, in the orientation of the stored photo.
  public var calibration: CameraCalibration?
  /// One standard deviation of disparity in 1/m, written in Plumbline's own XMP namespace; `nil` where
  /// it is unknown.
  public var disparitySigma: Double?
  /// What was done to the numbers before they came here; written in Plumbline's own XMP namespace.
  public var provenance: [ProvenanceStep]
  /// What else the map's XMP said, such as a portrait's score and light; `nil` for nothing.
  var furtherProperties: CompanionProperties?

  /// Creates a map from its codes; absolute, unfiltered and without a camera until said otherwise.
  public init(codes: StoredSamples, quantization: LinearQuantization, quantity: Quantity) {
    self.codes = codes
    self.quantization = quantization
    self.quantity = quantity
    accuracy = .unknown
    provenance = []
  }

  /// The number of columns and rows.
  public var size: RasterSize { codes.size }
}
