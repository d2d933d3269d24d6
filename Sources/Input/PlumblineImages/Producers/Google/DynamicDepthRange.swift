package import PlumblineIO

/// The rule of Google's depth formats from a stored code to a distance.
///
/// With `dn = code / maximumCode`, near is code 0 and far the largest code, which is the opposite
/// of Apple's disparity. Source: the GDepth and Dynamic Depth 1.0 documents, where the same two
/// formulas stand.
package struct DynamicDepthRange: Sendable, Hashable {
  /// The law between normalized code and distance.
  package enum Format: String, Sendable, CaseIterable {
    /// `d = dn · (far − near) + near`.
    case linear = "RangeLinear"
    /// `d = far · near / (far − dn · (far − near))`, even steps in 1/d.
    case inverse = "RangeInverse"
  }

  /// The unit of near and far.
  package enum Unit: String, Sendable, CaseIterable {
    /// Meters.
    case meters
    /// Millimeters.
    case millimeters
    /// 1/m.
    case diopters
    /// Not stated, or stated to be none: distances are right up to an unknown law only.
    case unspecified

    /// Reads what the formats write: `m`, `mm`, `Meters`, `Diopters`, in any case.
    package init(_ text: String?) {
      self =
        switch text?.lowercased() {
        case "m", "meters": .meters
        case "mm", "millimeters": .millimeters
        case "diopters": .diopters
        default: .unspecified
        }
    }
  }

  /// The law between normalized code and distance.
  package let format: Format
  /// The distance of code 0, in ``unit``.
  package let near: Double
  /// The distance of the largest code, in ``unit``.
  package let far: Double
  /// The unit of near and far.
  package let unit: Unit

  /// Creates a range.
  ///
  /// - Throws: `.malformed` unless near is less than far, none is negative or above 10¹², and none is
  ///   below 10⁻⁹ where the law or the unit divides by it. In diopters, where near is the
  ///   larger number, either order is taken.
  package init(
    format: Format, near: Double, far: Double, unit: Unit
  ) throws(CaptureReadingError) {
    let divides = format == .inverse || unit == .diopters
    let isOrdered = unit == .diopters ? near != far : near < far
    let least = min(near, far)
    // Within these bounds neither reciprocals nor other units leave the numbers that a map can hold.
    guard isOrdered, least >= (divides ? 1e-9 : 0), max(near, far) <= 1e12 else {
      throw CaptureReadingError(
        .malformed, path: ["XMP", "depth range"],
        expected: "positive, finite distances from near to far", found: "\(near) to \(far)")
    }
    self.format = format
    self.near = near
    self.far = far
    self.unit = unit
  }

  /// The distance of a normalized code `dn` from 0 to 1, in ``unit``.
  package func distance(normalizedCode dn: Double) -> Double {
    switch format {
    case .linear: dn * (far - near) + near
    case .inverse: far * near / (far - dn * (far - near))
    }
  }

  /// The normalized code of a distance in ``unit``: the inverse of ``distance(normalizedCode:)``.
  package func normalizedCode(distance d: Double) -> Double {
    switch format {
    case .linear: (d - near) / (far - near)
    case .inverse: far * (d - near) / (d * (far - near))
    }
  }

  /// The depth of a stored code in m.
  ///
  /// - Parameters:
  ///   - code: The stored sample, from 0 to `maximumCode`.
  ///   - maximumCode: 255 or 65535; above 0.
  /// - Returns: Meters; `nil` when the unit is unspecified or the distance is 0.
  package func depth(code: Int, maximumCode: Int) -> Double? {
    precondition(maximumCode > 0, "a largest code of \(maximumCode) leaves no range")
    let distance = self.distance(normalizedCode: Double(code) / Double(maximumCode))
    guard distance > 0 else { return nil }
    return switch unit {
    case .meters: distance
    case .millimeters: distance / 1_000
    case .diopters: 1 / distance
    case .unspecified: nil
    }
  }
}
