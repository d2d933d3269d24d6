internal import PlumblineModel

/// A video format and a depth format that meet a request; the best candidate is chosen.
struct FormatCandidate: Hashable {
  let formatIndex: Int
  let depthFormatIndex: Int
  let video: VideoFormat
  let depth: DepthFormat
  let depthFramesPerSecond: Double
  /// The index of the pixel type in the request; 0 is the preferred one.
  let typePlace: Int

  struct Rank: Comparable {
    let welcome: Int
    let depthPixels: Int
    let depthRate: Double
    let videoPixels: Int

    static func < (a: Rank, b: Rank) -> Bool {
      (a.welcome, a.depthPixels, a.depthRate, a.videoPixels)
        < (b.welcome, b.depthPixels, b.depthRate, b.videoPixels)
    }
  }

  /// The values to compare, from the most to the least important.
  var rank: Rank {
    Rank(
      welcome: -typePlace, depthPixels: depth.size.pixelCount, depthRate: depthFramesPerSecond,
      videoPixels: video.size.pixelCount)
  }

  /// The rejection of this candidate, with the reason why the other one was better.
  func rejected(for best: FormatCandidate) -> FormatRejection {
    let reason: FormatRejection.Reason =
      if typePlace != best.typePlace {
        .lessWelcomeType(than: best.depth.type)
      } else if depth.size.pixelCount != best.depth.size.pixelCount {
        .fewerDepthPixels
      } else if depthFramesPerSecond != best.depthFramesPerSecond {
        .slowerDepth
      } else if video.size.pixelCount != best.video.size.pixelCount {
        .smallerVideo
      } else {
        .later
      }
    return FormatRejection(
      formatIndex: formatIndex, depthFormatIndex: depthFormatIndex,
      format: "\(video.size) with \(depth)", reason: reason)
  }

  /// Divides the depth formats of one video format into candidates and rejections.
  static func collect(
    _ request: FormatRequest, _ video: VideoFormat, _ index: Int,
    into candidates: inout [FormatCandidate], _ rejections: inout [FormatRejection]
  ) {
    if let reason = unfitness(of: video, request) {
      rejections.append(
        FormatRejection(formatIndex: index, format: video.description, reason: reason))
      return
    }
    let rule = DepthRateRule(system: request.system)
    for (depthIndex, depth) in video.depthFormats.enumerated() {
      func reject(_ reason: FormatRejection.Reason) {
        rejections.append(
          FormatRejection(
            formatIndex: index, depthFormatIndex: depthIndex,
            format: "\(video.size) with \(depth)", reason: reason))
      }
      guard let place = request.depthTypes.firstIndex(of: depth.type) else {
        reject(.depthType)
        continue
      }
      guard hasSameShape(depth.size, video.size) else {
        reject(.aspect)
        continue
      }
      guard
        let rate = rule.framesPerSecond(
          besideVideo: request.videoFramesPerSecond, in: depth.framesPerSecond,
          cap: request.depthFramesPerSecondCap)
      else {
        reject(.depthRate(video: request.videoFramesPerSecond))
        continue
      }
      candidates.append(
        FormatCandidate(
          formatIndex: index, depthFormatIndex: depthIndex, video: video, depth: depth,
          depthFramesPerSecond: rate, typePlace: place))
    }
  }

  private static func unfitness(
    of video: VideoFormat, _ request: FormatRequest
  ) -> FormatRejection.Reason? {
    if video.depthFormats.isEmpty { return .withoutDepth }
    if let preset = request.preset, video.preset != preset { return .preset(wanted: preset) }
    if let size = request.videoSize, video.size != size { return .videoSize(wanted: size) }
    // Rates such as 29.97 count as 30.
    let rate = request.videoFramesPerSecond
    let isInRange =
      rate >= video.framesPerSecond.lowerBound - 0.01
      && rate <= video.framesPerSecond.upperBound + 0.01
    return isInRange ? nil : .videoRate(wanted: rate)
  }

  /// Whether two sizes have the same aspect ratio, within half a pixel of the smaller size.
  static func hasSameShape(_ a: RasterSize, _ b: RasterSize) -> Bool {
    guard a.pixelCount > 0, b.pixelCount > 0 else { return false }
    let difference = abs(a.width * b.height - b.width * a.height)
    return 2 * difference <= max(b.width, b.height)
  }
}
