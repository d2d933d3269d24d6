internal import PlumblineModel

/// A video format and a depth format that meet a request; the best candidate is chosen.
struct FormatCandidate: Hashable {
  let formatIndex: Int
  let depthFormatIndex: Int
  let video: VideoFormat
  let depth: DepthFormat
  let depthFramesPerSecond: Double
  let videoDuration: FrameDuration
  let depthDuration: FrameDuration
  /// The index of the depth pixel type in the request; 0 is the preferred one.
  let typePlace: Int
  /// The index of the video pixel type among the accepted ones; 0 is the preferred one.
  let videoTypePlace: Int

  struct Rank: Comparable {
    let welcome: Int
    let depthPixels: Int
    let depthRate: Double
    let sharpness: Int
    let videoPixels: Int
    let videoWelcome: Int

    static func < (a: Rank, b: Rank) -> Bool {
      (a.welcome, a.depthPixels, a.depthRate, a.sharpness, a.videoPixels, a.videoWelcome)
        < (b.welcome, b.depthPixels, b.depthRate, b.sharpness, b.videoPixels, b.videoWelcome)
    }
  }

  /// The values to compare, from the most to the least important.
  var rank: Rank {
    Rank(
      welcome: -typePlace, depthPixels: depth.size.pixelCount, depthRate: depthFramesPerSecond,
      sharpness: video.isBinned ? 0 : 1, videoPixels: video.size.pixelCount,
      videoWelcome: -videoTypePlace)
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
      } else if video.isBinned != best.video.isBinned {
        .binned
      } else if video.size.pixelCount != best.video.size.pixelCount {
        .smallerVideo
      } else if videoTypePlace != best.videoTypePlace {
        .lessWelcomeVideoType(than: best.video.pixelType.description)
      } else {
        .later
      }
    return FormatRejection(
      formatIndex: formatIndex, depthFormatIndex: depthFormatIndex,
      format: "\(video.size) \(video.pixelType) with \(depth)", reason: reason)
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
    for (depthIndex, depth) in video.depthFormats.enumerated() {
      do throws(Unfit) {
        candidates.append(try FormatCandidate(request, video, index, depth, depthIndex))
      } catch {
        rejections.append(
          FormatRejection(
            formatIndex: index, depthFormatIndex: depthIndex,
            format: "\(video.size) \(video.pixelType) with \(depth)", reason: error.reason))
      }
    }
  }

  /// Why a pair of formats is no candidate.
  private struct Unfit: Error {
    let reason: FormatRejection.Reason
  }

  private init(
    _ request: FormatRequest, _ video: VideoFormat, _ formatIndex: Int, _ depth: DepthFormat,
    _ depthIndex: Int
  ) throws(Unfit) {
    let rate = request.videoFramesPerSecond
    guard let videoTypePlace = VideoPixelType.accepted.firstIndex(of: video.pixelType) else {
      throw Unfit(reason: .videoType)
    }
    guard let videoDuration = video.rates.duration(framesPerSecond: rate) else {
      throw Unfit(reason: .videoRate(wanted: rate))
    }
    guard let typePlace = request.depthTypes.firstIndex(of: depth.type), !depth.rates.isEmpty else {
      throw Unfit(reason: .depthType)
    }
    guard Self.hasSameShape(depth.size, video.size) else { throw Unfit(reason: .aspect) }
    let rule = DepthRateRule(system: request.system)
    guard
      let depthRate = rule.framesPerSecond(
        besideVideo: rate, in: depth.framesPerSecond, cap: request.depthFramesPerSecondCap),
      let depthDuration = depth.rates.nearest(
        to: videoDuration.multiplied(by: Int((rate / depthRate).rounded())) ?? videoDuration),
      abs(depthDuration.framesPerSecond - depthRate) <= FrameRateRange.toleranceFramesPerSecond
    else { throw Unfit(reason: .depthRate(video: rate)) }
    self.formatIndex = formatIndex
    self.depthFormatIndex = depthIndex
    self.video = video
    self.depth = depth
    self.depthFramesPerSecond = depthRate
    self.videoDuration = videoDuration
    self.depthDuration = depthDuration
    self.typePlace = typePlace
    self.videoTypePlace = videoTypePlace
  }

  private static func unfitness(
    of video: VideoFormat, _ request: FormatRequest
  ) -> FormatRejection.Reason? {
    if video.depthFormats.isEmpty { return .withoutDepth }
    if !video.allowsDepthOutput { return .depthOutputExcluded }
    if !VideoPixelType.accepted.contains(video.pixelType) { return .videoType }
    if let preset = request.preset, video.preset != preset { return .preset(wanted: preset) }
    if let size = request.videoSize {
      if video.size != size { return .videoSize(wanted: size) }
    } else {
      let (smallest, largest) = (request.smallestVideoSize, request.largestVideoSize)
      if video.size.width < smallest.width || video.size.height < smallest.height {
        return .videoTooSmall(smallest: smallest)
      }
      if video.size.width > largest.width || video.size.height > largest.height {
        return .videoTooLarge(largest: largest)
      }
    }
    let rate = request.videoFramesPerSecond
    return video.rates.duration(framesPerSecond: rate) == nil ? .videoRate(wanted: rate) : nil
  }

  /// Whether two sizes have the same aspect ratio, within half a pixel of the smaller size.
  static func hasSameShape(_ a: RasterSize, _ b: RasterSize) -> Bool {
    guard a.pixelCount > 0, b.pixelCount > 0 else { return false }
    let difference = abs(a.width * b.height - b.width * a.height)
    return 2 * difference <= max(b.width, b.height)
  }
}
