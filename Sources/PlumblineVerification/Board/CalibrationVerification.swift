public import PlumblineModel
public import PlumblineVision

/// A device's own calibration, judged by what its frames show of a board.
public struct CalibrationVerification: Sendable {
  /// Fewer corners than these are rejected: a pose has six unknowns, and what is left over must
  /// still tell a good view from a bad one.
  public static let minimumCorners = 10
  /// Fewer orientations of the board than these leave the focal length to chance.
  public static let minimumOrientations = 3

  /// The frames of the folder, with and without a board.
  public let frameCount: Int
  /// The frames that were judged, in their order.
  public private(set) var frames: [BoardFrame]
  /// The number of frames that show the board with too few corners.
  public let rejectedCount: Int
  /// The number of frames left out because the camera or the board moved too fast in them: their
  /// rows were read at different times.
  public private(set) var movingCount = 0
  /// How many truly different ways the board leans in the frames.
  public private(set) var orientationCount = 0
  /// The device's own camera, of the first frame; `nil` when it gives none.
  public let factory: CameraCalibration?
  /// The smallest and the largest factory focal length of the frames, in pixels; `nil` without one.
  public let factoryFocalRange: ClosedRange<Double>?
  /// What the images say of the camera under each assumption about its lens; empty where they do
  /// not determine it.
  public private(set) var estimates: [LensEstimate] = []
  /// Whether pixels already lie where a pinhole camera sees them.
  public private(set) var rectification = RectificationState.unknown
  /// The shape of the board, which no estimate takes for flat then; `nil` where it is flat as far as
  /// the frames tell.
  public private(set) var boardShape: BoardShape?
  /// The estimate whose lens is what the images turned out to have; `nil` without estimates.
  public private(set) var measured: LensEstimate?
  /// A calibration from elsewhere, to compare with as well; `nil` when none was given.
  public let given: MeasuredCamera?
  /// Sensor and lengths against the board through the factory's camera; `nil` without depth.
  public private(set) var factoryDepth: DepthAgainstBoard?
  /// The same through the given camera, else through the measured one.
  public private(set) var measuredDepth: DepthAgainstBoard?
  /// What the corners reach; `nil` without an estimate.
  public private(set) var coverage: ViewCoverage?
  /// The share of the board's surface that the sensor measured; `nil` without depth.
  public private(set) var fillShare: Double?
  /// One standard deviation of a depth from frame to frame, in meters; `nil` unless frames repeat.
  public private(set) var temporalSigmaMeters: Double?
  /// The views as they would be of a flat board.
  private(set) var flatViews: [BoardView] = []
  /// The verdict.
  public private(set) var verdict = CalibrationVerdict.cannotTell
  /// The verdict in a sentence or two, with its numbers.
  public private(set) var reason = ""

  /// How many frames show no corner of the board.
  public var boardlessCount: Int {
    max(0, frameCount - frames.count - rejectedCount - movingCount)
  }

  /// Judges frames; the same frames give the same bits.
  ///
  /// Cost: some dozen calibrations, a second for 50 frames.
  ///
  /// - Parameters:
  ///   - all: The frames that show a board.
  ///   - frameCount: The number of frames in all.
  ///   - given: A calibration measured elsewhere.
  /// - Throws: ``BoardFramesError`` when frames cannot belong together.
  public init(
    _ all: [BoardFrame], frameCount: Int, given: MeasuredCamera? = nil
  ) throws(BoardFramesError) {
    try BoardFramesError.check(all, given: given)
    frames = all.filter { $0.view.corners.count >= Self.minimumCorners }
    rejectedCount = all.count - frames.count
    self.frameCount = frameCount
    self.given = given
    let focals = frames.compactMap { $0.factory?.intrinsics.focalLength.x }
    factory = frames.lazy.compactMap(\.factory).first
    factoryFocalRange = focals.min().flatMap { low in focals.max().map { low...$0 } }
    fillShare = SampleSpread.median(of: frames.compactMap { $0.depth?.fillShare })
    guard !frames.isEmpty else {
      reason = Self.noBoardReason(frameCount: frameCount, tooFew: rejectedCount)
      return
    }
    estimate()
    compareDepth()
    (verdict, reason) = CalibrationReasoning(self).conclusion
  }

