internal import PlumblineModel

/// The deviations of the model's landmarks from the detected ones, in standard deviations.
///
/// Landmarks of the face's contour slide. If the anchor is turned away from the camera, it is replaced by
/// a position beside it that just faces the camera, and only the distance across the contour counts.
struct LandmarkTerm {
  /// One landmark: the direction in which it was detected, and the weight of a deviation on each axis.
  struct Mark {
    /// The number of the landmark.
    var index: Int
    var seen: SIMD2<Double>
    var anchor: LandmarkAnchor
    /// Standard deviations for each unit of direction, before the distance is known.
    var sigma: Double
    /// The vertices around the anchor, for marks of the contour alone.
    var around: [Int]
    /// The direction across the contour in the image, for those marks; across the curve, for marks that
    /// are known only to lie on one.
    var outward: SIMD2<Double>
    /// Whether the position along the curve is unknown, so that only the distance across it counts.
    var isOnCurve = false
  }

  let marks: [Mark]
  /// The number of marks that share an error, see ``marksPerSample``.
  private let shared: Double
  /// One standard deviation between an anchor and the network's landmark on a face, in meters.
  ///
  /// On the photos at hand the mean face's anchors and the network differ by some 2 mm after the fit.
  static let anchorSigmaMeters = 0.0015
  /// The same for landmarks of the contour and the forehead, where no feature of the skin marks them.
  static let contourSigmaMeters = 0.004
  /// The number of landmarks that share an error: the 468 lie about 5 mm apart, and the errors of the
  /// network or of an anchor extend over some 15 mm.
  ///
  /// Fewer landmarks lie farther apart.
  static let marksPerSample = 4.0
  /// The ratio of residual to sigma at which a landmark's pull fades.
  static let robustness = 3.0

  /// The landmarks on the face's contour, in its order; the first one is not repeated at the end.
  static let contour = Array(LandmarkRegion.faceOval.lines.joined().dropLast())

  init(_ model: MorphableModel, _ observation: FaceObservation) {
    guard let landmarks = observation.landmarks else {
      marks = []
      shared = Self.marksPerSample
      return
    }
    let seenCount = (0..<FaceLandmarks.meshCount).count { landmarks.isSeen($0) }
    shared = max(
      1, Self.marksPerSample * Double(seenCount) / Double(FaceLandmarks.meshCount))
    let directions = observation.directions
    let focal = observation.focalLength
    var places: [Int: Int] = [:]
    for (place, landmark) in Self.contour.enumerated() { places[landmark] = place }
    let count = Self.contour.count
    marks = model.anchors.indices.compactMap { index in
      guard let anchor = model.anchors[index], landmarks.isSeen(index) else { return nil }
      let sigma = Double(landmarks.sigmasPixels[index]) / focal
      if let tangent = landmarks.tangents[index] {
        let length = Double((tangent * tangent).sum().squareRoot())
        return Mark(
          index: index, seen: directions[index], anchor: anchor, sigma: sigma,
          around: places[index] == nil ? [] : Self.around(anchor, model),
          outward: length > 0 ? SIMD2(Double(tangent.y), -Double(tangent.x)) / length : [1, 0],
          isOnCurve: true)
      }
      guard let place = places[index] else {
        return Mark(
          index: index, seen: directions[index], anchor: anchor, sigma: sigma, around: [],
          outward: .zero)
      }
      let along =
        directions[Self.contour[(place + 1) % count]]
        - directions[Self.contour[(place + count - 1) % count]]
      let length = (along * along).sum().squareRoot()
      return Mark(
        index: index, seen: directions[index], anchor: anchor, sigma: sigma,
        around: Self.around(anchor, model),
        outward: length > 0 ? SIMD2(along.y, -along.x) / length : [1, 0])
    }
  }

  /// The vertices within 30 mm of an anchor on the mean face.
  private static func around(_ anchor: LandmarkAnchor, _ model: MorphableModel) -> [Int] {
    let center = model.mean[anchor.vertices.x].simd
    return model.mean.indices.filter { vertex in
      let way = model.mean[vertex].simd - center
      return (way * way).sum() < 0.03 * 0.03
    }
  }

