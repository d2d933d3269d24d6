import PlumblineModel

/// How well a camera predicts the corners of frames that it was not fitted to.
///
/// The frames are left out in five blocks of neighbors; camera and shape of the board come from the
/// others, and only the pose of a frame that was left out is fitted to its own corners.
/// - Source: M. Stone, *Cross-Validatory Choice and Assessment of Statistical Predictions*,
///   Journal of the Royal Statistical Society B 36 (1974).
package struct LeftOutFrames: Hashable, Sendable {
  /// The number of corners of the outermost band.
  static let outerCount = 10

  /// The root mean square distance of all corners, in pixels.
  package var rmsPixels: Double
  /// The root mean square distance of the ten corners farthest from the middle, in pixels.
  package var outerRMSPixels: Double
  /// The residual of each corner; view by view, in pixels.
  package var residuals: [[SIMD2<Double>]]

  /// Predicts every view from the others; `nil` where the others do not determine the camera.
  ///
  /// `counted` says which corners count: those that another fit rejected as misread should not.
  init?(_ fit: BoardFit, counted: [[Bool]]? = nil) {
    let adjustment = fit.adjustment
    let count = adjustment.views.count
    var residuals: [[SIMD2<Double>]] = []
    for fold in 0..<AdjustmentSpread.blockCount {
      let left =
        fold * count / AdjustmentSpread.blockCount..<(fold + 1) * count
        / AdjustmentSpread.blockCount
      guard let trained = adjustment.without(left) else { return nil }
      for index in left {
        guard
          let misses = trained.prediction(adjustment.views[index], near: adjustment.poses[index])
        else { return nil }
        residuals.append(misses)
      }
    }
    self.residuals = residuals
    var all = SquaredDistances()
    var byRadius: [(square: Double, miss: SIMD2<Double>)] = []
    let center = adjustment.camera.intrinsics.principalPoint
    for (number, view) in adjustment.views.enumerated() {
      for (index, pixel) in view.pixels.enumerated()
      where counted?[number][index] ?? !fit.isRejected[number][index] {
        all.add(residuals[number][index])
        let offset = pixel - center
        byRadius.append(((offset * offset).sum(), residuals[number][index]))
      }
    }
    var outer = SquaredDistances()
    for corner in byRadius.sorted(by: { $0.square > $1.square }).prefix(Self.outerCount) {
      outer.add(corner.miss)
    }
    rmsPixels = all.root
    outerRMSPixels = outer.root
  }
}

extension BoardAdjustment {
  /// The adjustment without some views, brought to rest with the weights that it has.
  fileprivate func without(_ range: Range<Int>) -> BoardAdjustment? {
    var rest = self
    rest.views.removeSubrange(range)
    rest.poses.removeSubrange(range)
    return rest.minimize(tolerance: 1e-6) == .converged ? rest : nil
  }

  /// What the corners of a view miss by when only its pose is fitted.
  fileprivate func prediction(
    _ view: ObservedView, near start: RigidTransform
  ) -> [SIMD2<Double>]? {
    var single = self
    single.views = [view]
    single.poses = [start]
    let zeros = [Double](repeating: 0, count: sharedCount)
    var cost = single.cost
    for _ in 0..<20 {
      guard let system = single.equations(of: 0..<1) else { return nil }
      var trial = single
      trial.poses[0].take(system.views[0].step(with: zeros)[...])
      let next = trial.cost
      guard next < cost else { break }
      let isDone = cost - next < 1e-9 * cost
      single = trial
      cost = next
      if isDone { break }
    }
    return single.residuals[0]
  }
}

extension BoardFit {
  /// The errors of its predictions for frames that are left out.
  ///
  /// Cost: five fits.
  ///
  /// - Parameter reference: Corners that this fit rejected do not count; its own unless given, which
  ///   fits of one set of views should share to be comparable.
  /// - Returns: `nil` where the others do not determine a camera.
  package func leftOutFrames(countingAs reference: BoardFit? = nil) -> LeftOutFrames? {
    LeftOutFrames(self, counted: (reference ?? self).isRejected.map { $0.map { !$0 } })
  }
}
