import Dispatch
import PlumblineModel
import PlumblineNumerics
import PlumblineVision
import Synchronization

/// The camera estimated under each assumption about its lens, and which one the images bear out.
struct LensComparison {
  /// How many times smaller a root mean square must be to count: its square, 1.44, is beyond the
  /// ratio that chance gives 400 residuals one time in a thousand.
  ///
  /// - Source: the F distribution with 400 and 400 degrees of freedom.
  static let decisiveRatio = 1.2
  /// How much worse than the best a simpler lens may predict all corners of frames left out.
  static let simplerShare = 0.03
  /// The same for the ten corners farthest from the middle.
  static let simplerOuterShare = 0.2
  /// The angle between two normals of the board that makes two orientations: 10°, in radians.
  static let orientationStep = Double.pi / 18

  /// One estimate for each lens that can be tried, in the order of the cases: the simplest first.
  var estimates: [LensEstimate]
  /// What the images say about their lens, or else the device.
  let rectification: RectificationState
  /// The estimate that predicts frames left out best, or a simpler one that does nearly as well;
  /// `nil` without estimates.
  let best: LensEstimate?
  /// Whether the device's table describes the images as well as the best lens does; `nil` where it
  /// gives none.
  let tableFits: Bool?

  /// Estimates all of them; the frames have enough corners each and there is at least one.
  ///
  /// - Parameters:
  ///   - frames: What the device says is read from them.
  ///   - factory: The device's own camera.
  init(_ frames: [BoardFrame], factory: CameraCalibration?) {
    let views = frames.map(\.view)
    let all = Self.estimates(views, BoardEstimator(factory: factory))
    estimates = all
    let said = frames.lazy.compactMap(\.isGeometryCorrected).first
    let misses = Self.misses(all)
    let flat =
      misses?.decision == nil ? Self.flatMisses(views, BoardEstimator(factory: factory)) : nil
    rectification = Self.rectification(
      misses ?? Self.misses(views, factory), flat, isGeometryCorrected: said)
    let isDistorted = rectification == .distorted
    best =
      Self.simplest(of: all.filter { !isDistorted || $0.lens != .focal }) ?? Self.simplest(of: all)
    let least = all.filter { $0.lens != .tableForward }.compactMap(\.leftOut?.rmsPixels).min()
    tableFits = all.first { $0.lens == .tableInverse }?.leftOut.flatMap { table in
      least.map { table.rmsPixels <= Self.decisiveRatio * $0 }
    }
  }

  /// Estimates with what each predicts of frames left out, all counting the same corners; each on a
  /// thread of its own, which changes no bit.
  private static func estimates(
    _ views: [BoardView], _ estimator: BoardEstimator
  ) -> [LensEstimate] {
    let reference = estimator.estimate(views, lens: .spline, intervals: 6)?.fit
    var wanted = LensEstimate.Lens.allCases.map { (lens: $0, intervals: 4) }
    wanted.append((lens: .spline, intervals: 6))
    let asked = wanted
    let found = Mutex<[Int: LensEstimate]>([:])
    DispatchQueue.concurrentPerform(iterations: asked.count) { index in
      let (lens, intervals) = asked[index]
      let estimate = estimator.judged(
        views, lens: lens, intervals: intervals, reference: reference)
      if let estimate { found.withLock { $0[index] = estimate } }
    }
    let byIndex = found.withLock { $0 }
    var result = asked.indices.dropLast().compactMap { byIndex[$0] }
    // More intervals are taken only where they predict better.
    if let fine = byIndex[asked.count - 1],
      let place = result.firstIndex(where: { $0.lens == .spline }),
      simplest(of: [result[place], fine])?.fit.basis == fine.fit.basis
    {
      result[place] = fine
    }
    return result
  }

