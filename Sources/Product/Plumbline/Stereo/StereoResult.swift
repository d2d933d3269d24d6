import PlumblineExport
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineNumerics
public import PlumblineStereo
public import PlumblineStreams

/// The depth of two images and what led to it: what ``StereoReconstructor`` returns.
public struct StereoResult: Sendable {
  /// The name that outputs carry.
  public var fileName: String
  /// The geometry and where it comes from.
  public let geometry: StereoGeometry
  /// How the images were turned so that rows agree, at the size that was matched.
  public let rectification: StereoRectification
  /// The rectified images.
  public let images: RectifiedImages
  /// The check by points that both images show.
  public let survey: PairSurvey
  /// The pixel disparities that were tried.
  public let disparities: Range<Int>
  /// Whether they come from points in both images, rather than from the user or a guess.
  public let isRangeFound: Bool
  /// The pixel disparities with their ±.
  public let match: StereoMatch
  /// The matched pixels that got no depth.
  package let missing: StereoDepth.Missing
  /// The result, read and assessed as any other capture.
  public let analysis: CaptureAnalysis
  /// By how much images were reduced before matching: 1 for not at all.
  public let reduction: Double

  /// The share of the left image's pixels that were matched.
  public var density: Double { share(of: matchedCount) }

  private var matchedCount: Int { match.disparity.pixels.samples.count { !$0.isNaN } }

  /// The number of pixels with a depth.
  package var depthCount: Int { matchedCount - missing.beyondInfinity - missing.uncertain }

  /// The share of the left image's pixels that so many are.
  package func share(of count: Int) -> Double {
    Double(count) / Double(max(1, match.disparity.size.pixelCount))
  }

  /// The median of the depths and the median ± of those within a tenth of it, in the map's unit;
  /// `nil` without a depth.
  public var medianDepth: (depth: Double, sigma: Double)? {
    guard let record = analysis.capture.depth, case .depth(let map) = record.values,
      let sigmas = record.sigmaMeters
    else { return nil }
    let depths = map.meters.samples.filter { !$0.isNaN }.sorted()
    guard let median = depths.middleOfSorted else { return nil }
    let near = zip(map.meters.samples, sigmas.samples)
      .filter { abs($0.0 - median) <= 0.1 * median && !$0.1.isNaN }.map(\.1).sorted()
    return near.middleOfSorted.map { (depth: Double(median), sigma: Double($0)) }
  }

  /// The median ± of a pixel disparity, in pixels; `nil` without one.
  public var medianSigmaPixels: Double? {
    let sigmas = match.sigmaPixels.samples.filter { !$0.isNaN }.sorted()
    return sigmas.middleOfSorted.map { Double($0) }
  }
}

extension StereoResult {
  /// The result as files in memory, but for `capture.mcap`; O(*n*).
  ///
  /// `disparity.npy`, `left.png` and `right.png` lie on the rectified images; everything else
  /// stands as the left image does, which is the same for cameras side by side.
  ///
  /// - Throws: ``CaptureReadingError`` when an image cannot be encoded.
  public func files() throws -> [Extraction.File] {
    var files: [Extraction.File] = []
    try forEachFile { files.append($0) }
    return files
  }

  /// Calls a closure with each of ``files()``, of which the next is made after it returns.
  ///
  /// - Throws: As ``files()``, and what the closure throws.
  func forEachFile(_ take: (Extraction.File) throws -> Void) throws {
    func add(_ name: String, _ bytes: [UInt8]) throws {
      try take(Extraction.File(name: name, bytes: bytes))
    }
    try add("disparity.npy", NPYWriter().bytes(match.disparity.pixels))
    if let record = analysis.capture.depth, case .depth(let depth) = record.values {
      if geometry.calibration.isMetric {
        for file in Extraction.files(of: depth, isMetric: true, origin: analysis.origin) {
          try take(file)
        }
      } else {
        try add("relative.npy", NPYWriter().bytes(depth.meters))
      }
      if let sigma = record.sigmaMeters { try add("sigma.npy", NPYWriter().bytes(sigma)) }
    }
    try add("left.png", PNGEncoder().encoded(images.leftColor))
    try add("right.png", PNGEncoder().encoded(images.pair.right))
    // Wrong matches lie anywhere, and few of them beyond a hundred meters would take all colors.
    let span = DepthColors.Span.quantiles(0.01...0.98)
    if density > 0 {
      for file in try DepthImage(analysis, style: .init(span: span)).files { try take(file) }
    }
    if let document = analysis.calibrationDocument {
      try add("calibration.json", JSONWriter().bytes(document.json))
    }
    try add("stereo.json", JSONWriter().bytes(document()))
  }

