internal import PlumblineGeometry
internal import PlumblineModel

/// A length on a face with its ±.
public struct FaceMeasurement: Sendable, Hashable {
  /// The length that was measured.
  public var kind: Kind
  /// The length, meters.
  public var meters: Double
  /// One standard deviation, meters: of the positions, the surface and the scale.
  public var sigmaMeters: Double

  /// The lengths that are reported, each between two landmarks.
  ///
  /// - Source: the names are those of facial anthropometry, L. Farkas, *Anthropometry of the Head and
  ///   Face*, 1994; the places are landmarks, so a hand on the skin would find other ones by some
  ///   millimeters.
  public enum Kind: String, Sendable, CaseIterable {
    /// Between the centers of the pupils.
    case interpupillaryDistance
    /// Between the cheeks' sides, where the contour is widest.
    case faceWidth
    /// From the upper end of the forehead's landmarks to the chin.
    case faceHeight
    /// Between the wings of the nose.
    case noseWidth
    /// From the bridge between the eyes to the tip.
    case noseLength
    /// Between the corners of the mouth.
    case mouthWidth
    /// Between the inner corners of the eyes.
    case innerEyeDistance
    /// Between the outer corners of the eyes.
    case outerEyeDistance

    /// The two landmarks.
    public var landmarks: (Int, Int) {
      switch self {
      case .interpupillaryDistance:
        (LandmarkIndex.rightIrisCenter, LandmarkIndex.leftIrisCenter)
      case .faceWidth: (234, 454)
      case .faceHeight: (LandmarkIndex.forehead, LandmarkIndex.chin)
      case .noseWidth: (129, 358)
      case .noseLength: (168, LandmarkIndex.noseTip)
      case .mouthWidth: (LandmarkIndex.mouthRightCorner, LandmarkIndex.mouthLeftCorner)
      case .innerEyeDistance:
        (LandmarkIndex.rightEyeInnerCorner, LandmarkIndex.leftEyeInnerCorner)
      case .outerEyeDistance:
        (LandmarkIndex.rightEyeOuterCorner, LandmarkIndex.leftEyeOuterCorner)
      }
    }
  }
}

/// A landmark's position in space.
public struct LandmarkPoint: Sendable, Hashable {
  /// The position in the camera's frame, meters.
  public var point: SIMD3<Double>
  /// One standard deviation across the line of sight, meters.
  public var lateralSigmaMeters: Double
  /// One standard deviation along the line of sight, meters.
  public var depthSigmaMeters: Double
  /// Whether depth was measured there; else the model says it.
  public var isMeasured: Bool
}

/// The landmarks of an image on a fitted surface.
struct LandmarkPlacement {
  /// What a landmark means on the skin is sure to about a millimeter, whatever the network says.
  static let meaningSigmaMeters = 0.001
  /// Where a landmark lies on the skin is sure to some millimeters where only the model says it.
  static let modelSigmaMeters = 0.003
  /// Along a line of sight, an eye's pupil lies behind the plane of its lids' corners by about this much,
  /// give or take it: the entrance pupil lies 3 mm behind the cornea, which lies before that plane.
  static let pupilSigmaMeters = 0.003

  let points: [LandmarkPoint]

  /// Places the landmarks: those on the skin where their line of sight meets the surface, irises at the
  /// distance of their eye's corners.
  static func placed(
    _ observation: FaceObservation, _ model: MorphableModel, positions: [PackedPoint],
    sigmas: [Float], isMeasured: [Bool]
  ) -> LandmarkPlacement {
    let focal = observation.focalLength
    guard let marks = observation.landmarks else { return LandmarkPlacement(points: []) }
    var points: [LandmarkPoint] = []
    for index in 0..<FaceLandmarks.meshCount {
      let anchor = model.anchors[index]
      var fitted = SIMD3<Double>.zero
      var sigma = 0.0
      for corner in 0..<3 {
        guard let anchor else { break }
        let vertex = anchor.vertices[corner]
        fitted += positions[vertex].vector * Double(anchor.shares[corner])
        sigma += Double(sigmas[vertex]) * Double(anchor.shares[corner])
      }
      let z = fitted.z
      // What was not seen, or may lie elsewhere on its curve, lies where the model has it.
      guard marks.isSeen(index), marks.tangents[index] == nil else {
        points.append(
          LandmarkPoint(
            point: fitted,
            lateralSigmaMeters: (sigma * sigma + modelSigmaMeters * modelSigmaMeters)
              .squareRoot(), depthSigmaMeters: sigma,
            isMeasured: anchor.map { isMeasured[$0.vertices.x] } ?? false))
        continue
      }
      let ray = observation.direction(of: marks.points[index])
      let lateral = Double(marks.sigmasPixels[index]) / focal * z
      points.append(
        LandmarkPoint(
          point: SIMD3(ray.x * z, ray.y * z, z),
          lateralSigmaMeters: (lateral * lateral + meaningSigmaMeters * meaningSigmaMeters)
            .squareRoot(),
          depthSigmaMeters: sigma, isMeasured: anchor.map { isMeasured[$0.vertices.x] } ?? false))
    }
    let eyes = [(33, 133), (263, 362)]
    for (eye, corners) in eyes.enumerated() {
      let z = (points[corners.0].point.z + points[corners.1].point.z) / 2
      for offset in 0..<5 {
        let index = LandmarkIndex.rightIrisCenter + 5 * eye + offset
        let ray = observation.direction(of: marks.points[index])
        points.append(
          LandmarkPoint(
            point: SIMD3(ray.x * z, ray.y * z, z),
            lateralSigmaMeters: Double(marks.sigmasPixels[index]) / focal * z,
            depthSigmaMeters: pupilSigmaMeters, isMeasured: points[corners.0].isMeasured))
      }
    }
    return LandmarkPlacement(points: points)
  }

  /// The distance between two landmarks.
  ///
  /// Both ends err across and along their lines of sight; the scale errs for both together.
  func measurement(_ kind: FaceMeasurement.Kind, scale: FaceScale) -> FaceMeasurement {
    let (a, b) = (points[kind.landmarks.0], points[kind.landmarks.1])
    let way = b.point - a.point
    let length = (way * way).sum().squareRoot()
    var variance = 0.0
    for end in [a, b] {
      let distance = (end.point * end.point).sum().squareRoot()
      let along = length > 0 && distance > 0 ? (way * end.point).sum() / length / distance : 0
      let across = max(0, 1 - along * along)
      variance +=
        end.lateralSigmaMeters * end.lateralSigmaMeters * across
        + end.depthSigmaMeters * end.depthSigmaMeters * along * along
    }
    // Both eyes lie behind their lids alike, which changes the length by that much of the distance.
    if kind == .interpupillaryDistance, a.point.z > 0 {
      let shift = length * Self.pupilSigmaMeters / a.point.z
      variance += shift * shift
    }
    let common = length * scale.sigmaShare
    return FaceMeasurement(
      kind: kind, meters: length, sigmaMeters: (variance + common * common).squareRoot())
  }
}
