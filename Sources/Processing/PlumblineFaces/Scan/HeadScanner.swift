import PlumblineModel
import Synchronization

/// One head from several images of it: one identity and one surface, a pose and an expression for each.
public struct HeadScan: Sendable {
  /// The result of one image.
  public struct Frame: Sendable {
    /// The image's number.
    public var index: Int
    /// The pose and expression of the head.
    public var state: FaceState
    /// Whether landmarks took part; else depth alone.
    public var usesLandmarks: Bool
    /// The median of the pixels' absolute distances to the surface along its normal, meters.
    public var medianResidualMeters: Double
    /// The share of the face's pixels whose depth was used.
    public var measuredShare: Double
  }

  /// The frames that were followed, by number.
  public let frames: [Frame]
  /// The frames that were not, and why.
  public let lost: [(index: Int, reason: String)]
  /// The frame whose face is the most frontal.
  public let reference: Int
  /// The head in that frame.
  public let fit: FaceFit
  /// Its surface, of all frames: residuals of a vertex are means over frames, those of pixels every tenth
  /// of each frame.
  public let refined: RefinedFace
}

/// Lays one head onto the images of a recording.
package struct HeadScanner: Sendable {
  /// The fitter of single images.
  package let fitter: FaceFitter
  /// The refiner, whose range and gate serve here too.
  package let refiner: FaceRefiner
  /// Frames that take part in the common identity at most; they are chosen by the head's turn.
  package var maximumKeyframeCount = 12
  /// The maximum number of threads; the result does not depend on it.
  package var threads = 2
  /// Steps of a frame whose pose is known but for a fraction of a millimeter.
  package var settlingIterationCount = 3
  /// Errors of one frame that its pixels share, such as those of its pose: one standard deviation, meters.
  package var frameSigmaMeters: Float = 0.0003
  /// Below this share of a face's pixels within reach, a frame has lost the head.
  package var leastMeasuredShare = 0.35

  /// Prepares a scanner.
  package init(_ fitter: FaceFitter) {
    self.fitter = fitter
    refiner = FaceRefiner(fitter)
  }

  /// Follows a head.
  ///
  /// The most frontal frame is fitted first; from it the head is followed to both sides, each frame from
  /// its neighbor's pose. Frames without usable landmarks are followed by depth alone.
  ///
  /// - Parameter observations: The frames in their order; `nil` for one that cannot be read.
  /// - Returns: The head, and the result of each frame.
  /// - Throws: ``FaceFitError`` where no frame has both landmarks and depth.
  /// - Complexity: O(frames): some 60 ms each at 320 × 240.
  package func scan(_ observations: [FaceObservation?]) throws(FaceFitError) -> HeadScan {
    guard let start = Self.reference(observations), let first = observations[start] else {
      throw FaceFitError(
        "the recording", expected: "a frame with landmarks and metric depth", found: "none")
    }
    let seed = try fitter.fit(first)
    var head = FollowedHead(self, observations: observations)
    head.identity = seed.state.shape.identity
    head.follow(from: start, seed.state)
    guard !head.states.isEmpty else {
      throw FaceFitError("the recording", expected: "a head that can be followed", found: "none")
    }
    // The common identity needs the frames that it is made of, the surface all of them.
    for _ in 0..<2 {
      head.updateIdentity()
      head.settle(head.keyframes)
    }
    head.settleAll()
    head.updateDisplacement(drawsSigmas: false)
    head.settleAll()
    head.updateDisplacement(drawsSigmas: true)
    return try head.scan(reference: start)
  }

  /// The fit of one frame of a head whose identity is known, from the pose of the frame before: what a live
  /// recording needs.
  ///
  /// - Throws: ``FaceFitError``. Cost: some 20 ms at 320 × 240.
  package func followed(
    _ observation: FaceObservation, identity: [Float], from state: FaceState
  ) throws(FaceFitError) -> FaceFit {
    try follower(of: fitter).fit(observation, identity: identity, from: state)
  }

  /// A fitter of poses and expressions, to which half of a fine model's vertices are enough.
  func follower(of fitter: FaceFitter) -> FaceFitter {
    guard fitter.compared.count(where: \.self) >= Self.fineVertexCount else { return fitter }
    var fitter = fitter
    fitter.compared = fitter.compared.enumerated().map { $0.element && $0.offset % 2 == 0 }
    fitter.verticesPerSample /= 2
    return fitter
  }

  /// From so many compared vertices on, half of them still lie denser than a depth map's detail.
  private static let fineVertexCount = 3000

  /// The frame that faces the camera most, among those with landmarks and depth.
  private static func reference(_ observations: [FaceObservation?]) -> Int? {
    observations.indices.filter {
      observations[$0]?.landmarks != nil && observations[$0]?.depth != nil
    }
    .min { a, b in turn(observations[a]) < turn(observations[b]) }
  }

  private static func turn(_ observation: FaceObservation?) -> Float {
    guard let landmarks = observation?.landmarks else { return .infinity }
    return abs(HeadTurn(landmarks).yawRadians)
  }
}

/// What a closure gives for each index, in order, worked out on at most `threads` threads.
///
/// The result does not depend on the number of threads.
func concurrentMap<Result: Sendable>(
  _ indices: [Int], threads: Int, _ body: @Sendable (Int) -> Result
) -> [Result] {
  let results = Mutex<[Int: Result]>([:])
  forEachConcurrently(indices.count, threads: threads) { place in
    let result = body(indices[place])
    results.withLock { $0[place] = result }
  }
  return results.withLock { results in indices.indices.compactMap { results[$0] } }
}
