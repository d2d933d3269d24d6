import CKernels

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

/// An aperture as rows of cells, the form in which running sums convolve with it.
struct ApertureSpans {
  /// One for each row that the aperture touches.
  var spans: [plb_blur_span] = []
  /// One over the aperture's area in cells.
  var scale: Float = 1
  /// The rows above and below that are read, and cells to the left and right.
  var reach = 0

  /// The variance of the weights in cells², the mean of both axes.
  var variance: Double {
    var total = 0.0
    var mean = SIMD2<Double>.zero
    var square = 0.0
    for span in spans {
      let (left, right) = (
        Double(span.left) + Double(span.left_share), Double(span.right) + Double(span.right_share)
      )
      for cell in Int(span.left)...Int(span.right) {
        let weight = min(right, Double(cell) + 1) - max(left, Double(cell))
        guard weight > 0 else { continue }
        let place = SIMD2(Double(cell), Double(span.row))
        total += weight
        mean += place * weight
        square += (place * place).sum() * weight
      }
    }
    mean /= total
    return (square / total - (mean * mean).sum()) / 2
  }
}

extension ApertureShape {
  /// The outline as rows of cells.
  ///
  /// - Parameters:
  ///   - radius: Of the disc of its area, in cells.
  ///   - isMirrored: Whether it is turned by half a turn, as behind the focus.
  /// - Returns: The rows. Cost: 32 spans of the outline for each row.
  func spans(radius: Double, isMirrored: Bool) -> ApertureSpans {
    let corners = corners
    var result = ApertureSpans()
    let rows = Int((radius * 1.6 + 1).rounded(.up))
    let sign = isMirrored ? -1.0 : 1
    var area = 0.0
    for row in -rows...rows {
      // The strip of one row of cells, by 32 lines: their mean width about their mean middle has
      // the strip's exact area.
      var width = 0.0
      var moment = 0.0
      for line in 0..<32 {
        let place = Double(row) - 0.5 + (Double(line) + 0.5) / 32
        guard let span = span(at: sign * place / radius, corners) else { continue }
        width += (span.right - span.left) * radius / 32
        moment +=
          sign * (span.right * span.right - span.left * span.left) / 2 * radius * radius / 32
      }
      guard width > 0 else { continue }
      area += width
      // In borders of cells: cell 0 goes from 0 to 1 and has its center at ½.
      let left = moment / width - width / 2 + 0.5
      let right = moment / width + width / 2 + 0.5
      let whole = (left: left.rounded(.down), right: right.rounded(.down))
      result.spans.append(
        plb_blur_span(
          row: Int32(row), left: Int32(whole.left), right: Int32(whole.right),
          left_share: Float(left - whole.left), right_share: Float(right - whole.right)))
      result.reach = max(
        result.reach, abs(row), Int(-whole.left), Int(whole.right))
    }
    result.scale = Float(1 / area)
    return result
  }

  /// The aperture whose weights blur by a variance, in cells², the mean of both axes.
  ///
  /// A small outline is far from the weights that rows of whole cells make of it: below a radius of
  /// ½ they are a single 1. What counts is how much the weights blur, so the radius is looked for.
  func spans(variance: Double, isMirrored: Bool) -> ApertureSpans {
    let continuous = variance / self.variance
    var (low, high) = (max(continuous - 0.6, 0.25), max(continuous + 0.25, 0.5))
    for _ in 0..<12 {
      let middle = (low + high) / 2
      let tried = spans(radius: middle.squareRoot(), isMirrored: isMirrored)
      if tried.variance < variance { low = middle } else { high = middle }
    }
    return spans(radius: high.squareRoot(), isMirrored: isMirrored)
  }
}
