import PlumblineModel

/// One number of a camera that a calibration can estimate.
///
/// The raw value is its position in every Jacobian and covariance of this folder.
public enum CameraParameter: Int, Sendable, CaseIterable {
  /// The focal length along the columns, in pixels; the one along the rows is this times ``aspect``.
  case focal
  /// The focal length along the rows divided by the one along the columns; 1 for square pixels.
  case aspect
  /// The principal point's column in pixels.
  case principalPointX
  /// The principal point's row in pixels.
  case principalPointY
  /// The factor of `r²`, without unit.
  case radial1
  /// The factor of `r⁴`, without unit.
  case radial2
  /// The factor of `r⁶`, without unit.
  case radial3
  /// The factor `p1`, without unit.
  case tangential1
  /// The factor `p2`, without unit.
  case tangential2
}

/// The numbers of a camera that a calibration may change; all others stay as given.
public struct FreeParameters: OptionSet, Hashable, Sendable {
  /// One bit for each group of parameters.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The focal length; the aspect stays unless it is free too.
  public static let focal = FreeParameters(rawValue: 1 << 0)
  /// The ratio of the two focal lengths.
  public static let aspect = FreeParameters(rawValue: 1 << 1)
  /// The principal point, both coordinates.
  public static let principalPoint = FreeParameters(rawValue: 1 << 2)
  /// The factor of `r²`.
  public static let radial1 = FreeParameters(rawValue: 1 << 3)
  /// The factor of `r⁴`.
  public static let radial2 = FreeParameters(rawValue: 1 << 4)
  /// The factor of `r⁶`.
  public static let radial3 = FreeParameters(rawValue: 1 << 5)
  /// Both tangential factors.
  public static let tangential = FreeParameters(rawValue: 1 << 6)

  /// The free parameters one by one, in the order of covariances.
  public var parameters: [CameraParameter] {
    CameraParameter.allCases.filter { contains(Self.group(of: $0)) }
  }

  /// Whether a parameter of the lens's polynomial is free.
  var includesLens: Bool { !isDisjoint(with: [.radial1, .radial2, .radial3, .tangential]) }

  private static func group(of parameter: CameraParameter) -> FreeParameters {
    switch parameter {
    case .focal: .focal
    case .aspect: .aspect
    case .principalPointX, .principalPointY: .principalPoint
    case .radial1: .radial1
    case .radial2: .radial2
    case .radial3: .radial3
    case .tangential1, .tangential2: .tangential
    }
  }
}

extension CameraModel {
  /// The value of a parameter; 0 for factors of a polynomial that the lens does not have.
  public subscript(parameter: CameraParameter) -> Double {
    get {
      var radial = SIMD3<Double>.zero
      var tangential = SIMD2<Double>.zero
      if case .polynomial(let k, let p) = lens { (radial, tangential) = (k, p) }
      return switch parameter {
      case .focal: intrinsics.focalLength.x
      case .aspect: intrinsics.focalLength.y / intrinsics.focalLength.x
      case .principalPointX: intrinsics.principalPoint.x
      case .principalPointY: intrinsics.principalPoint.y
      case .radial1: radial.x
      case .radial2: radial.y
      case .radial3: radial.z
      case .tangential1: tangential.x
      case .tangential2: tangential.y
      }
    }
    set { set(parameter, to: newValue) }
  }

  private mutating func set(_ parameter: CameraParameter, to value: Double) {
    switch parameter {
    case .focal: intrinsics.focalLength *= value / intrinsics.focalLength.x
    case .aspect: intrinsics.focalLength.y = intrinsics.focalLength.x * value
    case .principalPointX: intrinsics.principalPoint.x = value
    case .principalPointY: intrinsics.principalPoint.y = value
    case .radial1, .radial2, .radial3, .tangential1, .tangential2:
      guard case .polynomial(var radial, var tangential) = lens else {
        preconditionFailure("a lens without polynomial has no \(parameter)")
      }
      if parameter.rawValue < CameraParameter.tangential1.rawValue {
        radial[parameter.rawValue - CameraParameter.radial1.rawValue] = value
      } else {
        tangential[parameter.rawValue - CameraParameter.tangential1.rawValue] = value
      }
      lens = .polynomial(radial: radial, tangential: tangential)
    }
  }
}
