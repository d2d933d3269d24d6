/// The types of a number in an array file.
package enum NumberType: String, Sendable, CaseIterable {
  /// 8 bits without sign.
  case uint8
  /// 16 bits without sign.
  case uint16
  /// 32 bits without sign.
  case uint32
  /// IEEE 754 half precision.
  case float16
  /// IEEE 754 single precision.
  case float32
  /// IEEE 754 double precision.
  case float64

  /// The bytes of one number.
  package var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .uint32, .float32: 4
    case .float64: 8
    }
  }

  /// Whether numbers are fractions, in which depth files hold meters by custom.
  package var isFloatingPoint: Bool {
    switch self {
    case .uint8, .uint16, .uint32: false
    case .float16, .float32, .float64: true
    }
  }
}
