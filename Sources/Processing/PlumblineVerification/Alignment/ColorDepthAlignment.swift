import PlumblineModel

/// How a depth map lies on its color image: one zoom about the middle and one shift.
///
/// Direction: a pixel of the depth map belongs to
/// `zoom·(pixel − middle) + middle + shiftPixels` of the color image at the depth map's size, with
/// `middle = (width − 1, height − 1)/2`. A zoom below 1 means that the depth map shows *less* of the
/// scene than the image and must be shrunk to lie on it: 0.950739 for ARKit on some iPads.
///
/// Method: contours of near things in the depth map against edges of the image, from a search to a
/// weighted fit below a pixel.
public struct ColorDepthAlignment: Hashable, Sendable {
  /// The answer in a word.
  public enum Verdict: String, Sendable, CaseIterable {
    /// No zoom or shift beyond its ±, which is small enough to say so.
    case aligned
    /// A zoom or shift beyond three times its ±, of more than 1 % of the width.
    case misaligned
    /// The frames do not show it.
    case cannotTell
  }

  /// At least so many contour points must find an edge of the image: two fifths of its width, for
  /// a thing of a tenth of it, and never less than 150.
  static func minimumCount(width: Int) -> Int { max(150, width * 2 / 5) }
  /// How much more the image must change at contours than beside them; chance gives 0.05.
  static let minimumContrast = 0.18
  /// The largest scatter of points, in pixels: positions found by chance scatter by 2 to 3.
  static let scatterLimit = 1.8
  /// The share of all points from which a side of things counts.
  static let sideShare = 0.08
  /// The largest ± of a zoom that says anything: the fault that is looked for is 0.049.
  static let sigmaLimit = 0.016

  /// Color pixels for each depth pixel; `nil` when unknown.
  public var zoom: Double?
  /// One standard deviation of `zoom`; `nil` when unknown.
  public var zoomSigma: Double?
  /// The shift of the image's middle, in pixels of the depth map; `nil` when unknown.
  public var shiftPixels: SIMD2<Double>?
  /// One standard deviation of `shiftPixels`; `nil` when unknown.
  public var shiftSigma: SIMD2<Double>?
  /// The number of contour points that found an edge of the image.
  public var edgeCount: Int
  /// The answer in a word.
  public var verdict: Verdict
  /// The answer in a sentence.
  public var reason: String

  /// Measures the alignment that frames of one camera share.
  ///
  /// - Parameter frames: At least one; all of one size. Cost: O(*n*), about 10 ms for 640×480.
  package init(frames: [AlignmentFrame]) {
    edgeCount = 0
    verdict = .cannotTell
    reason = ""
    var used: [(luma: SmoothLuma, points: [ContourPoint])] = []
    var best: (score: Int, search: AlignmentSearch)?
    for frame in frames where frame.depth.size == frames[0].depth.size {
      let points = DepthContour(frame.depth).points
      guard points.count >= 20 else { continue }
      used.append((SmoothLuma(frame.luma), points))
      if points.count > best?.score ?? 0 {
        best = (points.count, AlignmentSearch(frame.luma, points))
      }
    }
    let minimum = Self.minimumCount(width: frames.first?.depth.size.width ?? 0)
    let total = used.reduce(0) { $0 + $1.points.count }
    guard let best, total >= minimum,
      let fit = AlignmentFit(used, from: best.search, minimum: minimum)
    else {
      edgeCount = min(total, minimum - 1)
      reason =
        "too few contours of the depth map meet an edge of the image: \(total) points, "
        + "\(minimum) are needed with their edges"
      return
    }
    edgeCount = fit.count
    judge(fit, width: Double(frames[0].depth.size.width))
  }

  private mutating func judge(_ fit: AlignmentFit, width: Double) {
    let sigma = fit.covariance[0, 0].squareRoot()
    guard fit.contrast >= Self.minimumContrast else {
      reason =
        "the image changes at the depth map's contours hardly more than beside them "
        + "(\(fit.contrast.fixed(2)) of 1)"
      return
    }
    guard fit.scatter <= Self.scatterLimit else {
      reason =
        "contours and edges agree to \(fit.scatter.fixed(1)) px only, hardly better than by chance"
      return
    }
    let sides = (0..<4).count { Double(fit.sideCounts[$0]) >= Self.sideShare * Double(fit.count) }
    guard sides >= 3 else {
      reason =
        "the contours lie on \(sides) of the four sides of things; a zoom, a shift and contours "
        + "that are off as a whole look alike there"
      return
    }
    guard sigma <= Self.sigmaLimit else {
      reason =
        "the contours have too few directions or lie too near to the middle: zoom ± "
        + "\((sigma * 100).fixed(1)) %"
      return
    }
    let value = 1 + fit.parameters.x
    let shift = SIMD2(fit.parameters.y, fit.parameters.z)
    let shiftSigma = SIMD2(
      fit.covariance[1, 1].squareRoot(), fit.covariance[2, 2].squareRoot())
    guard (0.85...1.15).contains(value), max(abs(shift.x), abs(shift.y)) < width / 40 else {
      reason = "the best fit lies at the border of what is searched"
      return
    }
    zoom = value
    zoomSigma = sigma
    shiftPixels = shift
    self.shiftSigma = shiftSigma
    let isZoomed = abs(value - 1) > max(3 * sigma, 0.01)
    let isShifted =
      abs(shift.x) > max(3 * shiftSigma.x, 0.01 * width)
      || abs(shift.y) > max(3 * shiftSigma.y, 0.01 * width)
    verdict = isZoomed || isShifted ? .misaligned : .aligned
    reason =
      "\(verdict == .aligned ? "depth lies on color" : "depth lies beside color"): zoom "
      + "\(value.fixed(4)) ± \(sigma.fixed(4)), shift (\(shift.x.fixed(1)), \(shift.y.fixed(1))) ± "
      + "(\(shiftSigma.x.fixed(1)), \(shiftSigma.y.fixed(1))) px, from \(fit.count) contour points"
  }
}

extension ColorDepthAlignment {
  /// Whether the zoom is that between ARKit's depth and color on some iPads, 3088/3248, within
  /// three standard deviations and not more than 2 %.
  ///
  /// - Source: arXiv 2201.10865, equations 3 and 4.
  package var fitsARKitZoom: Bool {
    guard let zoom, let zoomSigma else { return false }
    return abs(zoom - 3088.0 / 3248) <= min(0.02, max(3 * zoomSigma, 0.004))
  }

  /// The finding that a misaligned map deserves; `nil` when it lies on its image or that is unknown.
  var finding: Finding? {
    guard verdict == .misaligned, let zoom, let zoomSigma, let shiftPixels else { return nil }
    let isZoomed = abs(zoom - 1) > max(3 * zoomSigma, 0.01)
    let advice =
      fitsARKitZoom
      ? "; that is ARKit's zoom" : ""
    return Finding(
      .depthMisaligned, .caution, reason + advice,
      effect: Finding.Effect(lengthPercent: isZoomed ? abs(zoom - 1) * 100 : nil),
      evidence: "\(edgeCount) contour points against the image; zoom \(zoom.fixed(4)), shift "
        + "(\(shiftPixels.x.fixed(1)), \(shiftPixels.y.fixed(1))) px of the depth map",
      correction: fitsARKitZoom ? .available : .none,
      remedies: fitsARKitZoom ? [.undoZoom] : [])
  }
}
