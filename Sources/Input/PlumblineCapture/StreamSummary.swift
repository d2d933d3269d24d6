/// What a camera was configured for, in words for a user.
public struct StreamSummary: Hashable, Sendable {
  /// The device.
  public var device: DepthDevice
  /// The video, such as `1440×1080 420f at 30 fps`.
  public var video: String
  /// The depth, such as `320×240 hdep at 30 fps`.
  public var depth: String
  /// What this means for measuring, in sentences.
  public var remarks: [String]

  /// Describes a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - unsupported: The steps that the device did not support.
  package init(
    _ configuration: DepthStreamConfiguration, unsupported: [ConfigurationStep] = []
  ) {
    let choice = configuration.choice
    device = choice.device
    video =
      "\(choice.video.size) \(choice.video.pixelType) at "
      + "\(rateText(choice.videoDuration.framesPerSecond)) fps"
    depth =
      "\(choice.depth.size) \(choice.depth.type.rawValue) at "
      + "\(rateText(choice.depthFramesPerSecond)) fps"
    remarks =
      configuration.remarks
      + unsupported.compactMap {
        if case .remark(let sentence) = $0.ifUnsupported { sentence } else { nil }
      }
  }
}
