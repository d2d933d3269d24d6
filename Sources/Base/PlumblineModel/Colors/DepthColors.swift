import CKernels

/// The display of depth as colors: a color map, the depths at its ends, and a color for holes.
///
/// Near is always the near end of the color map: depth and range are used in meters, disparity by
/// its reciprocal. Range is colored by the length of the ray. The colors are not meant for
/// measuring.
public struct DepthColors: Hashable, Sendable {
  /// How the depths at the two ends of the color map are chosen.
  public enum Span: Hashable, Sendable {
    /// Fixed depths in meters, so that a preview does not flicker when something enters it; linear
    /// in between.
    case fixed(nearMeters: Float, farMeters: Float)
    /// Quantiles of the measured depths of each map, with a margin of 2 % on either side; linear in
    /// between.
    case quantiles(ClosedRange<Double>)
    /// The rank of a depth instead of its value: each color is used for equally many pixels.
    ///
    /// - Source: histogram equalization as in Apple's sample *Streaming Depth Data from the
    ///   TrueDepth Camera*, whose `DepthToJETConverter` counts depths in bins of 1/8 mm and takes
    ///   the color at the fraction of pixels that are nearer. Here a bin is 1/2048 of a power of
    ///   two (1/8 mm at 0.25…0.5 m), and the color is that of the middle rank of a bin.
    case equalized

    /// All depths except the nearest and farthest 0.2 %, the initial setting of the report's
    /// viewer.
    ///
    /// Otherwise a few flying pixels would compress all other depths into two colors.
    public static let automatic = Span.quantiles(0.002...0.998)
  }

  /// The colors from near to far.
  public var colorMap: ColorMap
  /// The depths at the ends of the color map.
  public var span: Span
  /// The color of missing pixels.
  public var missing: RGB8

  /// Creates a color scheme.
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

  /// Colors a map into existing memory, which avoids an allocation per frame.
  ///
  /// - Parameters:
  ///   - values: The map.
  ///   - image: Overwritten in the map's own pixel order; reallocated if its size differs.
  public func colors(of values: DepthRecord.Values, into image: inout Raster<RGB8>) {
    guard image.size == values.size, image.rowStride == values.size.width else {
      image = colors(of: values)
      return
    }
    image.samples.withUnsafeMutableBufferPointer { color(values, into: $0) }
  }

  /// The depths of the first and the last color in meters, for a legend.
  ///
  /// - Returns: `nil` for an equalized span, and for quantiles of a map without a measured pixel.
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
      // Without a measured pixel there is no range, and any range will do.
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
  /// The color as the kernels expect it: red in the lowest byte, then green and blue.
  fileprivate var word: UInt32 { UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 }
}

extension DepthRecord.Values {
  /// Whether small values are far.
  var isDisparity: Bool { if case .disparity = self { true } else { false } }

  /// The numbers as stored.
  var numbers: Raster<Float> {
    switch self {
    case .depth(let map): map.meters
    case .disparity(let map): map.inverseMeters
    case .range(let map): map.meters
    }
  }

  /// Passes each row of values with the index of its first pixel; one call if there is no padding.
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