  /// Adds the rows of a state; returns the robust sum of squares.
  func add(_ face: PlacedFace, to equations: inout NormalEquations) -> Double {
    sum(face) { mark, residual, axes, weight in
      for (axis, value) in zip(axes, residual) {
        let scaled = axis * Float(weight)
        equations.add(
          direction: scaled, turned: face.turned(scaled),
          arm: mark.point - SIMD3<Float>(face.state.cameraFromHead.translation),
          residual: Float(value * weight), vertices: mark.anchor.vertices,
          shares: mark.anchor.shares)
      }
    }
  }

  /// The robust sum of squares of a state.
  func cost(_ face: PlacedFace) -> Double { sum(face) { _, _, _, _ in } }

  private func sum(
    _ face: PlacedFace,
    _ body: (
      _ mark: (point: SIMD3<Float>, anchor: LandmarkAnchor), _ residual: [Double],
      _ axes: [SIMD3<Float>], _ weight: Double
    ) -> Void
  ) -> Double {
    var total = 0.0
    for mark in marks {
      let anchor = slid(mark, face)
      let point = face.point(anchor)
      let z = Double(point.z)
      guard z > 0.01 else { continue }
      let seen = SIMD2(Double(point.x), Double(point.y)) / z
      let limit = mark.around.isEmpty ? Self.anchorSigmaMeters : Self.contourSigmaMeters
      let sigma = (mark.sigma * mark.sigma + limit * limit / (z * z)).squareRoot()
      let difference = seen - mark.seen
      var residual = [difference.x, difference.y]
      let inverse = Float(1 / z)
      var axes = [
        SIMD3<Float>(inverse, 0, -Float(seen.x) * inverse),
        SIMD3<Float>(0, inverse, -Float(seen.y) * inverse),
      ]
      if anchor != mark.anchor || mark.isOnCurve {
        residual = [(difference * mark.outward).sum()]
        axes = [axes[0] * Float(mark.outward.x) + axes[1] * Float(mark.outward.y)]
      }
      let square = residual.reduce(0) { $0 + $1 * $1 } / (sigma * sigma)
      let scale = Self.robustness * Self.robustness
      // Far out, half the cost of Charbonnier's penalty grows only like |r|: an eyebrow hidden by hair
      // has some influence, but does not distort the fit.
      total += 2 * scale * ((1 + square / scale).squareRoot() - 1) / shared
      let weight =
        (1 / (1 + square / scale).squareRoot() / shared).squareRoot() / sigma
      body((point, anchor), residual, axes, weight)
    }
    return total
  }

  /// The anchor itself; for a mark of the contour that is turned away, the vertex beside it that just faces
  /// the camera and is nearest, across the contour, to the detected position.
  private func slid(_ mark: Mark, _ face: PlacedFace) -> LandmarkAnchor {
    guard !mark.around.isEmpty, face.facing(mark.anchor.vertices.x) < 0.1 else {
      return mark.anchor
    }
    var best = mark.anchor.vertices.x
    var least = Double.infinity
    for vertex in mark.around {
      let facing = Double(face.facing(vertex))
      guard (0.05...0.35).contains(facing) else { continue }
      let point = face.inCamera[vertex]
      let seen = SIMD2(Double(point.x), Double(point.y)) / Double(point.z)
      let along = SIMD2(-mark.outward.y, mark.outward.x)
      let distance = abs(((seen - mark.seen) * along).sum()) * Double(point.z)
      // A millimeter along the contour is worth as much as 0.02 of facing.
      let score = distance * 20 + facing
      if score < least {
        least = score
        best = vertex
      }
    }
    guard best != mark.anchor.vertices.x else { return mark.anchor }
    return LandmarkAnchor(vertices: [best, best, best], shares: [1, 0, 0])
  }
}

extension PlacedFace {
  /// A position on the surface, in the camera's frame.
  func point(_ anchor: LandmarkAnchor) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for corner in 0..<3 { sum += inCamera[anchor.vertices[corner]].simd * anchor.shares[corner] }
    return sum
  }
}
