public import PlumblineModel

/// A request for streaming; ``FormatChoice`` finds the formats that meet it.
public struct FormatRequest: Hashable, Sendable {
  /// The acceptable pixel types, preferred first.
  public var depthTypes: [DepthPixelType]
  /// The size of the video; `nil` for any.
  public var videoSize: RasterSize?
  /// The session preset; `nil` for any format.
  public var preset: SessionPreset?
  /// The rate of the video in frames per second.
  public var videoFramesPerSecond: Double
  /// The requested maximum depth rate; `nil` for no limit.
  public var depthFramesPerSecondCap: Double?
  /// The system version, which determines what can be set.
  public var system: SystemVersion

  /// Creates a request; the default is the maximum depth rate with 30 video frames per second.
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

/// The formats and rates that meet a request best, with the reasons in words.
///
/// The criteria in order of importance: the pixel type, the depth resolution, the depth rate, the
/// video resolution, the device's own order.
/// - Source: Apple, sample code *Streaming Depth Data from the TrueDepth Camera*: the widest format
///   of the requested type; WWDC17 session 507 for the rates and the zoom.
package struct FormatChoice: Hashable, Sendable {
  /// The device.
  package let device: DepthDevice
  /// The index of the video format in the device's list.
  package let formatIndex: Int
  /// The index of the depth format in the video format's list.
  package let depthFormatIndex: Int
  /// The video format.
  package let video: VideoFormat
  /// The depth format.
  package let depth: DepthFormat
  /// The video rate to set.
  package let videoFramesPerSecond: Double
  /// The resulting depth rate.
  package let depthFramesPerSecond: Double
  /// The cap to set for the depth rate; `nil` if the system decides (before iOS 12).
  package let depthFramesPerSecondCap: Double?
  /// The rejected formats, in the device's order.
  package let rejections: [FormatRejection]
  /// Remarks on the choice, in sentences.
  package let remarks: [String]

  /// The zoom while depth is streamed; `nil` for the caller's own zoom.
  package var forcedZoomFactor: Double? { device.forcedZoomFactor }

  /// Chooses among a device's formats.
  ///
  /// - Precondition: The requested rate is finite and above 0.
  /// - Throws: ``FormatChoiceError`` if no format matches; it contains every rejection.
  package init(
    for request: FormatRequest, among formats: DeviceFormats
  ) throws(FormatChoiceError) {
    precondition(
      request.videoFramesPerSecond > 0 && request.videoFramesPerSecond.isFinite,
      "video at \(request.videoFramesPerSecond) fps")
    guard request.system >= formats.device.firstSystem else {
      throw .deviceTooNew(
        formats.device, needs: formats.device.firstSystem, has: request.system)
    }
    var candidates: [FormatCandidate] = []
    var rejections: [FormatRejection] = []
    for index in formats.formats.indices {
      FormatCandidate.collect(
        request, formats.formats[index], index, into: &candidates, &rejections)
    }
    // `max` returns the last of equal elements, but the first in the device's order is preferred.
    guard let best = candidates.reversed().max(by: { $0.rank < $1.rank }) else {
      throw .nothingFits(rejections)
    }
    for candidate in candidates where candidate != best {
      rejections.append(candidate.rejected(for: best))
    }
    rejections.sort {
      ($0.formatIndex, $0.depthFormatIndex ?? -1) < ($1.formatIndex, $1.depthFormatIndex ?? -1)
    }
    device = formats.device
    formatIndex = best.formatIndex
    depthFormatIndex = best.depthFormatIndex
    video = best.video
    depth = best.depth
    videoFramesPerSecond = request.videoFramesPerSecond
    depthFramesPerSecond = best.depthFramesPerSecond
    let rule = DepthRateRule(system: request.system)
    depthFramesPerSecondCap = rule.canCap ? best.depthFramesPerSecond : nil
    self.rejections = rejections
    remarks = Self.remarks(best, request, formats, rule)
  }

  private static func remarks(
    _ best: FormatCandidate, _ request: FormatRequest, _ formats: DeviceFormats,
    _ rule: DepthRateRule
  ) -> [String] {
    var remarks: [String] = []
    let larger = best.video.depthFormats.filter {
      $0.size.pixelCount > best.depth.size.pixelCount
    }.max { $0.size.pixelCount < $1.size.pixelCount }
    if let larger {
      remarks.append(
        "\(larger.type.rawValue) would have \(larger.size) instead of \(best.depth.size) here")
    }
    if best.depthFramesPerSecond < request.videoFramesPerSecond {
      let divisor = Int((request.videoFramesPerSecond / best.depthFramesPerSecond).rounded())
      let suffix = divisor == 2 ? "nd" : divisor == 3 ? "rd" : "th"
      remarks.append("depth comes with every \(divisor)\(suffix) video frame")
    }
    if let cap = request.depthFramesPerSecondCap, !rule.canCap, best.depthFramesPerSecond > cap {
      remarks.append("\(request.system) cannot cap depth at \(rateText(cap)) fps; iOS 12 can")
    }
    if let zoom = formats.device.forcedZoomFactor {
      remarks.append("the system zooms to \(rateText(zoom))× and lets nobody change it")
    }
    if formats.device.accuracy == .relative {
      remarks.append("the depths are relative: true disparity is a·d + b with both unknown")
    }
    return remarks
  }
}

extension FormatChoice: CustomStringConvertible {
  /// The choice, the remarks and the rejections, one per line.
  package var description: String {
    let chosen =
      "\(device.rawValue): video \(video.size) at \(rateText(videoFramesPerSecond)) fps, depth "
      + "\(depth.size) \(depth.type.rawValue) at \(rateText(depthFramesPerSecond)) fps"
    return ([chosen] + remarks + rejections.map(\.description)).joined(separator: "\n")
  }
}

/// Why no formats could be chosen.
public enum FormatChoiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device streams depth only on a later system version.
  case deviceTooNew(DepthDevice, needs: SystemVersion, has: SystemVersion)
  /// Every format was rejected.
  case nothingFits([FormatRejection])

  /// One sentence, and a line for each rejection.
  public var description: String {
    switch self {
    case .deviceTooNew(let device, let needs, let has):
      "\(device.rawValue) streams depth from \(needs) on, this is \(has)"
    case .nothingFits(let rejections):
      (["no format fits"] + rejections.map(\.description)).joined(separator: "\n")
    }
  }
}
