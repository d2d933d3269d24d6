import PlumblineGeometry
public import PlumblineModel
import PlumblineNumerics

/// A morphable model fitted to what images show of a face, by damped least squares.
///
/// Unknown are the head's pose, its identity and its expression; known are the camera, the landmarks, and
/// where there is metric depth, the distance of each visible part along its normal. Derivatives are exact.
public struct FaceFit: Sendable {
  /// The state that was found.
  public let state: FaceState
  /// How well the landmarks are met: the mean distance between those 0…467 that were seen and the model's,
  /// as a share of the distance between the outer corners of the eyes; NaN where these were not seen.
  public let landmarkError: Double
  /// The steps that were taken.
  public let iterationCount: Int
  /// Whether depth took part.
  public let usesDepth: Bool
  /// What the observations and the statistics leave open: the inverse of the covariance of pose (rotation
  /// in radians, translation in meters, the camera's frame), identity and expression.
  let information: SymmetricMatrix

  /// The vertices in the camera's frame, meters; O(modes · vertices).
  public func positions(in model: MorphableModel) -> [PackedPoint] {
    PlacedFace(model, state).inCamera
  }

  /// How far from a landmark a vertex may lie to be compared with depth, meters.
  ///
  /// Ears, scalp and neck lie farther away: they are covered by hair and clothes, which the model lacks.
  static let reachMeters: Float = 0.025
}

/// Fits a morphable model to a face.
public struct FaceFitter: Sendable {
  /// The model.
  public let model: MorphableModel
  /// The steps at most in each of both rounds, with and without depth.
  public var maximumIterationCount = 12
  /// How far a person's shape, which a hundred modes do not hold, lies from the model: one standard
  /// deviation, meters, beside the sensor's noise.
  ///
  /// - Source: measured on `truedepth_iphone14.heic`, where the fit leaves 0.9 mm in the median.
  public var detailSigmaMeters = 0.0008
  /// How many vertices share one deviation of that kind: they lie 2 to 3 mm apart, and it some 12 mm.
  public var verticesPerSample = 10.0
  /// One standard deviation of an expression's share.
  public var expressionSigma = 0.3

  /// How far this head lies off the model along its normals, meters, where it is known already.
  public var displacementMeters: [Float]?

  /// The vertices that are compared with depth: those near a landmark, where there is skin.
  package var comparedVertices: [Bool] { compared }
  var compared: [Bool]

  /// Prepares a model.
  package init(_ model: MorphableModel) {
    self.model = model
    compared = model.verticesNearLandmarks(withinMeters: FaceFit.reachMeters)
  }

  /// Fits one image.
  ///
  /// - Parameters:
  ///   - observation: Landmarks, camera and, where there is any, depth.
  ///   - known: An identity that is known from other images of the same head; it does not change.
  ///   - start: A state to start from, such as that of the frame before.
  /// - Returns: The fit.
  /// - Throws: ``FaceFitError`` where the landmarks make no face or the equations no step.
  /// - Complexity: O(iterations · (modes² · vertices + pixels)): some 0.3 s with depth.
  public func fit(
    _ observation: FaceObservation, identity known: [Float]? = nil, from start: FaceState? = nil
  ) throws(FaceFitError) -> FaceFit {
    let marks = LandmarkTerm(model, observation)
    var state: FaceState
    if let start {
      state = start
    } else {
      guard let pose = PoseStart.cameraFromHead(model, observation) else {
        throw FaceFitError("landmarks", expected: "a face of some extent", found: "none")
      }
      state = FaceState(cameraFromHead: pose, shape: FaceShape(restingIn: model))
    }
    if let known { state.shape.identity = known }
    var search = FitDescent(self, marks: marks, surface: nil, knownIdentity: known)
    if start == nil {
      state = try search.run(from: state, poseOnly: true, iterations: 5)
      state = try search.run(from: state, iterations: maximumIterationCount)
    }
    if let depth = observation.depth {
      if start == nil { state = moved(state, to: depth) }
      search.surface = depth
      search.gates = start == nil ? [0.03, 0.03, 0.02, 0.015, 0.01] : [0.01]
      state = try search.run(from: state, iterations: maximumIterationCount)
    } else if start != nil {
      state = try search.run(from: state, iterations: maximumIterationCount)
    }
    let face = placed(state)
    return FaceFit(
      state: state, landmarkError: marks.meanError(face),
      iterationCount: search.iterationCount, usesDepth: observation.depth != nil,
      information: search.information)
  }

