import PlumblineModel

extension FaceLandmarks {
  /// What is assumed of Vision's points: one standard deviation, as a share of the distance between the
  /// eyes' outer corners, about 1.4 mm.
  ///
  /// Nothing is published, and no device was at hand.
  static let visionSigmaShare: Float = 0.015
  /// The same for points whose place on a face is known roughly only, such as the wings of the nose.
  static let visionRoughSigmaShare: Float = 0.035

  /// The landmarks that Vision's points are, by MediaPipe's numbers.
  ///
  /// Corners of eyes and mouth, the middle of the lips, the tip and the base of the nose and the chin are
  /// known by how regions meet. Other points lie on a curve of the face: each is given the landmark of that
  /// curve that lies at its share of the way, and only its distance from the curve counts. The landmarks of
  /// forehead and cheeks are not seen, and there are no depths.
  ///
  /// - Parameters:
  ///   - face: The face; the image is no mirror image.
  ///   - model: The model that is to be fitted, whose mean face says where landmarks lie on the curves.
  /// - Throws: ``FaceFitError`` where the points are not as Vision gives them. O(landmarks).
  public init(_ face: VisionFace, on model: MorphableModel) throws(FaceFitError) {
    let figure = try VisionFigure(face)
    var placing = VisionPlacing(model, eyeWidth: figure.eyeWidth)
    placing.placePoints(of: figure)
    placing.placeCurves(of: figure)
    let seen = placing.points
    self.init(
      points: seen.map { $0 ?? SIMD2(repeating: .nan) },
      relativeDepths: Array(repeating: .nan, count: Self.count),
      sigmasPixels: zip(seen, placing.sigmas).map { $0 == nil ? .infinity : $1 },
      presence: face.confidence)
    tangents = placing.tangents
  }
}

/// Gives Vision's points the numbers of landmarks.
private struct VisionPlacing {
  private let model: MorphableModel
  private let sigma: Float
  private let roughSigma: Float
  var points = [SIMD2<Float>?](repeating: nil, count: FaceLandmarks.count)
  var sigmas = [Float](repeating: .infinity, count: FaceLandmarks.count)
  var tangents: [Int: SIMD2<Float>] = [:]

  init(_ model: MorphableModel, eyeWidth: Float) {
    self.model = model
    sigma = FaceLandmarks.visionSigmaShare * eyeWidth
    roughSigma = FaceLandmarks.visionRoughSigmaShare * eyeWidth
  }

  private mutating func place(_ landmark: Int, _ point: SIMD2<Float>, isRough: Bool = false) {
    points[landmark] = point
    sigmas[landmark] = isRough ? roughSigma : sigma
  }

  /// The points that follow from how regions meet.
  mutating func placePoints(of figure: VisionFigure) {
    place(LandmarkIndex.rightEyeOuterCorner, figure.rightEye.outer)
    place(LandmarkIndex.rightEyeInnerCorner, figure.rightEye.inner)
    place(LandmarkIndex.leftEyeOuterCorner, figure.leftEye.outer)
    place(LandmarkIndex.leftEyeInnerCorner, figure.leftEye.inner)
    place(LandmarkIndex.rightIrisCenter, figure.rightEye.pupil)
    place(LandmarkIndex.leftIrisCenter, figure.leftEye.pupil)
    place(LandmarkIndex.mouthRightCorner, figure.outerLips.right)
    place(LandmarkIndex.mouthLeftCorner, figure.outerLips.left)
    place(LandmarkIndex.upperLip, figure.outerLips.upperMiddle)
    place(LandmarkIndex.lowerLip, figure.outerLips.lowerMiddle)
    place(13, figure.innerMiddle.upper)
    place(14, figure.innerMiddle.lower)
    place(LandmarkIndex.noseTip, figure.noseTip, isRough: true)
    if let base = figure.noseBase { place(2, base, isRough: true) }
    place(129, figure.noseWings.right, isRough: true)
    place(358, figure.noseWings.left, isRough: true)
    place(LandmarkIndex.chin, figure.chin, isRough: true)
  }

