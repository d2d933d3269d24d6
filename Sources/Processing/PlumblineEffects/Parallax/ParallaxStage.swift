import CKernels
import PlumblineModel

/// A scene at the size of its views, ready to be seen from elsewhere.
struct ParallaxStage: Sendable {
  private let parallax: ParallaxScene
  private let size: RasterSize
  /// Pixels of the prepared scene for each of a view, squared.
  private let oversampling: Int
  private let pixelsPerUnit: Double
  private let focus: Float
  private let margin: Int
  let notes: [EffectNote]

  /// Prepares.
  ///
  /// - Throws: as ``WiggleEffect/frames(of:threads:)``.
  static func prepared(
    _ scene: EffectScene, _ amplitude: ParallaxAmplitude, _ focus: SceneDistance,
    maximumSide: Int, effect: String, threads: Int
  ) throws(EffectError) -> ParallaxStage {
    let whole = try CleanDisparity.cleaned(scene, effect: effect, threads: threads)
    let perUnit = try amplitude.pixelsPerUnit(scene, whole, effect: effect)
    let focus = try whole.disparity(at: focus, effect: effect)
    let longer = max(scene.color.width, scene.color.height)
    let share = min(Double(maximumSide) / Double(max(longer, 1)), 1)
    let target = RasterSize(
      width: max(Int((Double(scene.color.width) * share).rounded()), 1),
      height: max(Int((Double(scene.color.height) * share).rounded()), 1))
    var notes: [EffectNote] = []
    if share < 1 {
      notes.append(EffectNote(.reduced, "images are \(target), the photo is \(scene.color.size)"))
    }
    if let note = scene.coarsenessNote(for: "views from elsewhere") { notes.append(note) }
    let oversampling = share <= 0.5 ? 2 : 1
    let work = RasterSize(
      width: target.width * oversampling, height: target.height * oversampling)
    let pixelsPerUnit = perUnit * Double(work.width) / Double(max(scene.color.width, 1))
    let extent = max(abs(whole.maximum - focus), abs(whole.least - focus))
    let margin = Int(
      min((Double(extent) * pixelsPerUnit / 2 / Double(oversampling)).rounded(.up), 1e6))
    let isWhole = work == scene.color.size
    let disparity =
      isWhole
      ? whole
      : try CleanDisparity.cleaned(
        Raster(size: scene.color.size, samples: whole.values).scaledNearest(to: work),
        isMetric: scene.isMetric, sigma: scene.sigma, effect: effect, threads: threads)
    let side = max(min(scene.color.width / work.width, scene.color.height / work.height), 1)
    let color =
      isWhole
      ? scene.color
      : scene.color.reduced(bySide: side, threads: threads).resized(to: work, threads: threads)
    return ParallaxStage(
      parallax: ParallaxScene.prepared(
        color: color, disparity: disparity, pixelsPerUnit: pixelsPerUnit / 2, threads: threads),
      size: target, oversampling: oversampling, pixelsPerUnit: pixelsPerUnit, focus: focus,
      margin: margin, notes: notes)
  }

  /// The view from a position in amplitudes, right and down.
  func view(x: Double, y: Double, cropsBorder: Bool, threads: Int) -> Raster<RGB8> {
    // A camera that moves right sees near things move left.
    let seen = parallax.view(
      shift: SIMD2(-x, -y) * pixelsPerUnit, focus: focus, threads: threads
    )
    .reduced(bySide: oversampling, threads: threads)
    // Never more than a quarter of a side.
    let edge = cropsBorder ? min(margin, size.width / 4, size.height / 4) : 0
    guard edge > 0 else { return seen }
    return seen.cropped(
      to: PixelRectangle(
        x: edge, y: edge, width: size.width - 2 * edge, height: size.height - 2 * edge))
  }
}

/// The amplitude of a virtual camera's motion.
public enum ParallaxAmplitude: Hashable, Sendable {
  /// By how much the nearest and the farthest of the scene move against each other, in percent of
  /// the image's width; 0 to 20.
  case percentOfWidth(Double)
  /// By meters, 0 to 1; only where the scene's disparity is metric and its camera known.
  case baseline(meters: Double)
}

extension ParallaxAmplitude {
  /// Pixels that one unit of disparity moves a pixel of a scene.
  ///
  /// - Throws: `.outOfRange`, or `.missing` for meters of a relative scene.
  func pixelsPerUnit(
    _ scene: EffectScene, _ disparity: CleanDisparity, effect: String
  ) throws(EffectError) -> Double {
    switch self {
    case .percentOfWidth(let percent):
      guard percent >= 0, percent <= 20 else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a parallax of 0 to 20 % of the width",
          found: "\(percent) %")
      }
      // A scene of one disparity has no parallax of its own.
      guard disparity.nearest > disparity.farthest else { return 0 }
      return percent / 100 * Double(scene.color.width) / Double(disparity.spread)
    case .baseline(let meters):
      guard meters >= 0, meters <= 1 else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a baseline of 0 to 1 m", found: "\(meters) m")
      }
      guard scene.isMetric, let camera = scene.intrinsics else {
        throw EffectError(
          .missing, effect: effect, expected: "absolute depth and a camera for \(meters) m",
          found: scene.isMetric ? "no camera" : "relative disparity")
      }
      return meters * camera.scaled(to: scene.color.size).focalLength.x
    }
  }
}
