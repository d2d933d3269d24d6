public import PlumblineModel

extension EffectScene {
  /// What an effect needs of a photo: its image, and a disparity for each of its pixels.
  ///
  /// Depth of any kind becomes disparity and is turned as the image's pixels are stored. Holes get
  /// the farther of the surfaces around them, so that no foreground grows. The map is brought to the
  /// image's size with its edges on those of the color, and on those of the portrait matte where
  /// there is one. Mattes of any size and orientation become as large as the image, and the
  /// intrinsics are scaled to it. ``simulatedAperture`` is left to the caller, who has the file.
  ///
  /// - Parameters:
  ///   - capture: A photo or frame with color and depth.
  ///   - effect: The name to be said in errors.
  ///   - maximumSide: The longer side that the image is reduced to first; `nil` leaves it.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Throws: ``EffectError`` where color or depth is missing, or a map or matte is of another shape.
  /// - Complexity: O(pixels); at edges 36 cells of the map for each.
  /// - Precondition: At least one thread.
  public init(
    _ capture: Capture, effect: String, maximumSide: Int? = nil, threads: Int = 1
  ) throws(EffectError) {
    precondition(threads >= 1, "\(threads) threads cannot work")
    guard var color = capture.color, color.size.pixelCount > 0 else {
      throw EffectError(
        .missing, effect: effect, expected: "a photo with a color image", found: "none")
    }
    guard let record = capture.depth, record.size.pixelCount > 0 else {
      throw EffectError(
        .missing, effect: effect, expected: "a photo with depth", found: "a photo without depth")
    }
    if let maximumSide, max(color.width, color.height) > maximumSide {
      color = color.reduced(toMaximumSide: maximumSide)
    }
    color = color.packed
    let depth = try StoredDisparity(record, for: capture, effect: effect)
    guard depth.values.size.hasShape(of: color.size) else {
      throw EffectError(
        .mismatch, effect: effect, expected: "depth of the image's shape, \(color.size)",
        found: "\(depth.values.size)")
    }
    var mattes: [Matte] = []
    for matte in capture.mattes {
      let turn = matte.orientation.followed(by: capture.colorOrientation.inverse)
      let coverage = matte.coverage.oriented(by: turn)
      guard coverage.size.hasShape(of: color.size) else {
        throw EffectError(
          .mismatch, effect: effect,
          expected: "a \(matte.kind.rawValue) matte of the image's shape, \(color.size)",
          found: "\(coverage.size)")
      }
      mattes.append(
        Matte(
          kind: matte.kind, coverage: coverage.interpolated(to: color.size, threads: threads),
          orientation: capture.colorOrientation))
    }
    guard let filled = depth.values.holesFilledFromBehind() else {
      throw EffectError(
        .missing, effect: effect, expected: "a depth map with measured pixels",
        found: "none of them")
    }
    let upsampling = DisparityUpsampling(
      filled, color: color, matte: mattes.first { $0.kind == .portraitEffects }?.coverage,
      threads: threads)
    self.init(
      color: color, disparity: upsampling.disparity(threads: threads),
      isMetric: record.accuracy == .absolute && record.hasUnit)
    sigma = depth.sigma
    disparityStep = depth.step
    intrinsics = depth.intrinsics.flatMap {
      $0.matchesAspect(of: color.size) ? $0.scaled(to: color.size) : nil
    }
    self.mattes = mattes
    orientation = capture.colorOrientation
    depthSize = filled.size
  }
}

extension RasterSize {
  /// Whether a raster of this size can cover the same field of view: sides agree within 1 %, or
  /// within the one pixel that rounding costs.
  func hasShape(of other: RasterSize) -> Bool {
    guard pixelCount > 0, other.pixelCount > 0 else { return false }
    let width = Double(other.width) * Double(height) / Double(other.height)
    return abs(Double(self.width) - width) <= max(0.01 * width, 1)
  }
}
