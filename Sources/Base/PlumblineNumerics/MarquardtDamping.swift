/// The damping of a Levenberg–Marquardt descent, by Nielsen's rule.
///
/// A step solves `(A + damping · diag(A)) · step = gradient`. After a step that lowered the cost as the
/// quadratic model predicts, the damping falls by up to a factor of 10. It grows by up to 2 after a step that
/// lowered the cost by less than half of the prediction, and after a failure, faster with each one in a row.
/// - Source: H. B. Nielsen, *Damping Parameter in Marquardt's Method*, IMM-REP-1999-05, section 2.2; there
///   it falls by 3 at most.
package struct MarquardtDamping: Sendable {
  /// The factor of the diagonal.
  package private(set) var value: Double
  private var growth = 2.0

  /// Begins with a damping above 0.
  package init(_ value: Double) {
    self.value = value
  }

  /// Takes note of a step that lowered the cost.
  ///
  /// - Parameter ratio: How much the cost fell, over what the quadratic model predicted.
  package mutating func accept(ratio: Double) {
    let bend = 2 * ratio - 1
    // Below 1e-12 the damping is lost in the rounding of the diagonal.
    value = max(1e-12, value * max(1.0 / 10, 1 - bend * bend * bend))
    growth = 2
  }

  /// Takes note of a step that did not lower the cost, or could not be computed.
  package mutating func reject() {
    value *= growth
    growth *= 2
  }
}
