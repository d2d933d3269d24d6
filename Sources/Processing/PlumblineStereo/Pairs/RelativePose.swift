public import PlumblineModel
import PlumblineNumerics
internal import PlumblineVision

/// How two cameras stood to each other, found from points that both images show.
///
/// Only directions come from images: the distance between the cameras is made up as 1, and every
/// depth computed with it counts in that unknown length.
public struct RelativePose: Sendable {
  /// The right camera's frame from the left one's; its translation has length 1 and no unit.
  public private(set) var rightFromLeft: RigidTransform
  /// The points that agree with it.
  public private(set) var matches: [PairMatch]
  /// The number of points that do not agree.
  public private(set) var disagreeingCount: Int
  /// The root mean square of the agreeing points' distances from where rays meet, in pixels of the
  /// left image.
  public private(set) var rmsPixels: Double
  /// One standard deviation of the rotation, in radians about the camera's three axes.
  ///
  /// It comprises the scatter of the points and, for cameras whose calibration is assumed, what the unknown
  /// principal points, focal length and distortion move.
  public private(set) var rotationSigmaRadians: SIMD3<Double>
  /// One standard deviation of the translation's direction, in radians, the larger of two.
  public private(set) var directionSigmaRadians: Double

  /// The fewest points that tell two cameras apart from chance.
  static let leastMatches = 20
  /// The share of points that must agree.
  static let leastShare = 0.3
  /// How far a sound point lies off, at most, in pixels of an image of 1600 columns.
  static let tolerancePixels = 1.5

  /// Finds the two cameras.
  ///
  /// - Parameters:
  ///   - matches: Points in pixels of the two images, some wrong.
  ///   - left: The left camera at the size of its image.
  ///   - right: The right camera likewise.
  ///   - unknowns: What is not known of cameras whose calibration is assumed; `nil` for known ones.
  ///   - turn: By how much the right image is turned against the left one about the optical axis,
  ///     as cosine and sine; (1, 0) for images held alike.
  ///   - seed: What draws start from; equal seeds give equal results.
  /// - Returns: The pose with its ±.
  /// - Throws: ``StereoError`` `.degenerate` for too few points, points that agree on nothing (where the lens is not
  ///   known, with the radial distortion with which they would), the same image twice, a camera that only turned,
  ///   and points of one plane; `.mismatch` for
  ///   swapped images; `.unsupported` for a camera that moved forward or across.
  package static func found(
    in matches: [PairMatch], left: CameraCalibration, right: CameraCalibration,
    unknowns: (left: CameraUnknowns?, right: CameraUnknowns?) = (nil, nil),
    turn: SIMD2<Double> = [1, 0], seed: UInt64 = 1
  ) throws(StereoError) -> RelativePose {
    guard matches.count >= leastMatches else { throw tooFew(matches.count) }
    try PairMotion.requireDifference(matches)
    let rays = matches.map {
      EpipolarModel.Rays(left: ray($0.left, left), right: ray($0.right, right))
    }
    let focal = (left.intrinsics.focalLength.x + right.intrinsics.focalLength.x) / 2
    let size = left.intrinsics.size
    let pixels = tolerancePixels * max(1, Double(max(size.width, size.height)) / 1600)
    let start = Rotation(x: [turn.x, turn.y, 0], y: [-turn.y, turn.x, 0], z: [0, 0, 1])
    let search = EpipolarSearch(tolerance: pixels / focal, start: start, seed: seed)
    let isLensOpen = unknowns.left != nil && unknowns.right != nil
    let best = search.best(of: rays)
    func explained(_ error: StereoError) -> StereoError {
      guard isLensOpen, error.reason == .degenerate else { return error }
      return LensHint(rays, search, withoutIt: best?.agreeing.count ?? 0).explained(error)
    }
    guard let found = best, isEnough(found.agreeing.count, of: matches.count) else {
      throw explained(noCameras(matches.count))
    }
    try PairMotion.requireMotion(
      found.agreeing.map { rays[$0] }, near: found.model.rotation, pixel: pixels / focal)
    let free = polished(found.model, found.agreeing.map { rays[$0] })
    let fit: CameraOrder.Fit
    do throws(StereoError) {
      fit = try CameraOrder(
        search.indices(agreeing: free.model, rays).map { rays[$0] }, tolerance: pixels / focal
      ).fit(free)
    } catch { throw explained(error) }
    let model = fit.model
    let agreeing = search.indices(agreeing: model, rays).filter {
      model.parallax(rays[$0]) > -pixels / focal
    }
    try PairMotion.requireDepth(agreeing.map { rays[$0] }, model, pixel: pixels / focal)
    try PairMotion.requireSideBySide(model)
    let squares = agreeing.reduce(0.0) {
      $0 + model.sampsonDistance(rays[$1]) * model.sampsonDistance(rays[$1])
    }
    let variance = squares / Double(max(1, agreeing.count - 5))
    let open = PoseUnknowns(
      left: unknowns.left, right: unknowns.right,
      focal: (left.intrinsics.focalLength.x, right.intrinsics.focalLength.x)
    ).variances(of: model, agreeing.map { rays[$0] })
    let sigma = (0..<5).map { (max(0, fit.inverse[$0, $0]) * variance + open[$0]).squareRoot() }
    return RelativePose(
      rightFromLeft: RigidTransform(
        rotation: Rotation(axisAngle: model.rotation.axisAngle) ?? model.rotation,
        translation: model.direction),
      matches: agreeing.map { matches[$0] }, disagreeingCount: matches.count - agreeing.count,
      rmsPixels: (squares / Double(agreeing.count)).squareRoot() * focal,
      rotationSigmaRadians: [sigma[0], sigma[1], sigma[2]],
      directionSigmaRadians: max(sigma[3], sigma[4]))
  }

  private static func isEnough(_ count: Int, of all: Int) -> Bool {
    count >= leastMatches && Double(count) >= leastShare * Double(all)
  }

  private static func noCameras(_ count: Int) -> StereoError {
    StereoError(
      .degenerate, expected: "two images of one scene",
      found: "\(count) similar points that agree on no two cameras")
  }

  static func tooFew(_ count: Int) -> StereoError {
    StereoError(
      .degenerate, expected: "at least \(leastMatches) points that both images show",
      found: "\(count)")
  }

  /// The ray of an ideal camera through a pixel of its image.
  private static func ray(_ pixel: SIMD2<Double>, _ camera: CameraCalibration) -> SIMD3<Double> {
    camera.intrinsics.unproject(camera.distortion?.undistorted(pixel) ?? pixel, depth: 1)
  }

  /// The model refined with all that agree, each weighted by Huber's rule.
  private static func polished(
    _ model: EpipolarModel, _ rays: [EpipolarModel.Rays]
  ) -> (model: EpipolarModel, inverse: SymmetricMatrix) {
    var best = (model: model, inverse: SymmetricMatrix(count: 5))
    for _ in 0..<6 {
      let sizes = rays.map { abs(best.model.sampsonDistance($0)) }.sorted()
      let scale = max((sizes.middleOfSorted ?? 0) / 0.6745, 1e-9)
      // 1.345 standard deviations: 95 % as good as least squares where errors are normal.
      let width = 1.345 * scale
      let step = best.model.refined(rays, steps: 2) { abs($0) > width ? width / abs($0) : 1 }
      guard let step else { break }
      best = step
    }
    return best
  }
}
