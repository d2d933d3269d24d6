import PlumblineModel
import PlumblineVision

/// The camera estimated under each assumption about its lens, and which one the images bear out.
struct LensComparison {
  /// How many times smaller a root mean square must be to count: its square, 1.44, is beyond the
  /// ratio that chance gives 400 residuals one time in a thousand.
  ///
  /// - Source: the F distribution with 400 and 400 degrees of freedom.
  static let decisiveRatio = 1.2
  /// The angle between two normals of the board that makes two orientations: 10°, in radians.
  static let orientationStep = Double.pi / 18

  /// One estimate for each lens that can be tried, in the order of the cases.
  let estimates: [LensEstimate]
  /// What the images say about their lens, or else the device.
  let rectification: RectificationState
  /// How many truly different ways the board leans.
  let orientationCount: Int

  /// Estimates all of them; the frames have enough corners each and there is at least one.
  ///
  /// - Parameters:
  ///   - frames: What the device says is read from them.
  ///   - views: Their views, or those of the same board made flat.
  ///   - factory: The device's own camera.
  ///   - comparesHalves: Whether the halves of the views are estimated too, for thrice the time.
  init(
    _ frames: [BoardFrame], views: [BoardView], factory: CameraCalibration?,
    comparesHalves: Bool
  ) {
    var estimates: [LensEstimate] = []
    for lens in LensEstimate.Lens.allCases {
      let table = lens.table(of: factory?.distortion)
      if lens.needsTable && table == nil { continue }
      let ideal = table.map { table in views.map { $0.moved(by: table.undistorted) } } ?? views
      guard
        var estimate = BoardEstimator(start: factory?.intrinsics).estimate(
          ideal, lens: lens, comparesHalves: comparesHalves)
      else { continue }
      if let table { estimate.camera.lens = .radial(table) }
      estimates.append(estimate)
    }
    orientationCount = Self.orientations(
      of: estimates.first?.cameraFromBoard ?? Self.poses(views, factory))
    rectification = Self.rectification(
      Self.misses(estimates) ?? Self.misses(views, factory),
      isGeometryCorrected: frames.lazy.compactMap(\.isGeometryCorrected).first)
    let isDistorted = rectification == .distorted
    self.estimates = estimates.map { isDistorted && $0.lens == .radial ? $0.asPolynomial : $0 }
  }

  /// The estimate whose lens is what the images turned out to have; `nil` without estimates.
  var best: LensEstimate? {
    let wanted: [LensEstimate.Lens] =
      switch rectification {
      case .distorted: [.tableInverse, .radial]
      case .rectified, .unknown: [.focal]
      }
    return wanted.lazy.compactMap { lens in estimates.first { $0.lens == lens } }.first
  }

  /// How far corners miss without a lens and with one, root mean square in pixels.
  private struct Misses {
    var plain: Double
    var table: Double?
    var radial: Double?
  }

  private static func misses(_ estimates: [LensEstimate]) -> Misses? {
    func rms(_ lens: LensEstimate.Lens) -> Double? {
      estimates.first { $0.lens == lens }?.rmsPixels
    }
    return rms(.focal).map { Misses(plain: $0, table: rms(.tableInverse), radial: rms(.radial)) }
  }

  /// The same for views that leave the focal length open, through the factory's own: a board seen
  /// from the front hides a wrong focal length in its distance, but no lens.
  private static func misses(_ views: [BoardView], _ factory: CameraCalibration?) -> Misses? {
    guard let factory, let table = LensEstimate.Lens.tableInverse.table(of: factory.distortion)
    else { return nil }
    func rms(_ lens: LensModel) -> Double? {
      let camera = CameraModel(intrinsics: factory.intrinsics, lens: lens)
      return SampleSpread.median(
        of: views.compactMap { BoardEstimator.pose(of: $0, through: camera)?.rmsPixels })
    }
    return rms(.none).map { Misses(plain: $0, table: rms(.radial(table))) }
  }

  /// What pixels say first, since metadata were wrong before; then what the device says.
  private static func rectification(
    _ misses: Misses?, isGeometryCorrected: Bool?
  ) -> RectificationState {
    if let misses, let through = misses.table {
      if misses.plain > decisiveRatio * through { return .distorted }
      if through > decisiveRatio * misses.plain { return .rectified }
    } else if let misses, let radial = misses.radial, misses.plain > decisiveRatio * radial {
      return .distorted
    }
    switch isGeometryCorrected {
    case true?: return .rectified
    case false?: return misses?.table == nil ? .unknown : .distorted
    case nil: return .unknown
    }
  }

  /// Poses through the factory's camera, for views that leave the focal length open.
  private static func poses(_ views: [BoardView], _ factory: CameraCalibration?) -> [RigidTransform]
  {
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

extension LensEstimate {
  /// How far the focal length of three polynomial terms is off where a lens is in the images, one
  /// standard deviation as a share.
  ///
  /// No lens is a polynomial: what its terms leave over in the middle of the image counts as focal
  /// length, in all views alike, so that no scatter over views shows it.
  /// - Source: −0.14 % and −0.17 % on simulated lenses of the shape of a device's table, −0.15 to
  ///   −0.01 % against that table on the 4th generation's frames; `Documentation/decisions/0012-…`.
  static let polynomialSigma = 0.0015

  /// The estimate with that in its ±.
  fileprivate var asPolynomial: LensEstimate {
    var wide = self
    let share = Self.polynomialSigma * focal
    wide.focalSigma = (focalSigma * focalSigma + share * share).squareRoot()
    return wide
  }
}

extension LensEstimate.Lens {
  /// Whether the device must have given a table.
  var needsTable: Bool { self == .tableInverse || self == .tableForward }

  /// The lens whose `undistorted` moves points as this assumption wants; `nil` where it moves none.
  func table(of distortion: LensDistortion?) -> LensDistortion? {
    guard let distortion, !distortion.isZero, needsTable else { return nil }
    if self == .tableInverse { return distortion }
    var swapped = distortion
    swapped.undistorting = distortion.distorting
    swapped.distorting = distortion.undistorting
    return swapped
  }
}

extension BoardView {
  /// The view with every corner moved.
  func moved(by move: (SIMD2<Double>) -> SIMD2<Double>) -> BoardView {
    var view = self
    view.corners = corners.map { BoardCorner(id: $0.id, pixel: move($0.pixel)) }
    return view
  }
}
