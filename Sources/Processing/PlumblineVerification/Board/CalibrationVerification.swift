public import PlumblineModel
import PlumblineNumerics
public import PlumblineVision

/// A device's own calibration, assessed by what its frames show of a board.
public struct CalibrationVerification: Sendable {
  /// Fewer corners than these are rejected: a pose has six unknowns, and what is left over must
  /// still tell a good view from a bad one.
  package static let minimumCorners = 10
  /// Fewer orientations of the board than these leave the focal length to chance.
  package static let minimumOrientations = 3

  /// The frames of the folder, with and without a board.
  public let frameCount: Int
  /// The frames without a color image, in which no board could be looked for.
  public let imagelessCount: Int
  /// The board that the images show where it is not the one that was stated; `nil` where they show
  /// the stated one or none.
  public let shownBoard: Board?
  /// The frames that were assessed, in their order.
  public private(set) var frames: [BoardFrame]
  /// The number of frames that show the board with too few corners.
  public let rejectedCount: Int
  /// The number of frames left out because the camera or the board moved too fast in them: their
  /// rows were read at different times.
  public private(set) var movingCount = 0
  /// The number of clearly different orientations of the board in the frames.
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
  /// The shape of the board, which no estimate takes for flat then; `nil` where it is flat as far
  /// as the frames tell.
  public private(set) var boardShape: BoardShape?
  /// The estimate whose lens is what the images turned out to have; `nil` without estimates.
  public private(set) var measured: LensEstimate?
  /// A calibration from elsewhere, to compare with as well; `nil` when none was given.
  public let given: MeasuredCamera?
  /// Sensor and lengths against the board through the factory's camera; `nil` without depth.
  public private(set) var factoryDepth: DepthAgainstBoard?
  /// The same through the given camera, else through the measured one.
  public private(set) var measuredDepth: DepthAgainstBoard?
  /// How far pixels can be off over the image; `nil` without an estimate.
  public private(set) var projection: ProjectionUncertainty?
  /// The coverage of the image by corners; `nil` without an estimate.
  public private(set) var coverage: ViewCoverage?
  /// The share of the board's surface that the sensor measured; `nil` without depth.
  public private(set) var fillShare: Double?
  /// One standard deviation of a depth from frame to frame, in meters; `nil` unless frames repeat.
  public private(set) var temporalSigmaMeters: Double?
  /// Whether the device's table describes the images; `nil` where it gives none or nothing was
  /// estimated.
  public private(set) var tableFits: Bool?
  /// What corners miss by through the given calibration when only poses are fitted, over what they
  /// miss by through the measured one; `nil` without either.
  public private(set) var givenMissRatio: Double?
  /// The views as they would be of a flat board.
  private(set) var flatViews: [BoardView] = []
  /// The verdict.
  public private(set) var verdict = CalibrationVerdict.cannotTell
  /// The verdict in a sentence or two, with its numbers.
  public private(set) var reason = ""

  /// The number of frames that show no corner of the board.
  public var boardlessCount: Int {
    max(0, frameCount - imagelessCount - frames.count - rejectedCount - movingCount)
  }

  /// Assesses frames; the same frames give the same bits.
  ///
  /// Cost: some dozen calibrations, two to three seconds for 50 frames.
  ///
  /// - Parameters:
  ///   - all: The frames that show a board, in the order of time.
  ///   - frameCount: The number of frames in all.
  ///   - imagelessCount: The number of those without a color image.
  ///   - shownBoard: The board that the images show, where it is another one than was stated.
  ///   - given: A calibration measured elsewhere.
  /// - Throws: ``BoardFramesError`` when frames cannot belong together.
  public init(
    _ all: [BoardFrame], frameCount: Int, imagelessCount: Int = 0, shownBoard: Board? = nil,
    given: MeasuredCamera? = nil
  ) throws(BoardFramesError) {
    try BoardFramesError.check(all, given: given)
    frames = all.filter { $0.view.corners.count >= Self.minimumCorners }
    rejectedCount = all.count - frames.count
    self.frameCount = frameCount
    self.imagelessCount = imagelessCount
    self.shownBoard = shownBoard
    self.given = given
    let focals = frames.compactMap { $0.factory?.intrinsics.focalLength.x }
    factory = frames.lazy.compactMap(\.factory).first
    factoryFocalRange = focals.min().flatMap { low in focals.max().map { low...$0 } }
    fillShare = frames.compactMap { $0.depth?.fillShare }.median
    if !frames.isEmpty {
      estimate()
      compareDepth()
    }
    (verdict, reason) = CalibrationReasoning(self).conclusion
  }

