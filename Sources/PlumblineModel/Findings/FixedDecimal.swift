extension Double {
  /// The number with a fixed count of decimals, rounded half away from zero, for messages.
  ///
  /// Independent of any locale. Not finite gives `nan` or `inf`; magnitudes from 1e15 give the
  /// shortest exact form instead, since they have no decimals left.
  /// - Precondition: 0 to 9 decimals.
  public func fixed(_ decimals: Int) -> String {
    precondition((0...9).contains(decimals), "\(decimals) decimals")
    guard isFinite, magnitude < 1e15 else { return description }
    var unit = 1
    for _ in 0..<decimals { unit *= 10 }
    let scaled = (magnitude * Double(unit)).rounded()
    // Past 2^63 the digits no longer fit; such numbers have a unit of 1 left at most.
    guard scaled < 9e18 else { return description }
    let digits = Int(scaled)
    let sign = self < 0 && digits > 0 ? "−" : ""
    guard decimals > 0 else { return sign + String(digits) }
    let fraction = String(digits % unit)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(digits / unit).\(zeros)\(fraction)"
  }
}
