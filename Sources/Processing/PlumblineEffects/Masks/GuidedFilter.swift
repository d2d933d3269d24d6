import CKernels
import PlumblineModel

/// A mask redrawn along the edges of a color image.
///
/// In each window the mask becomes a linear function of the three colors; a pixel takes the mean of
/// all windows that cover it. The lines are fitted on an image reduced by ``side`` and applied to the
/// whole one, which changes little where the radius is several times that.
/// - Source: He, Sun and Tang, *Guided image filtering*, ECCV 2010 (color guide, equations 14–16);
///   He and Sun, *Fast guided filter*, arXiv:1505.00996, 2015 (the reduction).
struct GuidedFilter: Sendable, Hashable {
  /// The windows' radius in pixels of the reduced image, 1 to 31.
  let radius: Int
  /// How many pixels of the image, squared, become one; 1 is the filter itself.
  let side: Int
  /// Added to the variance of each color, in codes²: edges much weaker than its root are not drawn.
  let epsilon: Double

  /// A filter of about a radius in pixels of the whole image.
  init(radiusPixels: Double, epsilon: Double, image: RasterSize) {
    let wanted = min(max(radiusPixels, 1), 4096)
    // A window keeps 9 pixels across at least; reduction is for speed only.
    side = max(1, min(Int(wanted / 4), 8, min(image.width, image.height) / 16))
    radius = min(max(Int((wanted / Double(side)).rounded()), 1), PLB_GUIDED_RADIUS)
    self.epsilon = max(epsilon, 1e-3)
  }

  /// Filters of given numbers, for tests.
  init(radius: Int, side: Int, epsilon: Double) {
    self.radius = radius
    self.side = side
    self.epsilon = epsilon
  }

  /// The filtered mask: 0 to 255 times 16, for each pixel; O(*n*).
  ///
  /// - Precondition: The mask has a level of at most 4080 for each pixel of the packed image.
  func levels(of mask: [UInt16], by guide: Raster<RGB8>, threads: Int) -> [Float] {
    precondition(mask.count == guide.size.pixelCount, "\(mask.count) levels for \(guide.size)")
    let small = reduced(guide.size)
    return levels(
      ofReduced: side == 1 ? mask : reduced(mask, guide.size, small, threads: threads), by: guide,
      threads: threads)
  }

  /// The same for a mask of the reduced image's size.
  func levels(ofReduced mask: [UInt16], by guide: Raster<RGB8>, threads: Int) -> [Float] {
    let (width, height, side) = (guide.width, guide.height, self.side)
    let small = reduced(guide.size)
    precondition(mask.count == small.pixelCount, "\(mask.count) levels for \(small)")
    guard !mask.isEmpty else { return [] }
    let means = self.means(mask, guide, small, threads: threads)
    return guide.samples.withUnsafeBytes { colors in
      nonisolated(unsafe) let colors = colors
      return means.withUnsafeBufferPointer { means in
        nonisolated(unsafe) let means = means
        return filled(width * height, rows: height, threads: threads) { rows, target in
          guard let colors = colors.bindMemory(to: UInt8.self).baseAddress,
            let means = means.baseAddress
          else { return }
          var mixed = [Float](repeating: 0, count: 4 * small.width)
          for y in rows {
            let place = min(
              max((Float(y) + 0.5) / Float(side) - 0.5, 0), Float(small.height - 1))
            let upper = Int(place)
            let lower = min(upper + 1, small.height - 1)
            plb_guided_apply(
              means + 4 * small.width * upper, means + 4 * small.width * lower,
              place - Float(upper), Int32(small.width), &mixed, colors + 3 * guide.rowStride * y,
              Int32(width), Int32(side), target + width * y)
          }
        }
      }
    }
  }

  private func reduced(_ size: RasterSize) -> RasterSize {
    RasterSize(width: (size.width + side - 1) / side, height: (size.height + side - 1) / side)
  }