  private mutating func estimate() {
    flatViews = frames.map(\.view)
    leaveOutMovingFrames()
    let views = frames.map(\.view)
    var comparison = LensComparison(frames, factory: factory)
    rectification = comparison.rectification
    orientationCount = LensComparison.orientations(
      of: comparison.best?.cameraFromBoard ?? LensComparison.poses(views, factory))
    guard orientationCount >= Self.minimumOrientations, let best = comparison.best else { return }
    let estimator = BoardEstimator(factory: factory)
    if let place = comparison.estimates.firstIndex(where: { $0.lens == best.lens }) {
      comparison.estimates[place].halves = estimator.halves(views, like: best)
    }
    estimates = comparison.estimates
    tableFits = comparison.tableFits
    measured = estimates.first { $0.lens == best.lens }
    if orientationCount >= BoardShape.minimumOrientations, views.count >= BoardShape.minimumViews {
      var intervals = 4
      if case .spline(let count, _) = best.fit.basis { intervals = count }
      boardShape = BoardShape(
        best,
        flat: estimator.estimate(
          views, lens: best.lens, intervals: intervals,
          freesCenter: best.fit.centerSigma != nil, freesShape: false))
    }
    flatViews = best.flattened(views)
    let coverage = ViewCoverage(views, residuals: best.residuals)
    self.coverage = coverage
    projection = estimator.projection(views, like: best, coverage: coverage)
    if let given, let measured,
      let through = BoardEstimator.rmsPixels(of: flatViews, through: given.camera),
      let own = BoardEstimator.rmsPixels(of: flatViews, through: measured.camera)
    {
      givenMissRatio = through / max(own, 1e-9)
    }
  }

  /// Leaves out frames in which the camera or the board moved, by the estimate that explains all
  /// frames best.
  private mutating func leaveOutMovingFrames() {
    let views = frames.map(\.view)
    let estimator = BoardEstimator(factory: factory)
    let rough = [LensEstimate.Lens.focal, .tableInverse, .spline].compactMap {
      estimator.estimate(views, lens: $0)
    }.min { $0.rmsPixels < $1.rmsPixels }
    guard let moving = rough?.movingViews, !moving.isEmpty else { return }
    let still = frames.indices.filter { !moving.contains($0) }
    guard still.count >= BoardFitter.minimumViews else { return }
    frames = still.map { frames[$0] }
    flatViews = frames.map(\.view)
    movingCount = moving.count
  }

  /// The device's own camera with the lens that the images need: its table, or what was measured
  /// where it gives none.
  package var factoryCamera: CameraModel? {
    factory.map { factory in
      let table = LensModel(inverseTableOf: factory)
      let lens: LensModel =
        rectification != .distorted
        ? .none : table == .none ? measured?.camera.lens ?? .none : table
      return CameraModel(intrinsics: factory.intrinsics, lens: lens)
    }
  }

  /// The camera that lengths are compared through besides the factory's: the measured one; the
  /// given one where the frames do not determine any.
  var comparedCamera: (camera: CameraModel, sigma: Double)? {
    if let measured { return (measured.camera, measured.focalSigma) }
    return given.map { ($0.camera, $0.focalSigma ?? 0) }
  }

  private mutating func compareDepth() {
    guard frames.contains(where: { $0.depth != nil }) else { return }
    if let camera = factoryCamera {
      let checks = checks(through: camera)
      factoryDepth = DepthAgainstBoard(checks.map(\.check))
      temporalSigmaMeters = TemporalNoise(checks)?.sigmaMeters
    }
    if let (camera, sigma) = comparedCamera {
      let checks = checks(through: camera)
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
  ///
  /// The measured camera is recommended only where it makes lengths right, and not worse than the
  /// factory's.
  public var isMeasurable: Bool {
    switch verdict {
    case .fits: return true
    case .cannotTell: return false
    case .doesNotFit:
      guard let length = measuredDepth?.length else { return measured?.leftOut != nil }
      guard let before = factoryDepth?.length else { return false }
      return CalibrationReasoning.isNear(length) && abs(length.share) <= abs(before.share)
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
  package init(camera: CameraModel, focalSigma: Double?) {
    self.camera = camera
    self.focalSigma = focalSigma
  }
}
