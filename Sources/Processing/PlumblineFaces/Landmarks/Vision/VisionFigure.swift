/// The figure of a face that Vision found: its parts by where they lie, not by what they are called.
///
/// Sides are the person's, in an image that is no mirror image: the person's right lies left.
struct VisionFigure {
  /// An eye: its corners, and the points of its lids from the outer corner to the inner one.
  struct Eye {
    var outer: SIMD2<Float>
    var inner: SIMD2<Float>
    var upper: [SIMD2<Float>]
    var lower: [SIMD2<Float>]
    var pupil: SIMD2<Float>
  }

  /// Lips: corners, middle points, and the points between, from the person's right to the left.
  struct Lips {
    var right: SIMD2<Float>
    var left: SIMD2<Float>
    var upperMiddle: SIMD2<Float>
    var lowerMiddle: SIMD2<Float>
    var upper: [SIMD2<Float>]
    var lower: [SIMD2<Float>]
  }

  /// The person's right eye.
  let rightEye: Eye
  /// The person's left eye.
  let leftEye: Eye
  /// The person's right eyebrow, from the outer end to the inner one, as points of a parabola: a line
  /// through the brow and a ring around it give the same.
  let rightEyebrow: [SIMD2<Float>]
  /// The person's left eyebrow, from the outer end to the inner one.
  let leftEyebrow: [SIMD2<Float>]
  /// The outer edge of the lips.
  let outerLips: Lips
  /// The middle points of the lips' inner edges; whether its other points are corners is not told.
  let innerMiddle: (upper: SIMD2<Float>, lower: SIMD2<Float>)
  /// The tip of the nose.
  let noseTip: SIMD2<Float>
  /// The lowest point of the nose above the lip; `nil` where it is not told.
  let noseBase: SIMD2<Float>?
  /// The outermost points of the nose's wings, the person's right first.
  let noseWings: (right: SIMD2<Float>, left: SIMD2<Float>)
  /// The bridge from above to the tip, which is left out.
  let noseBridge: [SIMD2<Float>]
  /// The lowest point of the chin.
  let chin: SIMD2<Float>
  /// The jaw from the chin, which is left out, up to the person's right temple and left temple.
  let jaw: (right: [SIMD2<Float>], left: [SIMD2<Float>])
  /// The distance of the eyes' outer corners, in pixels.
  let eyeWidth: Float

  /// Finds the parts.
  ///
  /// - Throws: ``FaceFitError`` for a region with another number of points, and for regions that do not share
  ///   the points that Vision's do.
  init(_ face: VisionFace) throws(FaceFitError) {
    for region in VisionFace.Region.allCases {
      let count = face.points[region]?.count ?? 0
      guard count == region.pointCount,
        face.points[region]?.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) == true
      else {
        throw FaceFitError(
          "Vision's region \(region.rawValue)", expected: "\(region.pointCount) points",
          found: "\(count), or such without a place")
      }
    }
    func points(_ region: VisionFace.Region) -> [SIMD2<Float>] { face.points[region] ?? [] }
    let lips = points(.outerLips)
    let axes = try FaceAxes(
      eyes: points(.leftEye) + points(.rightEye), mouth: lips)
    let eyes = axes.fromRight(points(.leftEye), points(.rightEye))
    let pupils = axes.fromRight(points(.leftPupil), points(.rightPupil))
    rightEye = axes.eye(eyes.0, pupil: pupils.0[0], isRight: true)
    leftEye = axes.eye(eyes.1, pupil: pupils.1[0], isRight: false)
    let between = leftEye.outer - rightEye.outer
    eyeWidth = (between * between).sum().squareRoot()
    guard eyeWidth > 0 else {
      throw FaceFitError("Vision's eyes", expected: "two eyes", found: "none of any extent")
    }
    let brows = axes.fromRight(points(.leftEyebrow), points(.rightEyebrow))
    rightEyebrow = axes.smoothed(brows.0)
    leftEyebrow = axes.smoothed(brows.1).reversed()
    let same = SharedPoints(toleranceSquared: 1e-6 * eyeWidth * eyeWidth)
    let median = points(.medianLine)
    outerLips = axes.lips(lips, try axes.middle(of: same.common(lips, median), "outerLips"))
    innerMiddle = try axes.middle(
      of: same.common(points(.innerLips), median), "innerLips")
    let nose = try VisionNose(
      points(.nose), crest: points(.noseCrest), median: median, same, axes)
    (noseTip, noseBase, noseWings, noseBridge) = (nose.tip, nose.base, nose.wings, nose.bridge)
    let contour = axes.aroundChin(points(.faceContour))
    let chins = contour.indices.filter { index in
      median.contains { same.isSame($0, contour[index]) }
    }
    guard let lowest = chins.first, chins.count == 1, lowest > 0, lowest + 1 < contour.count else {
      throw FaceFitError(
        "Vision's contour", expected: "one point that it shares with the median line, the chin",
        found: "\(chins.count)")
    }
    chin = contour[lowest]
    jaw = (contour[..<lowest].reversed(), Array(contour[(lowest + 1)...]))
  }
}

