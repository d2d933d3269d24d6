/// Numbers as XMP prints them.
enum XMPNumber {
  /// A number as Apple prints matrices: single precision widened, whole ones without a fraction.
  static func single(_ value: Double) -> String {
    let stored = Double(Float(value))
    if stored == 0 { return "0.0" }
    if stored == stored.rounded(), abs(stored) < 1e9 { return String(Int(stored)) }
    return stored.description
  }

  /// A number as C's `%f` prints it where that is the number itself, else its shortest exact form.
  static func exact(_ value: Double) -> String {
    let six = sixDecimals(value)
    return Double(six) == value ? six : value.description
  }

  /// A number as C's `%f` prints it; exact form from 10⁹ on.
  static func sixDecimals(_ value: Double) -> String {
    guard abs(value) < 1e9 else { return value.description }
    let millionths = Int((abs(value) * 1_000_000).rounded(.toNearestOrEven))
    let fraction = String(millionths % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return (value < 0 ? "-" : "") + "\(millionths / 1_000_000).\(zeros)\(fraction)"
  }

  /// The largest number of six decimals that is not above a value, as reading its text gives it.
  static func roundedDown(_ value: Double) -> Double {
    guard abs(value) < 1e9 else { return value }
    let millionths = (value * 1_000_000).rounded(.down)
    for candidate in [millionths + 1, millionths, millionths - 1] {
      let number = candidate / 1_000_000
      if number <= value { return number }
    }
    return value
  }

  /// The smallest number of six decimals that is not below a value.
  static func roundedUp(_ value: Double) -> Double { -roundedDown(-value) }
}