  /// The result as a recording of one frame, which every other command takes; O(*n*).
  ///
  /// - Throws: ``RecordingWritingError`` for what the format cannot hold.
  public func recording() throws(RecordingWritingError) -> [UInt8] {
    try recordedCapture.recording(named: "stereo", origin: fileName)
  }

  /// Writes ``recording()`` into a file as it is made.
  ///
  /// - Throws: ``RecordingWritingError`` for what the format cannot hold, and of the file.
  func record(to file: any RecordingFile) throws(RecordingWritingError) {
    try recordedCapture.record(named: "stereo", origin: fileName, to: file)
  }

  private var recordedCapture: Capture {
    var capture = analysis.capture
    capture.timestampSeconds = capture.timestampSeconds ?? 0
    return capture
  }
}

extension StereoMatch.Removals {
  /// The number of pixels that each check removed, in a line.
  var inWords: String {
    "\(uncovered) pixels that the other image does not show, \(ambiguous) that fit in several places, "
      + "\(inconsistent) that another pixel fits better, \(speckles) in small patches"
  }
}

extension StereoReconstructor {
  /// Rows beyond this differ by more than matching tolerates.
  static let maximumVerticalPixels = 1.0

  /// The findings about the rows, the points and the matches of a pair.
  static func findings(
    _ survey: PairSurvey, _ match: StereoMatch, _ isRangeFound: Bool,
    _ rectification: StereoRectification
  ) -> [Finding] {
    var findings: [Finding] = []
    let isSurveyed = survey.agreeingCount >= PairSurvey.leastMatches
    if isSurveyed, survey.verticalResidualPixels > maximumVerticalPixels {
      findings.append(
        Finding(
          .stereoVerticalResidual, .caution,
          "The calibration does not fit these images: the same points lie "
            + "\(survey.verticalResidualPixels.fixed(2)) px off a common row, of which "
            + "\(survey.verticalShiftPixels.fixed(2)) px are a shift of all.",
          evidence: "\(survey.agreeingCount) points"))
    }
    if !isSurveyed {
      findings.append(
        Finding(
          .stereoFewPoints, .caution,
          "Only \(survey.agreeingCount.counting("point")) were found in both images on one row: "
            + "neither the calibration nor the order of the images could be tested"
            + (isRangeFound ? "." : ", and the range of disparities is a guess or as told."),
          evidence: "\(survey.matchCount) points on any row"))
    }
    let count = match.disparity.pixels.samples.count { !$0.isNaN }
    let share = Double(count) / Double(max(1, match.disparity.size.pixelCount))
    if share < 0.3 {
      findings.append(
        Finding(
          .stereoLowOverlap, .caution,
          "Only \((share * 100).fixed(1)) % of the left image's pixels were matched.",
          evidence: "\(rectification.size)"))
    }
    return findings
  }

  /// The finding about a geometry without a scale.
  static func relative(
    _ reason: String, _ focal: FocalLength, isOffsetKnown: Bool = true
  ) -> Finding {
    Finding(
      .stereoRelative, .caution,
      "Depths have no unit: \(reason). They count baselines"
        + (focal.isAssumed
          ? ", and since the focal length is assumed, even their ratios to widths do not hold."
          : isOffsetKnown ? "; ratios of depths hold." : "."),
      evidence: "focal length \(focal.pixels.fixed(1)) px (\(focal.basis))")
  }

  /// The finding about an estimated geometry without a scale.
  func relativeEstimate(_ focal: FocalLength, isOffsetKnown: Bool) -> Finding {
    Self.relative(
      baselineMeters == nil
        ? "the geometry was estimated from the images, which do not show how far the cameras "
          + "stood apart" : "no focal length is known", focal, isOffsetKnown: isOffsetKnown)
  }
}