  private mutating func estimate() {
    flatViews = frames.map(\.view)
    let flat = LensComparison(frames, views: flatViews, factory: factory, comparesHalves: false)
    orientationCount = flat.orientationCount
    rectification = flat.rectification
    guard orientationCount >= Self.minimumOrientations, let best = flat.best else { return }
    if orientationCount >= BoardShape.minimumOrientations { findShape(best) }
    let final = LensComparison(frames, views: flatViews, factory: factory, comparesHalves: true)
    estimates = final.widened(by: flat)
    measured = estimates.first { $0.lens == best.lens }
    coverage = measured.map { ViewCoverage(frames.map(\.view), residuals: $0.residuals) }
  }

  /// Finds the shape of the board, with it the frames that moved, and without them the shape again.
  private mutating func findShape(_ flat: LensEstimate) {
    guard let first = BoardShape.found(flatViews, flat, start: factory) else { return }
    let moving = first.estimate.movingViews
    let still = frames.indices.filter { !moving.contains($0) }
    let views = still.map { flatViews[$0] }
    let found: (shape: BoardShape, views: [BoardView], estimate: LensEstimate)?
    if moving.isEmpty {
      found = first
    } else {
      let start = factory?.intrinsics
      let again = BoardEstimator(start: start).estimate(flat.freed(views), lens: .focal)
      found = again.flatMap { again in
        var lensed = again
        lensed.camera.lens = flat.camera.lens
        return BoardShape.found(views, lensed, start: factory)
      }
    }
    guard let found else { return }
    frames = still.map { frames[$0] }
    movingCount = moving.count
    boardShape = found.shape
    flatViews = found.views
  }

  private mutating func compareDepth() {
    guard frames.contains(where: { $0.depth != nil }) else { return }
    if let factory {
      let camera = CameraModel(
        intrinsics: factory.intrinsics,
        lens: rectification == .distorted ? LensModel(inverseTableOf: factory) : .none)
      let checks = checks(through: camera)
      factoryDepth = DepthAgainstBoard(checks.map(\.check))
      temporalSigmaMeters = TemporalNoise(checks)?.sigmaMeters
    }
    if let camera = given?.camera ?? measured?.camera {
      let checks = checks(through: camera)
      let sigma = given.map { $0.focalSigma ?? 0 } ?? measured?.focalSigma ?? 0
      measuredDepth = DepthAgainstBoard(
        checks.map(\.check), focalSigmaShare: sigma / camera.intrinsics.focalLength.x)
      temporalSigmaMeters = temporalSigmaMeters ?? TemporalNoise(checks)?.sigmaMeters
    }
  }

  private func checks(
    through camera: CameraModel
  ) -> [(view: BoardView, check: BoardDepthCheck)] {
    zip(frames, flatViews).compactMap { frame, flat in
      guard let pose = BoardEstimator.pose(of: flat, through: camera),
        let check = BoardDepthCheck(
          frame, camera: camera, cameraFromBoard: pose.cameraFromBoard, shape: boardShape)
      else { return nil }
      return (frame.view, check)
    }
  }

  /// Whether lengths can be measured, as it is or through the measured camera.
  public var isMeasurable: Bool {
    switch verdict {
    case .fits: true
    case .cannotTell: false
    case .doesNotFit:
      (given != nil || measured != nil)
        && measuredDepth?.length.map { ToleranceTest($0).verdict != .doesNotFit } ?? true
    }
  }
}

/// Whether pixels already lie where a pinhole camera sees them.
public enum RectificationState: String, Sendable, CaseIterable {
  /// They do.
  case rectified = "yes"
  /// The lens is still in the images.
  case distorted = "no"
  /// Neither pixels nor metadata decide it.
  case unknown
}

/// A camera measured elsewhere, such as by `calibrate`.
public struct MeasuredCamera: Sendable {
  /// The camera in pixels of the images.
  public var camera: CameraModel
  /// One standard deviation of the focal length in pixels; `nil` when its file does not say.
  public var focalSigma: Double?

  /// Creates a camera from its parts.
  public init(camera: CameraModel, focalSigma: Double?) {
    self.camera = camera
    self.focalSigma = focalSigma
  }
}
