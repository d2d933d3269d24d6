import PlumblineModel

/// The formats and rates that meet a request best, with the reasons in words.
///
/// The criteria in order of importance: the type of the depth pixels, the depth resolution, the
/// depth rate, a sensor that is not binned, the video resolution within the requested limits, the
/// type of the video pixels, the device's own order.
/// - Source: Apple, sample code *Streaming Depth Data from the TrueDepth Camera*: the widest format
///   of the requested type; WWDC17 session 507 for the rates and the zoom. That binning goes before
///   resolution is this project's choice: lengths are measured on single pixels.
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
  /// The frame duration of the video, exactly one that the format accepts.
  package let videoDuration: FrameDuration
  /// The minimum frame duration of depth, exactly one that the depth format accepts; `nil` if the
  /// system decides (before iOS 12).
  package let depthDuration: FrameDuration?
  /// The zoom factor to set; `nil` where the system does not state which ones deliver depth.
  package let zoomFactor: Double?
  /// The rejected formats, in the device's order.
  package let rejections: [FormatRejection]
  /// Remarks on the choice, in sentences.
  package let remarks: [String]

  /// The zoom that the system sets by itself while depth is streamed; `nil` for none.
  package var forcedZoomFactor: Double? { zoomFactor == nil ? device.forcedZoomFactor : nil }

  /// The minimum frame duration of depth for a lower rate, exactly one that the format accepts.
  ///
  /// - Parameter rate: Frames per second, from 0.001 to 1,000,000.
  /// - Returns: The duration; that of the nearest rate of the format for a rate outside of its own.
  package func depthDuration(framesPerSecond rate: Double) -> FrameDuration {
    let wanted = FrameDuration(framesPerSecond: rate)
    return depth.rates.nearest(to: wanted) ?? wanted
  }

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
    videoDuration = best.videoDuration
    depthDuration = rule.canCap ? best.depthDuration : nil
    zoomFactor = Self.zoom(request.zoomFactor, in: best.video.depthZoomFactors)
    self.rejections = rejections
    remarks = Self.remarks(best, request, formats, rule)
  }

  /// The zoom factor in any of the ranges that is nearest to the wanted one.
  private static func zoom(_ wanted: Double, in ranges: [ClosedRange<Double>]) -> Double? {
    ranges.map { min(max(wanted, $0.lowerBound), $0.upperBound) }
      .min { abs($0 - wanted) < abs($1 - wanted) }
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
    let zooms = best.video.depthZoomFactors
    if let zoom = zoom(request.zoomFactor, in: zooms) {
      if zoom != request.zoomFactor {
        remarks.append(
          "depth comes at a zoom of \(rateText(zoom))×, not at \(rateText(request.zoomFactor))×")
      }
    } else if let zoom = formats.device.forcedZoomFactor {
      remarks.append("the system zooms to \(rateText(zoom))× and lets nobody change it")
    }
    if best.video.isBinned {
      remarks.append("the sensor combines pixels here: edges are less sharp than the size says")
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
      "\(device.rawValue): video \(video.size) \(video.pixelType) at \(rateText(videoFramesPerSecond)) fps, depth "
      + "\(depth.size) \(depth.type.rawValue) at \(rateText(depthFramesPerSecond)) fps"
    return ([chosen] + remarks + rejections.map(\.description)).joined(separator: "\n")
  }
}
