/// The error of a number that depends on points and planes, summed to first order.
///
/// Errors that points have for themselves add in squares. A shared error moves all points at once: its
/// effects add with their signs, and only then in squares with other errors.
/// - Source: JCGM 100:2008 (GUM), 5.1.2, equation 10, and F.1.2.3 for what inputs share: the shared
///   errors are inputs themselves.
struct ErrorSum {
  let shared: SharedErrors
  /// The variance of the errors that are independent from point to point.
  private var variance = 0.0
  private var isSensorKnown = true
  /// By how much the number changes by one standard deviation of each shared error.
  private var changes = [Double](repeating: 0, count: SharedErrors.count)

  init(_ shared: SharedErrors) { self.shared = shared }

  /// Adds a point on which the number depends by a gradient.
  mutating func add(_ gradient: SIMD3<Double>, at point: MeasurementPoint) {
    if let change = point.change(along: gradient) {
      variance += change * change
    } else {
      isSensorKnown = false
    }
    for index in changes.indices {
      changes[index] += gradient.dot(shared.displacement(index, of: point.position))
    }
  }

  /// Adds a plane on whose ``PlaneMeasurement/coefficients`` the number depends by a gradient.
  ///
  /// The points of the plane must be other ones than those that were added. Where these have no ± of their
  /// own, that of the plane follows from their scatter.
  mutating func add(_ gradient: SIMD3<Double>, of plane: PlaneMeasurement) {
    variance += plane.variance(along: gradient)
    for index in changes.indices { changes[index] += gradient.dot(plane.sharedChanges[index]) }
  }

  /// Adds a variance of errors that are independent of all else; `nil` when it is unknown.
  mutating func add(variance more: Double?) {
    variance += more ?? 0
    isSensorKnown = isSensorKnown && more != nil
  }

  /// Adds the change by one standard deviation of a shared error.
  mutating func add(change: Double, byShared index: Int) { changes[index] += change }

  /// The number with its ± in parts.
  func value(_ value: Double, _ unit: MeasuredValue.Unit) -> MeasuredValue {
    func root(_ range: Range<Int>) -> Double {
      changes[range].reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
    return MeasuredValue(
      value: value, unit: unit, sensor: isSensorKnown ? variance.squareRoot() : nil,
      calibration: shared.focalShare == nil ? nil : root(0..<SharedErrors.calibrationCount),
      scale: shared.isDepthKnown ? root(SharedErrors.calibrationCount..<SharedErrors.count) : nil)
  }
}
