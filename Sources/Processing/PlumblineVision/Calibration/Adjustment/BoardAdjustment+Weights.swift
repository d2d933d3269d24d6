import PlumblineModel
import PlumblineNumerics

extension BoardAdjustment {
  /// The distance in robust standard deviations beyond which a corner may be rejected.
  static let rejectionWidth = 10.0
  /// How many corners of other views, in the same part of the image, must agree on what is normal
  /// there before one that differs is rejected.
  static let witnesses = 3

  /// Weighs corners by their distance until the camera rests; returns the robust standard
  /// deviation of a coordinate in pixels.
  ///
  /// Huber's loss without a limit: a corner far off counts little, and is rejected only where its
  /// neighbors in other views do not miss alike. A lens that the model does not have makes all
  /// corners of the border miss alike; rejecting them would hide it.
  mutating func settle() -> (outcome: DescentOutcome, scale: Double) {
    variance = 1e-2
    var outcome = minimize(tolerance: 1e-6)
    var scale = self.scale
    for turn in 0..<20 {
      guard outcome == .converged else { return (outcome, scale) }
      let before = camera
      variance = max(scale * scale, 1e-6)
      weigh(scale: scale, rejects: turn >= 2)
      outcome = minimize(tolerance: 1e-8)
      let last = scale
      scale = self.scale
      if turn >= 3, rests(since: before), abs(scale / last - 1) < 1e-3 { break }
    }
    return (outcome, scale)
  }

  private func rests(since before: RadialCamera) -> Bool {
    let focal = camera.intrinsics.focalLength.x / before.intrinsics.focalLength.x - 1
    let shift = camera.intrinsics.principalPoint - before.intrinsics.principalPoint
    return abs(focal) < 1e-6 && (shift * shift).sum() < 1e-6
  }

  /// The unknowns as degrees of freedom: those of the shape count by what the corners decide of
  /// them, which the expectation of a flat board makes less than three each.
  var unknownCount: Int { free.count + 6 * views.count + (hasShape ? shapeFreedom : 0) }

  private var shapeFreedom: Int {
    var seen = Set<Int>()
    for view in views { seen.formUnion(view.ids) }
    return min(3 * seen.count, cornerCount / 4)
  }

  /// The robust standard deviation of a coordinate in pixels, freed from what the unknowns
  /// absorbed; at least 0.001 px: no detector is better, and exact corners must not reject each
  /// other.
  var scale: Double {
    let numbers = Double(2 * cornerCount)
    let freedom = max(1, numbers - Double(unknownCount))
    return max(
      1e-3, RobustLoss.scale(of: residuals.flatMap(\.self)) * (numbers / freedom).squareRoot())
  }

  private mutating func weigh(scale: Double, rejects: Bool) {
    let misses = residuals
    for (number, residuals) in misses.enumerated() {
      for (index, miss) in residuals.enumerated() {
        let distance = (miss * miss).sum().squareRoot()
        views[number].weights[index] = RobustLoss.huberWeight(distance: distance, scale: scale)
      }
    }
    guard rejects else { return }
    let cells = ResidualCells(views: views, residuals: misses, size: camera.intrinsics.size)
    for (number, residuals) in misses.enumerated() {
      let far = residuals.indices.filter { index in
        let miss = residuals[index]
        guard (miss * miss).sum().squareRoot() > Self.rejectionWidth * scale,
          let usual = cells.median(near: views[number].pixels[index], without: number)
        else { return false }
        let away = miss - usual
        return (away * away).sum().squareRoot() > Self.rejectionWidth * scale
      }
      // A view keeps enough corners for its pose.
      guard residuals.count - far.count >= max(6, residuals.count / 2) else { continue }
      for index in far { views[number].weights[index] = 0 }
    }
  }
}

/// What corners miss by in each part of the image, view by view.
struct ResidualCells {
  private static let columns = 12
  private static let rows = 9
  private let size: RasterSize
  private var members: [[(view: Int, miss: SIMD2<Double>)]]

  init(views: [ObservedView], residuals: [[SIMD2<Double>]], size: RasterSize) {
    self.size = size
    members = Array(repeating: [], count: Self.columns * Self.rows)
    for (number, view) in views.enumerated() {
      for (index, pixel) in view.pixels.enumerated() {
        members[cell(of: pixel)].append((number, residuals[number][index]))
      }
    }
  }

  private func cell(of pixel: SIMD2<Double>) -> Int {
    let share = (pixel + 0.5) / SIMD2(Double(size.width), Double(size.height))
    let column = min(max(Int(share.x * Double(Self.columns)), 0), Self.columns - 1)
    let row = min(max(Int(share.y * Double(Self.rows)), 0), Self.rows - 1)
    return row * Self.columns + column
  }

  /// The median miss of other views around a pixel; `nil` for fewer than three corners.
  func median(near pixel: SIMD2<Double>, without view: Int) -> SIMD2<Double>? {
    let others = members[cell(of: pixel)].filter { $0.view != view }.map(\.miss)
    guard others.count >= BoardAdjustment.witnesses,
      let x = others.map(\.x).upperMedian,
      let y = others.map(\.y).upperMedian
    else { return nil }
    return SIMD2(x, y)
  }
}
