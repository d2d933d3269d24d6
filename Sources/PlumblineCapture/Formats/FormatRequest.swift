public import PlumblineModel

/// What a program wants to stream; ``FormatChoice`` finds the formats that do it.
public struct FormatRequest: Hashable, Sendable {
  /// The pixel types that are welcome, the best first.
  public var depthTypes: [DepthPixelType]
  /// The size of the video; `nil` for any.
  public var videoSize: RasterSize?
  /// The session preset; `nil` for any format.
  public var preset: SessionPreset?
  /// The rate of the video, in frames per second.
  public var videoFramesPerSecond: Double
  /// The fastest rate of depth that is wanted; `nil` for the fastest possible.
  public var depthFramesPerSecondCap: Double?
  /// The system; it decides what can be set.
  public var system: SystemVersion

  /// Creates a request; by default as much depth as 30 frames of video per second allow.
  ///
  /// Single precision depth comes first: meters need no division, and nothing is rounded to a half.
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
