public import PlumblineModel

/// A video format, or one with a depth format, that was not chosen, and why.
public struct FormatRejection: Hashable, Sendable, CustomStringConvertible {
  /// The reasons why formats are not chosen.
  public enum Reason: Hashable, Sendable {
    /// The video format has no depth formats.
    case withoutDepth
    /// Another size of video is wanted.
    case videoSize(wanted: RasterSize)
    /// Another session preset is wanted.
    case preset(wanted: SessionPreset)
    /// The video format cannot run at the wanted rate.
    case videoRate(wanted: Double)
    /// The pixel type is not welcome.
    case depthType
    /// Depth and video do not show the same field of view.
    case aspect
    /// No whole fraction of the video rate is a rate of the depth format.
    case depthRate(video: Double)
    /// The chosen one has a pixel type that was requested before this one.
    case lessWelcomeType(than: DepthPixelType)
    /// The chosen one has more depth pixels.
    case fewerDepthPixels
    /// The chosen one has the same depth at a higher rate.
    case slowerDepth
    /// The chosen one has the same depth beside a larger video.
    case smallerVideo
    /// The chosen one is as good and comes first.
    case later
  }

  /// The index of the video format in the device's list.
  public var formatIndex: Int
  /// The index of the depth format in the video format's list; `nil` where none was examined.
  public var depthFormatIndex: Int?
  /// The format that was not chosen, in words.
  public var format: String
  /// Why the format was not chosen.
  public var reason: Reason

  /// One line.
  public var description: String { "not \(format): \(reason.text)" }
}

extension FormatRejection.Reason {
  var text: String {
    switch self {
    case .withoutDepth: "it streams no depth"
    case .videoSize(let wanted): "video of \(wanted) is wanted"
    case .preset(let wanted): "the preset \(wanted.rawValue) is wanted"
    case .videoRate(let wanted): "it cannot run at \(rateText(wanted)) fps"
    case .depthType: "its pixel type is not welcome"
    case .aspect: "depth has another shape than video"
    case .depthRate(let video): "no whole fraction of \(rateText(video)) fps is a rate of it"
    case .lessWelcomeType(let chosen): "\(chosen.rawValue) was asked for first"
    case .fewerDepthPixels: "the chosen one has more depth pixels"
    case .slowerDepth: "the chosen one delivers depth more often"
    case .smallerVideo: "the chosen one has a larger video"
    case .later: "the chosen one is as good and comes first"
    }
  }
}