/// The nose of a figure.
private struct VisionNose {
  let tip: SIMD2<Float>
  let base: SIMD2<Float>?
  let wings: (right: SIMD2<Float>, left: SIMD2<Float>)
  let bridge: [SIMD2<Float>]

  init(
    _ nose: [SIMD2<Float>], crest: [SIMD2<Float>], median: [SIMD2<Float>], _ same: SharedPoints,
    _ axes: FaceAxes
  ) throws(FaceFitError) {
    let tips = same.common(same.common(nose, crest), median)
    guard let tip = tips.first, tips.count == 1 else {
      throw FaceFitError(
        "Vision's nose", expected: "one point that nose, crest and median line share",
        found: "\(tips.count)")
    }
    self.tip = tip
    base = same.common(nose, median).first { !same.isSame($0, tip) && axes.isBelow($0, tip) }
    // A nose seen from the side may have its tip farther out than a wing.
    let rest = nose.filter { point in
      !same.isSame(point, tip) && !median.contains { same.isSame(point, $0) }
    }
    guard !rest.isEmpty else {
      throw FaceFitError("Vision's nose", expected: "points of its wings", found: "none")
    }
    wings = axes.ends(rest)
    bridge = crest.filter { !same.isSame($0, tip) }.sorted { axes.isBelow($1, $0) }
  }
}

/// Which points of two regions are the same one.
private struct SharedPoints {
  let toleranceSquared: Float

  func isSame(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Bool {
    ((a - b) * (a - b)).sum() <= toleranceSquared
  }

  func common(_ a: [SIMD2<Float>], _ b: [SIMD2<Float>]) -> [SIMD2<Float>] {
    a.filter { point in b.contains { isSame(point, $0) } }
  }
}

/// The directions of an upright face in its image.
private struct FaceAxes {
  /// From the mouth to the eyes, of length 1.
  let up: SIMD2<Float>
  /// To the person's left, of length 1.
  let left: SIMD2<Float>
  /// The middle between eyes and mouth.
  let center: SIMD2<Float>

  init(eyes: [SIMD2<Float>], mouth: [SIMD2<Float>]) throws(FaceFitError) {
    let upper = eyes.reduce(.zero, +) / Float(eyes.count)
    let lower = mouth.reduce(.zero, +) / Float(mouth.count)
    let way = upper - lower
    center = (upper + lower) / 2
    let length = (way * way).sum().squareRoot()
    guard length > 0 else {
      throw FaceFitError("Vision's points", expected: "eyes apart from the mouth", found: "none")
    }
    up = way / length
    left = SIMD2(-up.y, up.x)
  }

