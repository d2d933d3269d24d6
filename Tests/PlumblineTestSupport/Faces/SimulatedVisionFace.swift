package import PlumblineFaces
import PlumblineGeometry
import PlumblineModel
import PlumblineSimulation

/// The points that Vision would find of a ``SimulatedHead``: on curves of the face, at places of their own, in
/// an unknown order.
///
/// Where Vision's points lie on a curve is not published; these lie evenly along it, and so at none of the
/// landmarks. The contour is the jaw of the head, also where a cheek would hide it.
package struct SimulatedVisionFace: Sendable {
  /// The points by region.
  package let face: VisionFace
  /// One standard deviation of what was added to each point, in pixels along each axis.
  package let noisePixels: Double

  /// Projects the head.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - noiseShare: The noise of each point, one standard deviation, as a share of the distance between the
  ///     outer corners of the eyes.
  ///   - seed: Of the noise and of the order of the points.
  package init(_ head: SimulatedHead, noiseShare: Double, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let curves = FaceCurves(head)
    let eyes = curves.point(263) - curves.point(33)
    let noise = noiseShare * (eyes * eyes).sum().squareRoot()
    noisePixels = noise
    // A point that regions share is moved once.
    var moved: [SIMD2<Double>: SIMD2<Float>] = [:]
    func seen(_ point: SIMD2<Double>) -> SIMD2<Float> {
      if let known = moved[point] { return known }
      let way = SIMD2(generator.gaussian(), generator.gaussian()) * noise
      let pixel = SIMD2<Float>(point + way)
      moved[point] = pixel
      return pixel
    }
    let lips = LandmarkRegion.lips.lines
    let (upperLip, lowerLip) = (
      curves.line(lips[1], count: 9), curves.line(lips[0], count: 7)
    )
    let inner = curves.line(lips[3], count: 5)
    let innerLower = curves.line(lips[2], count: 3)
    let bridge = curves.line([6, 197, 195, 5, 4], count: 6)
    let wings =
      curves.line([129, 98, 97, 2], count: 4)
      + curves.line([2, 326, 327, 358], count: 4).dropFirst()
    let contour = LandmarkRegion.faceOval.lines[0]
    let jaw = curves.line(
      Array(contour.drop { $0 != 356 }.prefix { $0 != 162 }), count: 17)
    var regions: [VisionFace.Region: [SIMD2<Double>]] = [
      .outerLips: upperLip + lowerLip.dropFirst().dropLast(),
      .innerLips: inner + [innerLower[1]],
      .noseCrest: bridge, .nose: wings + [bridge[5]], .faceContour: jaw,
      .leftPupil: [curves.middle(of: [263, 362])], .rightPupil: [curves.middle(of: [33, 133])],
      .medianLine: bridge.suffix(4) + [
        wings[3], upperLip[4], inner[2], innerLower[1], lowerLip[3], jaw[8],
      ],
    ]
    for (brow, eye, region, eyeRegion) in [
      (
        LandmarkRegion.leftEyebrow, LandmarkRegion.leftEye, VisionFace.Region.leftEyebrow,
        VisionFace.Region.leftEye
      ),
      (.rightEyebrow, .rightEye, .rightEyebrow, .rightEye),
    ] {
      regions[region] = curves.line(brow.lines[1], count: 6)
      let (lower, upper) = (
        curves.line(eye.lines[0], count: 4), curves.line(eye.lines[1], count: 4)
      )
      regions[eyeRegion] = lower + upper.dropFirst().dropLast()
    }
    var points: [VisionFace.Region: [SIMD2<Float>]] = [:]
    for region in VisionFace.Region.allCases {
      points[region] = (regions[region] ?? []).map(seen).shuffled(using: &generator)
    }
    face = VisionFace(points: points, confidence: 1)
  }
}

/// Curves through the landmarks of a head, as its camera sees them.
private struct FaceCurves {
  private let head: SimulatedHead

  init(_ head: SimulatedHead) { self.head = head }

  private func place(_ landmark: Int) -> SIMD3<Double> {
    guard let anchor = head.model.anchors[landmark] else { return .zero }
    var place = SIMD3<Double>.zero
    for corner in 0..<3 {
      place +=
        head.truth.positions[anchor.vertices[corner]].vector * Double(anchor.shares[corner])
    }
    return place
  }

  func point(_ landmark: Int) -> SIMD2<Double> {
    head.camera.intrinsics.project(place(landmark))
  }

  func middle(of landmarks: [Int]) -> SIMD2<Double> {
    landmarks.map(point).reduce(.zero, +) / Double(landmarks.count)
  }

  /// So many points evenly along the lines between landmarks, in space; the ends are the landmarks.
  func line(_ landmarks: [Int], count: Int) -> [SIMD2<Double>] {
    let places = landmarks.map(place)
    var lengths = [0.0]
    for (a, b) in zip(places, places.dropFirst()) {
      lengths.append(lengths[lengths.count - 1] + ((b - a) * (b - a)).sum().squareRoot())
    }
    return (0..<count).map { index in
      let wanted = lengths[lengths.count - 1] * Double(index) / Double(count - 1)
      let next = min(max(1, lengths.firstIndex { $0 >= wanted } ?? 1), places.count - 1)
      let span = lengths[next] - lengths[next - 1]
      let share = span > 0 ? (wanted - lengths[next - 1]) / span : 0
      return head.camera.intrinsics.project(
        places[next - 1] + (places[next] - places[next - 1]) * share)
    }
  }
}