  private func means(
    _ levels: [UInt16], _ guide: Raster<RGB8>, _ small: RasterSize, threads: Int
  ) -> [Float] {
    let (radius, epsilon) = (Int32(self.radius), self.epsilon)
    let (width, height) = (Int32(small.width), Int32(small.height))
    let colors = reduced(guide, small, threads: threads)
    let coefficients: [Int64] = colors.withUnsafeBufferPointer { colors in
      nonisolated(unsafe) let colors = colors
      return levels.withUnsafeBufferPointer { levels in
        nonisolated(unsafe) let levels = levels
        return filled(4 * small.pixelCount, rows: small.height, threads: threads) { rows, target in
          guard let colors = colors.baseAddress, let levels = levels.baseAddress else { return }
          var filter = plb_guided(
            guide: colors, input: levels, width: width, height: height, radius: radius,
            epsilon: epsilon)
          var columns = [UInt32](repeating: 0, count: plb_guided_places(width))
          plb_guided_coefficients(
            &filter, Int32(rows.lowerBound), Int32(rows.upperBound), &columns, target)
        }
      }
    }
    return coefficients.withUnsafeBufferPointer { coefficients in
      nonisolated(unsafe) let coefficients = coefficients
      return filled(4 * small.pixelCount, rows: small.height, threads: threads) { rows, target in
        guard let start = coefficients.baseAddress else { return }
        var columns = [Int64](repeating: 0, count: 4 * small.width)
        plb_guided_means(
          start, width, height, radius, Int32(rows.lowerBound), Int32(rows.upperBound), &columns,
          target)
      }
    }
  }

  /// The means of squares of ``side`` pixels, three bytes each.
  private func reduced(_ guide: Raster<RGB8>, _ small: RasterSize, threads: Int) -> [UInt8] {
    if self.side == 1 { return guide.packed.samples.withUnsafeBytes { [UInt8]($0) } }
    let side = Int32(self.side)
    return guide.samples.withUnsafeBytes { colors in
      nonisolated(unsafe) let colors = colors
      return filled(3 * small.pixelCount, rows: small.height, threads: threads) { rows, target in
        guard let colors = colors.bindMemory(to: UInt8.self).baseAddress else { return }
        plb_guided_reduce_colors(
          colors, guide.rowStride, Int32(guide.width), Int32(guide.height), side,
          Int32(rows.lowerBound), Int32(rows.upperBound), target)
      }
    }
  }

  private func reduced(
    _ mask: [UInt16], _ size: RasterSize, _ small: RasterSize, threads: Int
  ) -> [UInt16] {
    let side = Int32(self.side)
    return mask.withUnsafeBufferPointer { levels in
      nonisolated(unsafe) let levels = levels
      return filled(small.pixelCount, rows: small.height, threads: threads) { rows, target in
        guard let levels = levels.baseAddress else { return }
        plb_guided_reduce_levels(
          levels, Int32(size.width), Int32(size.height), side, Int32(rows.lowerBound),
          Int32(rows.upperBound), target)
      }
    }
  }
}

/// Refines the edges of masks along the image's colors.
enum MaskEdges {
  /// In codes²: edges of 2 codes are drawn half.
  static let epsilon = 4.0
  /// A mask's mean leaks a little into what looks alike; beyond these codes it is cut.
  static let (low, high): (Float, Float) = (10, 245)
}

extension GuidedFilter {
  /// The mask as codes, without the faint leaks of linear fits.
  func redrawn(_ levels: [UInt16], by guide: Raster<RGB8>, threads: Int) -> Raster<UInt8> {
    let packed = guide.packed
    return MaskLevels.codes(
      of: self.levels(of: levels, by: packed, threads: threads), size: packed.size,
      low: MaskEdges.low, high: MaskEdges.high, threads: threads)
  }
}

extension EffectScene {
  /// How many pixels of the image lie across one of the depth map; at least 1.
  var enlargement: Double {
    guard depthSize.pixelCount > 0, color.size.pixelCount > 0 else { return 1 }
    return max(Double(color.width) / Double(depthSize.width), 1)
  }

  /// Levels from depth as codes, redrawn along the colors within what depth may be off.
  func redrawn(_ levels: [UInt16], followsColors: Bool, threads: Int) -> Raster<UInt8> {
    guard followsColors else {
      return MaskLevels.codes(
        of: levels.map(Float.init), size: color.size, threads: threads)
    }
    return GuidedFilter(
      radiusPixels: max(3 * enlargement, 4), epsilon: MaskEdges.epsilon, image: color.size
    )
    .redrawn(levels, by: color, threads: threads)
  }

  /// What to say where the depth map is much smaller than the image.
  func coarsenessNote(for what: String) -> EffectNote? {
    guard enlargement >= 2 else { return nil }
    return EffectNote(
      .coarseDepth,
      "depth is coarse: \(depthSize) for \(what) of \(color.size); edges follow the colors")
  }
}

extension CleanDisparity {
  /// The note about a threshold that was chosen automatically.
  func thresholdNote(_ middle: Float) -> EffectNote {
    let place = ((middle - farthest) / spread * 100).rounded() / 100
    let meters = isMetric && middle > 0 ? ", \((100 / middle).rounded() / 100) m" : ""
    return EffectNote(
      .automaticThreshold, "the background starts at nearness \(place)\(meters), as was found")
  }
}
