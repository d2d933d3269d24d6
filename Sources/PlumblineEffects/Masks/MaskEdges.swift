internal import PlumblineModel

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
