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
  /// How far a normal can be trusted, 0 to 1.
  private let reliable: [Float]

  /// The surface of a scene; O(*n*).
  static func smoothed(
    _ scene: EffectScene, _ disparity: CleanDisparity, threads: Int
  ) -> ShadedSurface {
    let whole = scene.color.packed
    let side = max(
      (max(whole.width, whole.height) + workingSide - 1) / workingSide,
      Int(scene.enlargement.rounded()), 1)
    let small = whole.reduced(bySide: side, threads: threads)
    let size = small.size
    let reduced = Raster(size: whole.size, samples: disparity.values).scaledNearest(to: size)
    let camera = (scene.intrinsics ?? .assumed(for: whole.size)).scaled(to: size)
    // Relative disparity has no zero: its farthest is set three times as far as its nearest.
    let offset =
      disparity.isMetric ? 0 : disparity.spread / 2 - disparity.farthest
    let floor = disparity.isMetric ? max(disparity.nearest * 1e-3, 1e-6) : disparity.spread / 4
    let unit = disparity.isMetric ? 1 : disparity.spread
    let ceiling = disparity.isMetric ? max(disparity.nearest * 10, floor) : disparity.spread * 2
    let sigma = (disparity.sigma > 0 ? disparity.sigma : disparity.spread * 0.002) / unit
    let clean = reduced.map { min(max($0 + offset, floor), ceiling) / unit }
    let law = SlopeReliability(
      sigma: sigma, spread: disparity.spread / unit,
      focalLengthPixels: Float(camera.focalLength.x + camera.focalLength.y) / 2)
    let smooth = SurfaceSmoothing.smoothed(
      clean, step: max(1e-9, (disparity.spread / unit) * 0.03), by: law, threads: threads)
    let depth = smooth.map { 1 / $0 }
    // Of some thousand pixels in equal steps: all of them say no more.
    let some = stride(from: 0, to: smooth.count, by: smooth.count / 4096 + 1).map { smooth[$0] }
    return ShadedSurface(
      size: size, side: side, whole: whole, depth: depth, camera: camera,
      middle: 1 / max(some.upperMedian ?? 0, .leastNormalMagnitude), noise: sigma / 2,
      reliable: depth.map { law.share(depth: $0) })
  }

  /// The share of the image whose normals are trusted.
  var litShare: Double {
    reliable.reduce(0) { $0 + Double($1) } / Double(max(reliable.count, 1))
  }

  /// How much of the light each pixel of the whole image gets, and how far it is lit at all.
  func shares(
    _ effect: RelightEffect, threads: Int
  ) -> (light: [Float], reliable: [Float]) {
    let filter = GuidedFilter(radius: 4, side: side, epsilon: Self.epsilon)
    let levels = reliable.map { UInt16($0 * 4080 + 0.5) }
    let trusted = filter.levels(ofReduced: levels, by: whole, threads: threads)
      .map { min(max($0 / 4080, 0), 1) }
    guard effect.strength > 0 else {
      return ([Float](repeating: 0, count: whole.size.pixelCount), trusted)
    }
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
    let lit = zip(small, reliable).map { UInt16(min($0 / top, 1) * $1 * 4080 + 0.5) }
    return (
      filter.levels(ofReduced: lit, by: whole, threads: threads).map { max($0 * top / 4080, 0) },
      trusted
    )
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
  /// One level more, for surfaces whose slopes are unsure.
  private static let wide = 16

  /// Disparities smoothed where neighbors differ by less than a step; O(*n*).
  static func smoothed(
    _ disparity: Raster<Float>, step: Float, threads: Int
  ) -> [Float] {
    spacings.reduce(disparity.packed.samples) {
      level($0, disparity.size, spacing: $1, step: step, threads: threads)
    }
  }

  /// The same, and smoothed once more as far as slopes are unsure.
  static func smoothed(
    _ disparity: Raster<Float>, step: Float, by law: SlopeReliability, threads: Int
  ) -> [Float] {
    let smooth = smoothed(disparity, step: step, threads: threads)
    let wider = level(smooth, disparity.size, spacing: wide, step: step, threads: threads)
    return zip(smooth, wider).map { $0 + law.smoothing(depth: 1 / $0) * ($1 - $0) }
  }

  private static func level(
    _ values: [Float], _ size: RasterSize, spacing: Int, step: Float, threads: Int
  ) -> [Float] {
    values.withUnsafeBufferPointer { values in
      nonisolated(unsafe) let values = values
      return filled(values.count, rows: size.height, threads: threads) { rows, target in
        guard let start = values.baseAddress else { return }
        plb_light_smooth(
          start, Int32(size.width), Int32(size.height), Int32(spacing), step,
          Int32(rows.lowerBound), Int32(rows.upperBound), target)
      }
    }
  }
}
