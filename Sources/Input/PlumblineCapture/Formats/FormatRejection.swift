public import PlumblineModel

/// A rejected format (video, or video with depth) and the reason.
public struct FormatRejection: Hashable, Sendable, CustomStringConvertible {
  /// The reasons for a rejection.
  public enum Reason: Hashable, Sendable {
    /// The video format has no depth formats.
    case withoutDepth
    /// A depth output may not be used with the video format.
    case depthOutputExcluded
    /// The video has a pixel type that is not read here, such as 10 bits.
    case videoType
    /// The video is smaller than requested in a direction.
    case videoTooSmall(smallest: RasterSize)
    /// The video is larger than requested in a direction.
    case videoTooLarge(largest: RasterSize)
    /// Another video size was requested.
    case videoSize(wanted: RasterSize)
    /// Another session preset was requested.
    case preset(wanted: SessionPreset)
    /// The video format does not support the requested rate.
    case videoRate(wanted: Double)
    /// The pixel type was not requested.
    case depthType
    /// Depth and video have different fields of view.
    case aspect
    /// The video rate divided by an integer is never a rate of the depth format.
    case depthRate(video: Double)
    /// The chosen format has a pixel type that is preferred to this one.
    case lessWelcomeType(than: DepthPixelType)
    /// The chosen format has a higher depth resolution.
    case fewerDepthPixels
    /// The chosen format has the same depth resolution at a higher rate.
    case slowerDepth
    /// The sensor combines pixels for this video, and not for the chosen one.
    case binned
    /// The chosen format has a video pixel type that is preferred to this one.
    case lessWelcomeVideoType(than: String)
    /// The chosen format has the same depth with a higher video resolution.
    case smallerVideo
    /// The chosen format is equally good and comes first.
    case later
  }

  /// The index of the video format in the device's list.
  public var formatIndex: Int
  /// The index of the depth format in the video format's list; `nil` if none was examined.
  public var depthFormatIndex: Int?
  /// The rejected format, in words.
  public var format: String
  /// The reason of the rejection.
  public var reason: Reason

  /// One line.
  public var description: String { "not \(format): \(reason.text)" }
}

extension FormatRejection.Reason {
  var text: String {
    switch self {
    case .withoutDepth: "it streams no depth"
    case .depthOutputExcluded: "no depth output may be used with it"
    case .videoType: "its video pixels are not 420f or 420v"
    case .videoTooSmall(let smallest): "video of at least \(smallest) is wanted"
    case .videoTooLarge(let largest): "video of at most \(largest) is wanted"
    case .videoSize(let wanted): "video of \(wanted) is wanted"
    case .preset(let wanted): "the preset \(wanted.rawValue) is wanted"
    case .videoRate(let wanted): "it cannot run at \(rateText(wanted)) fps"
    case .depthType: "its pixel type is not welcome"
    case .aspect: "depth has another shape than video"
    case .depthRate(let video): "no whole fraction of \(rateText(video)) fps is a rate of it"
    case .lessWelcomeType(let chosen): "\(chosen.rawValue) was asked for first"
    case .fewerDepthPixels: "the chosen one has more depth pixels"
    case .slowerDepth: "the chosen one delivers depth more often"
    case .binned: "the sensor combines pixels for it, and not for the chosen one"
    case .lessWelcomeVideoType(let chosen): "\(chosen) is preferred"
    case .smallerVideo: "the chosen one has a larger video"
    case .later: "the chosen one is as good and comes first"
    }
  }
}
