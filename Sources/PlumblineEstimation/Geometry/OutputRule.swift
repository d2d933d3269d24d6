/// The conversion of an interpolated value.
enum OutputRule: Hashable {
  /// The value.
  case plain
  /// `a·v + b`; missing unless above 0.
  case line(a: Double, b: Double)
  /// `a/v + b`; missing unless the value and the result are above 0.
  case reciprocal(a: Double, b: Double)
  /// `1/(a·v + b)`; missing unless `a·v + b` is above 0.
  case inverseLine(a: Double, b: Double)

  /// The kernel's number of the rule and its factors.
  var kernel: (rule: Int32, a: Float, b: Float) {
    switch self {
    case .plain: (0, 1, 0)
    case .line(let a, let b): (1, Float(a), Float(b))
    case .reciprocal(let a, let b): (2, Float(a), Float(b))
    case .inverseLine(let a, let b): (3, Float(a), Float(b))
    }
  }

  /// The rule for one value, in double precision.
  func callAsFunction(_ value: Double) -> Double {
    let depth: Double
    switch self {
    case .plain: return value
    case .line(let a, let b): depth = a * value + b
    case .reciprocal(let a, let b): depth = value > 0 ? a / value + b : .nan
    case .inverseLine(let a, let b): depth = 1 / (a * value + b)
    }
    return depth > 0 && depth.isFinite ? depth : .nan
  }
}