  /// The first estimate that predicts within 3 % of the best over all corners and within 20 % over
  /// the outermost ones.
  private static func simplest(of estimates: [LensEstimate]) -> LensEstimate? {
    let judged = estimates.filter { $0.leftOut != nil && $0.lens != .tableForward }
    guard let least = judged.compactMap(\.leftOut?.rmsPixels).min(),
      let leastOuter = judged.compactMap(\.leftOut?.outerRMSPixels).min()
    else { return nil }
    // A hundredth of a pixel is below what any detector promises.
    return judged.first { estimate in
      guard let left = estimate.leftOut else { return false }
      return left.rmsPixels <= max((1 + simplerShare) * least, least + 0.01)
        && left.outerRMSPixels <= max((1 + simplerOuterShare) * leastOuter, leastOuter + 0.05)
    } ?? judged.min { ($0.leftOut?.rmsPixels ?? 0) < ($1.leftOut?.rmsPixels ?? 0) }
  }

  /// How far corners miss without a lens and with one, root mean square in pixels.
  private struct Misses {
    var plain: Double
    var table: Double?
    var other: Double?

    /// What they say; `nil` where neither is decisively smaller.
    var decision: RectificationState? {
      let lensed = [table, other].compactMap(\.self).min()
      if let lensed, plain > decisiveRatio * lensed { return .distorted }
      if let table, table > decisiveRatio * plain { return .rectified }
      return nil
    }
  }

  /// The same for a board that is taken as flat: a board that never leaves the middle of the image
  /// may bend as a lens would, and its shape then takes the lens's place.
  private static func flatMisses(_ views: [BoardView], _ estimator: BoardEstimator) -> Misses? {
    func rms(_ lens: LensEstimate.Lens) -> Double? {
      estimator.estimate(views, lens: lens, freesShape: false)?.rmsPixels
    }
    return rms(.focal).map {
      Misses(plain: $0, table: rms(.tableInverse), other: rms(.spline))
    }
  }

  private static func misses(_ estimates: [LensEstimate]) -> Misses? {
    func rms(_ lens: LensEstimate.Lens) -> Double? {
      estimates.first { $0.lens == lens }?.leftOut?.rmsPixels
    }
    return rms(.focal).map {
      Misses(
        plain: $0, table: rms(.tableInverse),
        other: [rms(.radial), rms(.spline)].compactMap(\.self).min())
    }
  }

  /// The same for views that leave the focal length open, through the factory's own: a board seen
  /// from the front hides a wrong focal length in its distance, but no lens.
  private static func misses(_ views: [BoardView], _ factory: CameraCalibration?) -> Misses? {
    guard let factory, let table = LensEstimate.Lens.tableInverse.table(of: factory.distortion)
    else { return nil }
    func rms(_ lens: LensModel) -> Double? {
      let camera = CameraModel(intrinsics: factory.intrinsics, lens: lens)
      return views.compactMap { BoardEstimator.pose(of: $0, through: camera)?.rmsPixels }.median
    }
    return rms(.none).map { Misses(plain: $0, table: rms(.radial(table))) }
  }

  /// What pixels say first, since metadata were wrong before; then what the device says.
  private static func rectification(
    _ misses: Misses?, _ flat: Misses?, isGeometryCorrected: Bool?
  ) -> RectificationState {
    if let decision = misses?.decision ?? flat?.decision { return decision }
    switch isGeometryCorrected {
    case true?: return .rectified
    case false?: return misses?.table == nil ? .unknown : .distorted
    case nil: return .unknown
    }
  }

  /// Where boards stand through the factory's camera, for views that leave the focal length open.
  static func poses(_ views: [BoardView], _ factory: CameraCalibration?) -> [RigidTransform] {
    guard let factory else { return [] }
    let camera = CameraModel(intrinsics: factory.intrinsics)
    return views.compactMap { BoardEstimator.pose(of: $0, through: camera)?.cameraFromBoard }
  }

  /// The number of normals of which any two are a step apart, chosen in the order of the views.
  static func orientations(of cameraFromBoard: [RigidTransform]) -> Int {
    var normals: [SIMD3<Double>] = []
    for pose in cameraFromBoard {
      let normal = pose.rotation.z
      let isNew = normals.allSatisfy {
        arccosine(max(-1, min(1, (normal * $0).sum()))) >= orientationStep
      }
      if isNew { normals.append(normal) }
    }
    return normals.count
  }
}
