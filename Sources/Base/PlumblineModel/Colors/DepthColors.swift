import CKernels

/// How depth is shown to the eye: a color map, what its ends stand for, and a color for holes.
///
/// Near is the color map's near end whatever the map stores: depth and range in meters, disparity
/// by its reciprocal. Range is colored by the length of the ray. Nothing to measure with.
public struct DepthColors: Hashable, Sendable {
  /// The ways to choose the depths at the two ends of the color map.
  public enum Span: Hashable, Sendable {
    /// These meters, so that a preview does not flicker when something enters it; linear in between.
    case fixed(nearMeters: Float, farMeters: Float)
    /// The depths that these shares of the measured pixels do not exceed, each map's own, and 2 %
    /// more on either side; linear in between.
    case quantiles(ClosedRange<Double>)
    /// No depths but ranks: each color is used for as many pixels as any other.
    ///
    /// - Source: histogram equalization as in Apple's sample *Streaming Depth Data from the
    ///   TrueDepth Camera*, whose `DepthToJETConverter` counts depths in bins of 1/8 mm and takes
    ///   the color at the share of pixels that are nearer. Here the bins are 1/2048 of a power of
    ///   two (1/8 mm at 0.25…0.5 m), and the middle of a bin's ranks counts.
    case equalized

    /// All but the nearest and farthest 0.2 %, as the report's viewer starts.
    ///
    /// A few flying pixels must not squeeze all others into two colors.
    public static let automatic = Span.quantiles(0.002...0.998)
  }

  /// The colors from near to far.
  public var colorMap: ColorMap
  /// The depths at the ends of the color map.
  public var span: Span
  /// The color of pixels that were not measured.
  public var missing: RGB8

  /// Chooses colors.
  ///
  /// - Precondition: Fixed meters are finite with `0 ≤ near < far`; quantiles lie within 0 to 1.
  package init(
    _ colorMap: ColorMap = .turbo, span: Span,
    missing: RGB8 = RGB8(red: 0, green: 0, blue: 0)
  ) {
    self.colorMap = colorMap
    self.span = span
    self.missing = missing
    span.check()
  }
}

extension DepthColors.Span {
  func check() {
    switch self {
    case .fixed(let near, let far):
      precondition(near >= 0 && near < far && far.isFinite, "\(near) to \(far) m is no range")
    case .quantiles(let quantiles):
      precondition(
        quantiles.lowerBound >= 0 && quantiles.upperBound <= 1,
        "shares from \(quantiles.lowerBound) to \(quantiles.upperBound)")
    case .equalized: break
    }
  }
}

extension DepthColors {
  /// The colors of a map, in its own pixel order.
  ///
  /// - Complexity: O(*n*): one pass over a fixed span, else two.
  public func colors(of values: DepthRecord.Values) -> Raster<RGB8> {
    let samples = [RGB8](unsafeUninitializedCapacity: values.size.pixelCount) { buffer, count in
      color(values, into: buffer)
      count = values.size.pixelCount
    }
    return Raster(size: values.size, samples: samples)
  }

  /// The colors of a map in memory that is used again, frame after frame.
  ///
  /// - Parameters:
  ///   - values: The map.
  ///   - image: Overwritten in the map's own pixel order; replaced when of another size.
  public func colors(of values: DepthRecord.Values, into image: inout Raster<RGB8>) {
    guard image.size == values.size, image.rowStride == values.size.width else {
      image = colors(of: values)
      return
    }
    image.samples.withUnsafeMutableBufferPointer { color(values, into: $0) }
  }

  /// The depths that get the first and the last color, in meters, for a legend.
  ///
  /// - Returns: `nil` for an equalized span, and for quantiles of a map without any measured pixel.
  ///   Quantiles are exact to 1/2048 of their value.
  /// - Complexity: O(1) for a fixed span, else O(*n*).
  public func rangeMeters(of values: DepthRecord.Values) -> ClosedRange<Float>? {
    switch span {
    case .fixed(let near, let far): near...far
    case .quantiles(let quantiles): ValueHistogram(values).rangeMeters(quantiles)
    case .equalized: nil
    }
  }

  private func color(
    _ values: DepthRecord.Values, into result: UnsafeMutableBufferPointer<RGB8>
  ) {
    span.check()
    guard let target = result.baseAddress else { return }
    switch span {
    case .equalized:
      let colors = ValueHistogram(values).equalizedColors(words, missing: missing.word)
      values.forEachRow { numbers, count, first in
        plb_color_by_bin(numbers, count, colors, target + first)
      }
    case .fixed, .quantiles:
      // Without any measured pixel there is no range, and none is needed.
      let range = rangeMeters(of: values) ?? 0...1
      let colors = words + [missing.word]
      let near = range.lowerBound
      let scale = 255 / (range.upperBound - near)
      let isDisparity = values.isDisparity
      values.forEachRow { numbers, count, first in
        if isDisparity {
          plb_color_by_inverse_place(numbers, count, near, scale, colors, target + first)
        } else {
          plb_color_by_place(numbers, count, near, scale, colors, target + first)
        }
      }
    }
  }

  private var words: [UInt32] { colorMap.colors.map(\.word) }
}

extension RGB8 {
  /// Red in the lowest byte, then green and blue, as the kernels take it.
  fileprivate var word: UInt32 { UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 }
}

extension DepthRecord.Values {
  /// Whether small numbers are far.
  var isDisparity: Bool { if case .disparity = self { true } else { false } }

  /// The numbers as stored.
  var numbers: Raster<Float> {
    switch self {
    case .depth(let map): map.meters
    case .disparity(let map): map.inverseMeters
    case .range(let map): map.meters
    }
  }

  /// Hands out each row of numbers and its first pixel's index; all at once without padding.
  func forEachRow(
    _ body: (_ numbers: UnsafePointer<Float>, _ count: Int, _ first: Int) -> Void
  ) {
    let numbers = numbers
    guard size.pixelCount > 0 else { return }
    numbers.samples.withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      if numbers.rowStride == size.width {
        body(source, size.pixelCount, 0)
      } else {
        for y in 0..<size.height {
          body(source + y * numbers.rowStride, size.width, y * size.width)
        }
      }
    }
  }
}
