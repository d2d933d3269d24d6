import CKernels
import PlumblineModel
import PlumblineNumerics

/// A scene's surface at a size at which its depth says something, smoothed along the colors.
struct ShadedSurface: Sendable {
  /// More than this says nothing new of depth maps, and normals of neighbors become noise.
  private static let workingSide = 512

  /// Colors that differ less than its root do not shape the light, so that texture leaves no trace.
  private static let epsilon = 900.0

  private let size: RasterSize
  private let side: Int
  private let whole: Raster<RGB8>
  private let depth: [Float]
  private let camera: PinholeIntrinsics
  private let middle: Float
  /// The σ of a smoothed disparity: half of one pixel's, since noise of neighbors is alike.
  private let noise: Float

  init(_ scene: EffectScene, _ disparity: CleanDisparity, threads: Int) {
    whole = scene.color.packed
    side = max(
      (max(whole.width, whole.height) + Self.workingSide - 1) / Self.workingSide,
      Int(scene.enlargement.rounded()), 1)
    let small = whole.reduced(bySide: side, threads: threads)
    size = small.size
    let reduced = Raster(size: whole.size, samples: disparity.values).scaledNearest(to: size)
    camera = (scene.intrinsics ?? .assumed(for: whole.size)).scaled(to: size)
    // Relative disparity has no zero: its farthest is set three times as far as its nearest.
    let offset =
      disparity.isMetric ? 0 : disparity.spread / 2 - disparity.farthest
    let floor = disparity.isMetric ? max(disparity.nearest * 1e-3, 1e-6) : disparity.spread / 4
    let unit = disparity.isMetric ? 1 : disparity.spread
    let ceiling = disparity.isMetric ? max(disparity.nearest * 10, floor) : disparity.spread * 2
    noise = (disparity.sigma > 0 ? disparity.sigma : disparity.spread * 0.002) / unit / 2
    let clean = reduced.map { min(max($0 + offset, floor), ceiling) / unit }
    let smooth = SurfaceSmoothing.smoothed(
      clean, step: max(1e-9, (disparity.spread / unit) * 0.03), threads: threads)
    depth = smooth.map { 1 / $0 }
    // Of some thousand pixels in equal steps: all of them say no more.
    let some = stride(from: 0, to: smooth.count, by: smooth.count / 4096 + 1).map { smooth[$0] }
    middle = 1 / max(some.upperMedian ?? 0, .leastNormalMagnitude)
  }

  /// How much of the light each pixel of the whole image gets.
  func shares(_ effect: RelightEffect, threads: Int) -> [Float] {
    guard effect.strength > 0 else { return [Float](repeating: 0, count: whole.size.pixelCount) }
    let small: [Float] = depth.withUnsafeBufferPointer { depth in
      nonisolated(unsafe) let depth = depth
      return filled(size.pixelCount, rows: size.height, threads: threads) { rows, target in
        guard let start = depth.baseAddress else { return }
        var light = numbers(effect, start)
        for row in rows { plb_light_shade(&light, Int32(row), target + row * size.width) }
      }
    }
    // To the whole image's size along its colors, as masks go; 255 is the brightest there is.
    let top = max(small.max() ?? 0, 1e-6)
    let levels = small.map { UInt16(min($0 / top, 1) * 4080 + 0.5) }
    return GuidedFilter(radius: 4, side: side, epsilon: Self.epsilon)
      .levels(ofReduced: levels, by: whole, threads: threads).map { $0 * top / 4080 }
  }

  private func numbers(_ effect: RelightEffect, _ depth: UnsafePointer<Float>) -> plb_relight {
    var kernel = plb_relight(
      depth: depth, width: Int32(size.width), height: Int32(size.height),
      ray_x: Float(1 / camera.focalLength.x), ray_y: Float(1 / camera.focalLength.y),
      center_x: Float(camera.principalPoint.x), center_y: Float(camera.principalPoint.y),
      light_x: 0, light_y: 0, light_z: 0, is_point: 0, reference: middle, strength: 0, ambient: 0,
      wrap: 0, relief: 1, noise: noise)
    kernel.strength = Float(effect.strength)
    kernel.wrap = Float(effect.wrap)
    kernel.relief = Float(effect.relief)
    switch effect.light {
    case .direction(let vector):
      let unit = vector / (vector * vector).sum().squareRoot()
      (kernel.light_x, kernel.light_y, kernel.light_z) =
        (Float(unit.x), Float(unit.y), Float(unit.z))
    case .point(let place):
      kernel.is_point = 1
      (kernel.light_x, kernel.light_y, kernel.light_z) =
        (Float(place.x), Float(place.y), Float(place.z))
    }
    return kernel
  }
}

/// Smooth surfaces without their edges, for normals.
///
/// - Source: Dammertz, Sewtz, Hanika and Lensch, *Edge-avoiding à-trous wavelet transform for fast
///   global illumination filtering*, HPG 2010; weights by disparity alone, so that texture leaves no
///   trace.
enum SurfaceSmoothing {
  private static let spacings = [1, 2, 4, 8]

  /// Disparities smoothed where neighbors differ by less than a step; O(*n*).
  static func smoothed(
    _ disparity: Raster<Float>, step: Float, threads: Int
  ) -> [Float] {
    let (width, height) = (disparity.width, disparity.height)
    var values = disparity.packed.samples
    for spacing in spacings {
      values = values.withUnsafeBufferPointer { values in
        nonisolated(unsafe) let values = values
        return filled(values.count, rows: height, threads: threads) { rows, target in
          guard let start = values.baseAddress else { return }
          plb_light_smooth(
            start, Int32(width), Int32(height), Int32(spacing), step, Int32(rows.lowerBound),
            Int32(rows.upperBound), target)
        }
      }
    }
    return values
  }
}
