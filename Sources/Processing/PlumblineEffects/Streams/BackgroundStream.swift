import CKernels
public import PlumblineModel

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Another background behind the person of a stream, frame after frame.
///
/// What is nearer than a border stays. The mask of the depth map is smoothed by a Gaussian, widened a
/// little by a power, brought to the image's size, and mixes both in stored codes.
/// - Source: Apple, *Enhancing Live Video by Leveraging TrueDepth Camera Data*: depth of a face and
///   0.25 m behind it, a blur of 5 pixels of the depth map, a power of 0.5, mixing by the mask. Smoothing
///   over time is this project's; three boxes stand for the Gaussian.
public struct BackgroundStream: Sendable {
  /// The ways to set where the background starts.
  public enum Border: Hashable, Sendable {
    /// At a distance.
    case distance(SceneDistance)
    /// Some meters behind what lies at a pixel of the depth map, such as the middle of a face, with
    /// the share that frames of 30 a second have; only of metric disparity.
    case behind(x: Int, y: Int, meters: Double)
    /// Between foreground and background by Otsu's method, following the stream slowly.
    case automatic
  }

  /// The distance at which the background starts.
  public var border: Border
  /// The σ of the mask's smoothing, in pixels of the depth map, 0 to 50.
  public var sigmaPixels: Double
  /// The power of the mask, 0.1 to 4; below 1 it widens what stays.
  public var power: Double
  /// Whether edges are redrawn along the image's colors.
  public var followsColors: Bool
  /// The share of a new frame's depth in the smoothed one, 0 to 1; 1 does not smooth.
  public var newShare: Double

  private var steady = SteadyDisparity()
  private var middle: Float?
  private var span: Float = .infinity
  private var fitted: (source: Raster<RGB8>, result: Raster<RGB8>)?

  /// Creates a stream that has seen no frame yet; numbers are those of Apple's sample.
  public init(
    border: Border = .automatic, sigmaPixels: Double = 5, power: Double = 0.5,
    followsColors: Bool = true, newShare: Double = 0.6
  ) {
    self.border = border
    self.sigmaPixels = sigmaPixels
    self.power = power
    self.followsColors = followsColors
    self.newShare = newShare
  }

  /// The background from now on; black without one.
  ///
  /// It is cut to the image's shape once.
  public var background: Raster<RGB8>? {
    didSet { fitted = nil }
  }

  /// Replaces the background of the next frame; O(*n*).
  ///
  /// - Parameters:
  ///   - color: The image.
  ///   - disparity: Its disparities, of any size of the image's shape; holes are not finite and
  ///     belong to the background until they were measured.
  ///   - isMetric: Whether disparities are in 1/m.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The image before the background; only background as long as no frame had depth.
  /// - Throws: `.mismatch` where one has no pixels, `.missing` for meters of relative disparity,
  ///   `.outOfRange`.
  public mutating func apply(
    to color: Raster<RGB8>, disparity: Raster<Float>, isMetric: Bool, threads: Int = 1
  ) throws(EffectError) -> Raster<RGB8> {
    let coverage = try coverage(
      of: color, disparity: disparity, isMetric: isMetric, threads: threads)
    guard let background, background.size.pixelCount > 0 else {
      return ImageMixing.blend(
        color, over: RGB8(red: 0, green: 0, blue: 0), coverage, threads: threads)
    }
    let behind: Raster<RGB8>
    if let fitted, fitted.result.size == color.size {
      behind = fitted.result
    } else {
      behind = background.covering(color.size, threads: threads)
      fitted = (background, behind)
    }
    return ImageMixing.blend(color, over: behind, coverage, threads: threads)
  }

  /// What of the next frame stays, 0 to 255; as ``apply(to:disparity:isMetric:threads:)``.
  ///
  /// - Throws: as there.
  public mutating func coverage(
    of color: Raster<RGB8>, disparity: Raster<Float>, isMetric: Bool, threads: Int = 1
  ) throws(EffectError) -> Raster<UInt8> {
    let effect = "background"
    try check(color.size, disparity.size, effect)
    steady.take(disparity, newShare: Float(newShare), step: span * 0.1)
    let clean: CleanDisparity
    do throws(EffectError) {
      clean = try CleanDisparity.cleaned(
        Raster(size: steady.size, samples: steady.values), isMetric: isMetric, sigma: 0,
        effect: effect, threads: threads)
    } catch {
      // Depth may come later than color: nothing stays until then.
      guard error.reason == .missing else { throw error }
      return Raster(size: color.size, repeating: 0)
    }
    span = clean.spread
    let middle = try place(in: clean, disparity, effect)
    self.middle = middle
    let levels = MaskLevels.inFront(
      of: middle, width: clean.spread * 0.02, clean, threads: threads)
    let small = MaskLevels.codes(of: levels.map(Float.init), size: clean.size, threads: threads)
      .boxBlurred(radius: boxRadius, passes: 3, threads: threads)
    let table = PowerTable.codes(power: power)
    let wide = small.map { table[Int($0)] }
    let coverage = wide.resized(to: color.size, threads: threads)
    guard followsColors else { return coverage }
    return GuidedFilter(
      radiusPixels: max(2 * Double(color.width) / Double(disparity.width), 8),
      epsilon: MaskEdges.epsilon * 4, image: color.size
    )
    .redrawn(coverage.samples.map { UInt16($0) * 16 }, by: color, threads: threads)
  }

  /// Three boxes of radius r have the variance r(r + 1).
  private var boxRadius: Int {
    Int(((1 + 4 * sigmaPixels * sigmaPixels).squareRoot() / 2 - 0.5).rounded())
  }

  private func check(
    _ color: RasterSize, _ depth: RasterSize, _ effect: String
  ) throws(EffectError) {
    guard color.pixelCount > 0, depth.pixelCount > 0 else {
      throw EffectError(
        .mismatch, effect: effect, expected: "an image and depth with pixels",
        found: "\(color) and \(depth)")
    }
    guard sigmaPixels >= 0, sigmaPixels <= 50, power >= 0.1, power <= 4, newShare >= 0,
      newShare <= 1
    else {
      throw EffectError(
        .outOfRange, effect: effect,
        expected: "a blur of 0 to 50 px, a power of 0.1 to 4 and a new share above 0 and up to 1",
        found: "\(sigmaPixels) px, \(power) and \(newShare)")
    }
  }

  private func place(
    in clean: CleanDisparity, _ frame: Raster<Float>, _ effect: String
  ) throws(EffectError) -> Float {
    switch border {
    case .distance(let distance):
      return try clean.disparity(at: distance, effect: effect)
    case .automatic:
      let share = ForegroundThreshold.share(of: clean.histogram)
      let found = clean.farthest + (clean.nearest - clean.farthest) * Float(share)
      return middle.map { $0 + (found - $0) * 0.1 } ?? found
    case .behind(let x, let y, let meters):
      guard clean.isMetric else {
        throw EffectError(
          .missing, effect: effect, expected: "absolute depth for \(meters) m",
          found: "relative disparity")
      }
      guard frame.contains(x: x, y: y), meters.isFinite, meters >= 0 else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a pixel of \(frame.size) and meters from 0 on",
          found: "(\(x), \(y)) and \(meters) m")
      }
      let there = frame[x, y]
      guard there.isFinite, there > 0 else { return middle ?? clean.nearest }
      return 1 / (1 / there + Float(meters))
    }
  }
}

/// Codes raised to a power, 255 being 1.
enum PowerTable {
  static func codes(power: Double) -> [UInt8] {
    (0..<256).map { UInt8((pow(Double($0) / 255, power) * 255).rounded()) }
  }
}
