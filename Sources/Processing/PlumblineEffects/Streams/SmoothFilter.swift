import CKernels
public import PlumblineModel

/// The streamed filter of Apple's WWDC sample: a rose-colored image mixed with the plain one, by
/// depth that is smoothed over frames.
///
/// The rose-colored image is the image without its green. Its share is highest for everything nearer than
/// ``nearness``, 0 for everything farther, and soft in between. Alternatively depth itself is mixed in, as
/// gray: white is nearest. The ends of the scale follow the stream slowly.
/// - Source: Apple, *AVCamFilter: Applying Filters to a Capture Stream* (formerly *AVCamPhotoFilter*):
///   `rosyEffect` and `VideoMixer` with its mix factor; mixing by depth is this project's own.
public struct SmoothFilter: Sendable {
  /// The images that can be mixed in.
  public enum Look: String, Sendable, CaseIterable {
    /// The image without green, where it is near.
    case rose
    /// Depth as gray levels, everywhere.
    case depth
  }

  /// The image that is mixed in.
  public var look: Look
  /// Its maximum share, 0 to 1.
  public var mix: Double
  /// The nearness from which it is mixed in: 0 is the farthest of the scene and 1 the nearest.
  public var nearness: Double
  /// The width of the soft border, in nearness, 0 to 1.
  public var softness: Double
  /// The share of a new frame's depth in the smoothed one, 0 to 1; 1 does not smooth.
  public var newShare: Double

  private var steady = SteadyDisparity()
  private var ends: (low: Float, high: Float)?

  /// Creates the filter, which has seen no frame yet.
  public init(
    look: Look = .rose, mix: Double = 1, nearness: Double = 0.5, softness: Double = 0.2,
    newShare: Double = 0.4
  ) {
    self.look = look
    self.mix = mix
    self.nearness = nearness
    self.softness = softness
    self.newShare = newShare
  }

  /// Filters the next frame of a stream; O(*n*).
  ///
  /// - Parameters:
  ///   - color: The image.
  ///   - disparity: Its disparities, of any size of the image's shape; holes are not finite.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The filtered image; the plain one as long as no frame had depth.
  /// - Throws: `.mismatch` where one has no pixels, `.outOfRange`.
  public mutating func apply(
    to color: Raster<RGB8>, disparity: Raster<Float>, threads: Int = 1
  ) throws(EffectError) -> Raster<RGB8> {
    let effect = "smooth-filter"
    for (name, value) in [
      ("mix", mix), ("nearness", nearness), ("softness", softness), ("new share", newShare),
    ] where !(value >= 0 && value <= 1) {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a \(name) above 0 and up to 1", found: "\(value)")
    }
    guard color.size.pixelCount > 0, disparity.size.pixelCount > 0 else {
      throw EffectError(
        .mismatch, effect: effect, expected: "an image and depth with pixels",
        found: "\(color.size) and \(disparity.size)")
    }
    // A jump is a tenth of the scene's range of disparities.
    let span = ends.map { $0.high - $0.low } ?? .infinity
    steady.take(disparity, newShare: Float(newShare), step: span * 0.1)
    var low: Float = 0
    var high: Float = 0
    plb_mask_range(steady.values, steady.values.count, &low, &high)
    guard low <= high, abs(low) < 1e30, abs(high) < 1e30 else { return color.packed }
    let share = ends == nil ? 1 : Float(min(newShare, 0.2))
    let last = ends ?? (low, high)
    let now = (last.low + (low - last.low) * share, last.high + (high - last.high) * share)
    ends = now
    return mixed(color.packed, now, threads: threads)
  }

  private func mixed(
    _ color: Raster<RGB8>, _ ends: (low: Float, high: Float), threads: Int
  ) -> Raster<RGB8> {
    let span = max(ends.high - ends.low, max(abs(ends.high), 1e-6) * 1e-6)
    let (middle, width): (Float, Float) =
      look == .rose
      ? (ends.low + span * Float(nearness), span * max(Float(softness), 0.004))
      : (ends.low + span / 2, span)
    let count = steady.values.count
    let levels = [UInt16](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      guard let target = buffer.baseAddress else { return }
      plb_mask_ramp(steady.values, count, middle, 1 / width, target)
    }
    let most = Float(look == .rose ? mix : 1)
    let small = Raster(
      size: steady.size,
      samples: levels.map { UInt8((Float($0) * most / 16 + 0.5)) })
    let coverage = small.resized(to: color.size, threads: threads)
    switch look {
    case .rose:
      return ImageMixing.mix(color, coverage, threads: threads) {
        pixels, levels, _, count, target in
        plb_mask_rose(pixels, levels, count, target)
      }
    case .depth:
      let gray = coverage.map { RGB8(red: $0, green: $0, blue: $0) }
      let share = Raster(size: color.size, repeating: UInt8((mix * 255).rounded()))
      return ImageMixing.blend(gray, over: color, share, threads: threads)
    }
  }
}

/// Disparities of a stream, smoothed over time: mixed with the last ones unless they jumped.
///
/// - Source: librealsense, *Post-processing filters*, Temporal filter (an exponential mean with a
///   step limit); a hole keeps the last disparity as long as there is one.
struct SteadyDisparity: Sendable {
  private(set) var values: [Float] = []
  private(set) var size = RasterSize(width: 0, height: 0)

  /// Takes in the next frame; another size starts anew; O(*n*).
  ///
  /// - Parameters:
  ///   - frame: Its disparities; those that are not finite are holes.
  ///   - newShare: The share of the new ones, 0 to 1.
  ///   - step: A difference that is a jump.
  mutating func take(_ frame: Raster<Float>, newShare: Float, step: Float) {
    if frame.size != size {
      size = frame.size
      values = [Float](repeating: .nan, count: size.pixelCount)
    }
    plb_mask_steady(frame.packed.samples, values.count, newShare, step, &values)
  }
}