  /// The equations of one image at a state, with a share of what is known of faces before; `nil` where
  /// the image has nothing to say.
  func equations(
    _ observation: FaceObservation, at state: FaceState, priorShare: Double
  ) -> (matrix: SymmetricMatrix, right: [Double])? {
    let marks = LandmarkTerm(model, observation)
    var descent = FitDescent(
      self, marks: marks, surface: observation.depth, knownIdentity: nil)
    return descent.equations(at: state, priorShare: priorShare)
  }

  /// A state's face, with the displacement that is known.
  func placed(_ state: FaceState, atRest: [PackedPoint]? = nil) -> PlacedFace {
    PlacedFace(model, state, displacementMeters: displacementMeters, atRest: atRest)
  }

  /// A state at the distance that was measured: the median ratio of measured and expected depth.
  private func moved(_ state: FaceState, to surface: MeasuredSurface) -> FaceState {
    let face = placed(state)
    let drawing = face.drawn(model, in: surface.camera)
    var ratios: [Float] = []
    for (measured, expected) in zip(surface.meters.samples, drawing.depthMeters.samples)
    where measured > 0 && expected > 0 {
      ratios.append(measured / expected)
    }
    guard let ratio = ratios.upperMedian else { return state }
    var moved = state
    moved.cameraFromHead.translation *= Double(ratio)
    return moved
  }
}

/// An error when a face cannot be fitted.
public struct FaceFitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The part that is wrong.
  public var place: String
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  init(_ place: String, expected: String, found: String) {
    self.place = place
    self.expected = expected
    self.found = found
  }

  /// One sentence.
  public var description: String { "\(place): expected \(expected), found \(found)" }
}

extension MorphableModel {
  /// Which vertices of the mean face lie near a landmark.
  func verticesNearLandmarks(withinMeters reach: Float) -> [Bool] {
    let places = anchors.compactMap { $0 }.map { mean[$0.vertices.x].simd }
    return mean.map { point in
      places.contains { place in
        let way = point.simd - place
        return (way * way).sum() < reach * reach
      }
    }
  }
}

extension LandmarkTerm {
  /// The mean distance between seen and fitted landmarks, over that of the outer corners of the eyes.
  func meanError(_ face: PlacedFace) -> Double {
    func seen(_ index: Int) -> SIMD2<Double>? { marks.first { $0.index == index }?.seen }
    guard let right = seen(LandmarkIndex.rightEyeOuterCorner),
      let left = seen(LandmarkIndex.leftEyeOuterCorner)
    else { return .nan }
    let eyes = right - left
    let width = (eyes * eyes).sum().squareRoot()
    var sum = 0.0
    for mark in marks {
      let point = face.point(mark.anchor)
      let way = SIMD2(Double(point.x), Double(point.y)) / Double(point.z) - mark.seen
      // Of a mark on a curve only the distance from the curve is known.
      sum += mark.isOnCurve ? abs((way * mark.outward).sum()) : (way * way).sum().squareRoot()
    }
    return sum / Double(marks.count) / width
  }
}

/// What one image says of one face: its landmarks, the camera, and the depth beside them.
///
/// Image and depth map are of one camera, upright, and have one field of view.
public struct FaceObservation: Sendable {
  /// The landmarks, in pixels of the image; `nil` where the face is turned away, which a recording
  /// follows by depth alone.
  public var landmarks: FaceLandmarks?
  /// The camera of the image.
  public var camera: CameraCalibration
  /// The measured surface; `nil` without metric depth.
  public var depth: MeasuredSurface?

  /// Creates an observation from its parts.
  package init(
    landmarks: FaceLandmarks?, camera: CameraCalibration, depth: MeasuredSurface? = nil
  ) {
    self.landmarks = landmarks
    self.camera = camera
    self.depth = depth
  }

  /// The landmarks 0…467 where a camera without distortion would have seen them, as directions: `x / z`
  /// and `y / z`; none without landmarks.
  var directions: [SIMD2<Double>] {
    guard let landmarks else { return [] }
    return landmarks.points.prefix(FaceLandmarks.meshCount).map { direction(of: $0) }
  }

  /// Where a camera without distortion would have seen a pixel, as `x / z` and `y / z`.
  func direction(of point: SIMD2<Float>) -> SIMD2<Double> {
    let pixel = SIMD2(Double(point.x), Double(point.y))
    let straight = camera.distortion?.undistorted(pixel) ?? pixel
    return (straight - camera.intrinsics.principalPoint) / camera.intrinsics.focalLength
  }

  /// Pixels for each unit of direction, the mean of both axes.
  var focalLength: Double {
    (camera.intrinsics.focalLength.x + camera.intrinsics.focalLength.y) / 2
  }
}
