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

/// The formats and rates that fit a request best, and in words why.
///
/// The order of what matters: the pixel type, the depth pixels, the rate of depth, the video pixels,
/// the device's own order.
/// - Source: Apple, sample code *Streaming Depth Data from the TrueDepth Camera*: the widest format of
///   the wanted type; WWDC17 session 507 for the rates and the zoom.
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
  /// The rate to set for the video.
  package let videoFramesPerSecond: Double
  /// The rate at which depth will come.
  package let depthFramesPerSecond: Double
  /// The rate to cap depth at; `nil` where the system decides it (before iOS 12).
  package let depthFramesPerSecondCap: Double?
  /// The formats that were not chosen, in the device's order.
  package let rejections: [FormatRejection]
  /// Remarks on the choice, in sentences.
  package let remarks: [String]

  /// The zoom that will hold while depth streams; `nil` for the caller's own.
  package var forcedZoomFactor: Double? { device.forcedZoomFactor }

  /// Chooses among a device's formats.
  ///
  /// - Precondition: The wanted rate is finite and above 0.
  /// - Throws: ``FormatChoiceError`` when nothing fits; it holds every rejection.
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
    // `max` takes the last of equals; the device's own order wants the first.
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
  /// What was chosen, what the caller should know, and what was not chosen, line by line.
  package var description: String {
    let chosen =
      "\(device.rawValue): video \(video.size) at \(rateText(videoFramesPerSecond)) fps, depth "
      + "\(depth.size) \(depth.type.rawValue) at \(rateText(depthFramesPerSecond)) fps"
    return ([chosen] + remarks + rejections.map(\.description)).joined(separator: "\n")
  }
}

/// An error when no formats could be chosen.
public enum FormatChoiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device streams depth only on a later system.
  case deviceTooNew(DepthDevice, needs: SystemVersion, has: SystemVersion)
  /// Every format has its reason against it.
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
