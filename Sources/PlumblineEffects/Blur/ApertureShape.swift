#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The outline of a lens's opening, which is that of its blurred lights.
///
/// All shapes have the area of the disc of the same f-number, so that they blur alike.
public enum ApertureShape: Sendable, Hashable {
  /// A circle.
  case disc
  /// A regular polygon of 3 to 16 blades, turned clockwise in the stored image by an angle in
  /// radians; a corner points to the right at 0.
  case blades(Int, turn: Double)

  /// Six blades.
  public static let hexagon = ApertureShape.blades(6, turn: 0)
  /// Eight blades.
  public static let octagon = ApertureShape.blades(8, turn: 0.392_699_081_698_724_2)

  /// The corners of the polygon of a disc's area and radius 1; empty for the disc.
  var corners: [SIMD2<Double>] {
    guard case .blades(let count, let turn) = self else { return [] }
    let blade = 2 * Double.pi / Double(count)
    // A regular n-gon of circumradius R has the area n/2·R²·sin(2π/n).
    let radius = (2 * Double.pi / (Double(count) * sin(blade))).squareRoot()
    return (0..<count).map { index in
      let angle = turn + Double(index) * blade
      return SIMD2(cos(angle), sin(angle)) * radius
    }
  }

  /// The variance of the shape of a disc's area and radius 1 along each axis.
  ///
  /// - Source: the second moment of a regular polygon, R²·(2 + cos 2π/n)/12 of its area.
  var variance: Double {
    guard case .blades(let count, _) = self else { return 0.25 }
    let blade = 2 * Double.pi / Double(count)
    return 2 * Double.pi / (Double(count) * sin(blade)) * (2 + cos(blade)) / 12
  }

  /// From where to where a row of the shape of radius 1 goes; `nil` where it has none.
  func span(at row: Double, _ corners: [SIMD2<Double>]) -> (left: Double, right: Double)? {
    if corners.isEmpty {
      guard row * row < 1 else { return nil }
      let half = (1 - row * row).squareRoot()
      return (-half, half)
    }
    var left = Double.infinity
    var right = -Double.infinity
    for index in corners.indices {
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      guard (a.y <= row) != (b.y <= row) else { continue }
      let place = a.x + (b.x - a.x) * (row - a.y) / (b.y - a.y)
      left = min(left, place)
      right = max(right, place)
    }
    return left < right ? (left, right) : nil
  }
}
