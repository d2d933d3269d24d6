public import PlumblineVerification

/// One number of what was measured, with its ± and whether it can be believed.
public struct CaptureMeasurement: Sendable {
  /// A place that a measurement took a depth from.
  public struct Place: Sendable {
    /// The pixel of the photo as it is shown, as it was given or as it follows from ``depth``.
    public var photo: SIMD2<Double>
    /// The pixel of the depth map as stored whose depth was taken: the nearest one.
    public var depth: SIMD2<Int>
    /// The point in the camera frame of the stored map (`x` right, `y` down, `z` forward), in meters;
    /// `nil` where nothing was measured, or not in meters.
    public var meters: SIMD3<Double>?
    /// One standard deviation of the depth `z` in meters; `nil` when unknown.
    public var sigmaMeters: Double?
  }

  /// The spread of a number over the frames of a recording.
  public struct Scatter: Sendable {
    /// The frames in which it was measured.
    public var frames: Int
    /// Their mean, in the unit of the value.
    public var mean: Double
    /// Their standard deviation, with *n* − 1; `nil` for one frame.
    public var sigma: Double?
  }

  /// What was asked for.
  public var request: MeasurementRequest
  /// Which number of it, such as `width` of a box; `nil` where there is one only.
  public var name: String?
  /// The number with its ±; `nil` where it was refused.
  public var value: MeasuredValue?
  /// The places of its points, in the order of the request; none for rectangles.
  public var places: [Place]
  /// Why the number cannot be believed, or was refused, one sentence each; empty where it can be.
  public var reasons: [String]
  /// Its spread over the frames of a still recording; `nil` when that was not asked for.
  public var scatter: Scatter?

  /// Whether it was measured and nothing speaks against it.
  public var isBelievable: Bool { value != nil && reasons.isEmpty }
}

/// All that was measured in one capture: what ``CaptureMeasurer`` returns.
public struct MeasurementResult: Sendable {
  /// The numbers, in the order of the requests.
  public var measurements: [CaptureMeasurement]

  /// Whether all were measured and can be believed.
  public var isBelievable: Bool { measurements.allSatisfy(\.isBelievable) }
}