  func across(_ point: SIMD2<Float>) -> Float { (point * left).sum() }
  func height(_ point: SIMD2<Float>) -> Float { (point * up).sum() }
  func isBelow(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Bool { height(a) < height(b) }

  /// From the person's right to the left.
  func sorted(_ points: [SIMD2<Float>]) -> [SIMD2<Float>] {
    points.sorted { across($0) < across($1) }
  }

  /// The outermost points.
  ///
  /// - Precondition: There is a point.
  func ends(_ points: [SIMD2<Float>]) -> (right: SIMD2<Float>, left: SIMD2<Float>) {
    let sorted = sorted(points)
    return (sorted[0], sorted[sorted.count - 1])
  }

  /// Two regions, the one at the person's right first.
  func fromRight(
    _ a: [SIMD2<Float>], _ b: [SIMD2<Float>]
  ) -> ([SIMD2<Float>], [SIMD2<Float>]) {
    across(a.reduce(.zero, +)) / Float(a.count) < across(b.reduce(.zero, +)) / Float(b.count)
      ? (a, b) : (b, a)
  }

  /// Around the chin, from the person's right temple to the left one.
  func aroundChin(_ points: [SIMD2<Float>]) -> [SIMD2<Float>] {
    func fromChin(_ point: SIMD2<Float>) -> Float {
      angle(SIMD2(-height(point - center), across(point - center)))
    }
    return points.sorted { fromChin($0) < fromChin($1) }
  }

  /// The points from the person's right to the left, moved up or down onto the parabola that fits them best.
  func smoothed(_ points: [SIMD2<Float>]) -> [SIMD2<Float>] {
    let sorted = sorted(points)
    let middle = sorted.reduce(.zero, +) / Float(sorted.count)
    let places = sorted.map { Double(across($0 - middle)) }
    let heights = sorted.map { Double(height($0 - middle)) }
    guard let parabola = Parabola(places, heights) else { return sorted }
    return places.map { middle + left * Float($0) + up * Float(parabola.height(at: $0)) }
  }

  func eye(
    _ ring: [SIMD2<Float>], pupil: SIMD2<Float>, isRight: Bool
  ) -> VisionFigure.Eye {
    let (right, left) = ends(ring)
    let inside = sorted(ring.filter { $0 != right && $0 != left })
    // Half of the points lie on each lid, however far the eye is open.
    let way = left - right
    func depth(_ point: SIMD2<Float>) -> Float {
      (point - right).y * way.x - (point - right).x * way.y
    }
    let order = inside.indices.sorted { depth(inside[$0]) < depth(inside[$1]) }
    let above = Set(order.prefix(inside.count / 2))
    let upper = inside.indices.filter { above.contains($0) }.map { inside[$0] }
    let lower = inside.indices.filter { !above.contains($0) }.map { inside[$0] }
    return isRight
      ? VisionFigure.Eye(outer: right, inner: left, upper: upper, lower: lower, pupil: pupil)
      : VisionFigure.Eye(
        outer: left, inner: right, upper: upper.reversed(), lower: lower.reversed(), pupil: pupil)
  }

  /// The two points of a ring of lips on the median line, the upper first.
  func middle(
    of points: [SIMD2<Float>], _ name: String
  ) throws(FaceFitError) -> (upper: SIMD2<Float>, lower: SIMD2<Float>) {
    guard points.count == 2 else {
      throw FaceFitError(
        "Vision's region \(name)", expected: "two points that it shares with the median line",
        found: "\(points.count)")
    }
    return isBelow(points[1], points[0]) ? (points[0], points[1]) : (points[1], points[0])
  }

  func lips(
    _ ring: [SIMD2<Float>], _ middle: (upper: SIMD2<Float>, lower: SIMD2<Float>)
  ) -> VisionFigure.Lips {
    let (right, left) = ends(ring)
    let inside = sorted(ring.filter { $0 != right && $0 != left })
    // Upper and lower lip part along the mouth, which a smile bends.
    let line = [right, (middle.upper + middle.lower) / 2, left].map { $0 - center }
    let mouth = Parabola(line.map { Double(across($0)) }, line.map { Double(height($0)) })
    func isUpper(_ point: SIMD2<Float>) -> Bool {
      let way = point - center
      return Double(height(way)) > mouth?.height(at: Double(across(way))) ?? 0
    }
    return VisionFigure.Lips(
      right: right, left: left, upperMiddle: middle.upper, lowerMiddle: middle.lower,
      upper: inside.filter(isUpper), lower: inside.filter { !isUpper($0) })
  }
}

/// The parabola of least squares through points of a plane.
private struct Parabola {
  private let values: [Double]

  /// `nil` for points that determine none.
  init?(_ places: [Double], _ heights: [Double]) {
    // The normal equations of 1, x and x², by Cramer's rule.
    let sums = (0..<5).map { power in
      places.reduce(0) { sum, x in sum + (0..<power).reduce(1) { product, _ in product * x } }
    }
    let right = (0..<3).map { power in
      zip(places, heights).reduce(0) { sum, pair in
        sum + (0..<power).reduce(pair.1) { product, _ in product * pair.0 }
      }
    }
    func determinant(_ replaced: Int?) -> Double {
      func entry(_ row: Int, _ column: Int) -> Double {
        column == replaced ? right[row] : sums[row + column]
      }
      return entry(0, 0) * (entry(1, 1) * entry(2, 2) - entry(1, 2) * entry(2, 1))
        - entry(0, 1) * (entry(1, 0) * entry(2, 2) - entry(1, 2) * entry(2, 0))
        + entry(0, 2) * (entry(1, 0) * entry(2, 1) - entry(1, 1) * entry(2, 0))
    }
    let whole = determinant(nil)
    guard abs(whole) > 1e-12 * sums[4] * sums[2] * Double(max(places.count, 1)) else { return nil }
    values = (0..<3).map { determinant($0) / whole }
  }

  func height(at place: Double) -> Double { values[0] + place * (values[1] + place * values[2]) }
}
