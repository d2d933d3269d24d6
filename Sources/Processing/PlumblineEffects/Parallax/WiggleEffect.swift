public import PlumblineModel

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A loop of images from a camera that sways around the photo's own place.
///
/// A pixel of disparity `d` moves by amplitude · (d − d₀), d₀ being what stays in place.
/// - Source: `ParallaxScene` for how views are made.
public struct WiggleEffect: Sendable, Hashable {
  /// The way that the camera goes.
  public enum Path: String, Sendable, CaseIterable {
    /// To the sides and back, slowest at the ends.
    case swing
    /// A circle.
    case circle
    /// An ellipse, half as high as wide.
    case ellipse
  }

  /// The amplitude of the motion.
  public var amplitude: ParallaxAmplitude
  /// The distance that stays in place.
  public var focus: SceneDistance
  /// The path of the camera.
  public var path: Path
  /// The number of images of a loop, 2 to 240.
  public var frameCount: Int
  /// The longer side of the images at most, in pixels, 1 to 16384.
  public var maximumSide: Int
  /// Whether the border, where nothing is known of what comes in, is cut off.
  public var cropsBorder: Bool

  /// Creates the effect.
  public init(
    amplitude: ParallaxAmplitude = .percentOfWidth(2), focus: SceneDistance = .nearness(0.5),
    path: Path = .ellipse, frameCount: Int = 24, maximumSide: Int = 960, cropsBorder: Bool = true
  ) {
    self.amplitude = amplitude
    self.focus = focus
    self.path = path
    self.frameCount = frameCount
    self.maximumSide = maximumSide
    self.cropsBorder = cropsBorder
  }

  /// The frames of a loop, as the photo's pixels are stored; the last leads on to the first.
  ///
  /// O(*frames* · *n* · parallax in pixels); the same for any number of threads. A frame is made at
  /// twice its size where the photo allows, so that edges are smooth.
  /// - Throws: `.missing` without depth, or for meters of a relative scene; `.outOfRange`.
  public func frames(
    of scene: EffectScene, threads: Int = 2
  ) throws(EffectError) -> (frames: [Raster<RGB8>], notes: [EffectNote]) {
    let effect = "wiggle"
    guard frameCount >= 2, frameCount <= 240 else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "2 to 240 frames", found: "\(frameCount)")
    }
    guard maximumSide >= 1, maximumSide <= 16384 else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a side of 1 to 16384 px", found: "\(maximumSide) px"
      )
    }
    let stage = try ParallaxStage.prepared(
      scene, amplitude, focus, maximumSide: maximumSide, effect: effect, threads: threads)
    let frames = (0..<frameCount).map { index in
      let (x, y) = turn(index)
      return stage.view(x: x, y: y, cropsBorder: cropsBorder, threads: threads)
    }
    return (frames, stage.notes)
  }

  /// Where the camera is in a frame, in amplitudes: half of it to each side.
  private func turn(_ index: Int) -> (Double, Double) {
    let angle = 2 * Double.pi * Double(index) / Double(frameCount)
    let (across, down) = (sine(angle + .pi / 2) / 2, sine(angle) / 2)
    return switch path {
    case .swing: (across, 0)
    case .circle: (across, down)
    case .ellipse: (across, down / 2)
    }
  }
}

/// The sine of an angle in radians; what is 0 but for rounding is 0.
func sine(_ angle: Double) -> Double {
  let value = sin(angle)
  return abs(value) < 1e-12 ? 0 : value
}
