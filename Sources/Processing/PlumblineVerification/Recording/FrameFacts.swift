public import PlumblineModel

/// What is kept of one frame of a recording after its images are let go.
public struct FrameFacts: Sendable {
  /// Its name.
  public var name: String
  /// The recording's clock, in seconds; `nil` when not given.
  public var timestampSeconds: Double?
  /// The reason why it cannot be read; `nil` for a frame that can.
  public var problem: String?
  /// The size of its depth map; `nil` without one.
  public var depthSize: RasterSize?
  /// The size of its color image as stored; `nil` without one.
  public var colorSize: RasterSize?
  /// The measured share of its depth map, 0 to 1; `nil` without one.
  public var validFraction: Double?
  /// Its median depth in meters; `nil` where it has none, or no unit.
  public var medianMeters: Double?
  /// The focal length along x, in pixels of ``calibrationSize``; `nil` when not given.
  public var focalLengthPixels: Double?
  /// The size of the image that the camera's numbers belong to; `nil` when not given.
  public var calibrationSize: RasterSize?
  /// Whether it says how far the sensor trusts each pixel.
  public var hasConfidence: Bool
  /// The camera's pose in the recording's world; `nil` when not tracked.
  public var worldFromCamera: RigidTransform?
  /// What its reader found odd, and a depth map without a measured pixel.
  public var findings: [Finding]

  /// The facts of a frame that was read.
  ///
  /// - Parameters:
  ///   - capture: The frame; its color is not needed.
  ///   - name: Its name.
  ///   - timestampSeconds: The recording's clock, where the capture has none of its own.
  /// - Cost: One pass over the depth map.
  package init(_ capture: Capture, name: String, timestampSeconds: Double?) {
    self.name = name
    self.timestampSeconds = capture.timestampSeconds ?? timestampSeconds
    colorSize = capture.colorSize
    worldFromCamera = capture.worldFromCamera
    findings = capture.findings
    hasConfidence = capture.depth?.confidence != nil
    guard let record = capture.depth else { return }
    depthSize = record.size
    focalLengthPixels = record.calibration?.intrinsics.focalLength.x
    calibrationSize = record.calibration?.intrinsics.size
    let statistics =
      switch record.values {
      case .depth(let map): map.statistics
      // Depth and disparity have the same holes; the median of one is that of the other.
      case .disparity(let map): map.depthMap.statistics
      case .range(let map): DepthMap(meters: map.meters).statistics
      }
    validFraction = statistics.validFraction
    if statistics.validCount == 0 {
      findings.append(.emptyDepth(pixelCount: record.size.pixelCount))
    }
    medianMeters =
      record.hasUnit && record.accuracy != .relative ? statistics.medianMeters : nil
  }

  /// The time and the pose of a frame that was read, without its images.
  package init(name: String, timestampSeconds: Double?, worldFromCamera: RigidTransform?) {
    self.name = name
    self.timestampSeconds = timestampSeconds
    self.worldFromCamera = worldFromCamera
    hasConfidence = false
    findings = []
  }

  /// The facts of a frame that cannot be read.
  package init(unreadable problem: String, name: String, timestampSeconds: Double?) {
    self.name = name
    self.timestampSeconds = timestampSeconds
    self.problem = problem
    hasConfidence = false
    findings = []
  }
}