  /// The points of which only the curve is known.
  mutating func placeCurves(of figure: VisionFigure) {
    let (rightLines, leftLines) = (LandmarkRegion.rightEye.lines, LandmarkRegion.leftEye.lines)
    for (eye, lines) in [(figure.rightEye, rightLines), (figure.leftEye, leftLines)] {
      place([eye.outer] + eye.lower + [eye.inner], on: lines[0])
      place([eye.outer] + eye.upper + [eye.inner], on: lines[1])
    }
    // Where on it a brow begins and ends, and whether its edge or its middle is meant, is not known.
    placeOpen(figure.rightEyebrow, on: LandmarkRegion.rightEyebrow.lines[1], isRough: true)
    placeOpen(figure.leftEyebrow, on: LandmarkRegion.leftEyebrow.lines[1], isRough: true)
    let lips = LandmarkRegion.lips.lines
    let ring = figure.outerLips
    placeHalves([ring.right] + ring.lower + [ring.left], middle: ring.lowerMiddle, on: lips[0])
    placeHalves([ring.right] + ring.upper + [ring.left], middle: ring.upperMiddle, on: lips[1])
    placeOpen(figure.noseBridge + [figure.noseTip], on: [168, 6, 197, 195, 5, 4], hasEnd: true)
    let contour = LandmarkTerm.contour
    guard let chin = contour.firstIndex(of: LandmarkIndex.chin),
      let rightEnd = contour.firstIndex(of: 127), let leftEnd = contour.firstIndex(of: 356)
    else { return }
    placeOpen(
      [figure.chin] + figure.jaw.right, on: Array(contour[chin...rightEnd]), hasStart: true)
    placeOpen(
      [figure.chin] + figure.jaw.left, on: contour[leftEnd...chin].reversed(), hasStart: true)
  }

  /// Places a half of a ring on both sides of its middle.
  private mutating func placeHalves(
    _ line: [SIMD2<Float>], middle: SIMD2<Float>, on landmarks: [Int]
  ) {
    let center = landmarks.count / 2
    guard let split = line.firstIndex(of: middle) else { return }
    place(Array(line[...split]), on: Array(landmarks[...center]))
    place(Array(line[split...]), on: Array(landmarks[center...]))
  }

  /// Places the points of a curve whose ends are placed already.
  private mutating func place(_ line: [SIMD2<Float>], on landmarks: [Int]) {
    placeOpen(line, on: landmarks, hasStart: true, hasEnd: true)
  }

  /// Places the points of a curve by their share of the way along it.
  ///
  /// - Parameters:
  ///   - line: The points in their order.
  ///   - landmarks: The landmarks of the same curve, in the same order.
  ///   - hasStart: Whether the first point is placed already.
  ///   - hasEnd: Whether the last one is.
  ///   - isRough: Whether the curve itself is known roughly only.
  private mutating func placeOpen(
    _ line: [SIMD2<Float>], on landmarks: [Int], hasStart: Bool = false, hasEnd: Bool = false,
    isRough: Bool = false
  ) {
    guard line.count >= 2, let shares = shares(of: landmarks) else { return }
    let own = Self.shares(line)
    for index in line.indices {
      if index == 0 && hasStart || index == line.count - 1 && hasEnd { continue }
      let nearest = landmarks.indices.min {
        abs(shares[$0] - own[index]) < abs(shares[$1] - own[index])
      }
      // Of two points that are nearest to one landmark the first is kept.
      guard let nearest, points[landmarks[nearest]] == nil else { continue }
      place(landmarks[nearest], line[index], isRough: isRough)
      tangents[landmarks[nearest]] =
        line[min(index + 1, line.count - 1)] - line[max(index - 1, 0)]
    }
  }

  /// The share of the way of each landmark on the mean face; `nil` where one has no place there.
  private func shares(of landmarks: [Int]) -> [Float]? {
    var places: [SIMD3<Float>] = []
    for landmark in landmarks {
      guard let anchor = model.anchors[landmark] else { return nil }
      var place = SIMD3<Float>.zero
      for corner in 0..<3 {
        place += model.mean[anchor.vertices[corner]].simd * anchor.shares[corner]
      }
      places.append(place)
    }
    return Self.shares(places)
  }

  private static func shares<Point: SIMD>(_ line: [Point]) -> [Float] where Point.Scalar == Float {
    var lengths: [Float] = [0]
    for (a, b) in zip(line, line.dropFirst()) {
      lengths.append((lengths.last ?? 0) + ((b - a) * (b - a)).sum().squareRoot())
    }
    let whole = lengths.last ?? 0
    return lengths.map { whole > 0 ? $0 / whole : 0 }
  }
}
