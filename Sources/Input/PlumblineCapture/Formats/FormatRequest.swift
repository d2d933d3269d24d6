public import PlumblineModel

/// A request for streaming; ``FormatChoice`` finds the formats that meet it.
public struct FormatRequest: Hashable, Sendable {
  /// The acceptable pixel types, preferred first.
  public var depthTypes: [DepthPixelType]
  /// The size of the video; `nil` for any between the two limits.
  public var videoSize: RasterSize?
  /// The size below which no video is chosen, in both directions; ignored with ``videoSize``.
  public var smallestVideoSize = RasterSize(width: 640, height: 480)
  /// The size above which no video is chosen, in both directions; ignored with ``videoSize``.
  ///
  /// The maximum of a depth camera is 12 megapixels, of which no phone writes 30 in a second.
  /// 1920×1440 is the size of ARKit's frames, and the largest whose recording was planned for.
  public var largestVideoSize = RasterSize(width: 1920, height: 1440)
  /// The zoom factor, 1 for none; the nearest one at which the format delivers depth is set.
  public var zoomFactor = 1.0
  /// The session preset; `nil` for any format.
  public var preset: SessionPreset?
  /// The rate of the video in frames per second.
  public var videoFramesPerSecond: Double
  /// The requested maximum depth rate; `nil` for no limit.
  public var depthFramesPerSecondCap: Double?
  /// The system version, which determines what can be set.
  public var system: SystemVersion

  /// Creates a request; the default is the maximum depth rate with 30 video frames per second of
  /// 640×480 to 1920×1440 pixels.
  ///
  /// Single-precision depth is preferred: it needs no division to meters and no rounding to half
  /// precision.
  public init(
    depthTypes: [DepthPixelType] = [.depth32, .depth16, .disparity32, .disparity16],
    videoSize: RasterSize? = nil, preset: SessionPreset? = nil,
    videoFramesPerSecond: Double = 30, depthFramesPerSecondCap: Double? = nil,
    system: SystemVersion = SystemVersion(18)
  ) {
    self.depthTypes = depthTypes
    self.videoSize = videoSize
    self.preset = preset
    self.videoFramesPerSecond = videoFramesPerSecond
    self.depthFramesPerSecondCap = depthFramesPerSecondCap
    self.system = system
  }
}
