internal import CKernels
public import PlumblineModel

/// Fog between the camera and what it sees: `c·t + A·(1 − t)` with `t = exp(−β·distance)`, in linear
/// light.
///
/// Of metric depth β is per meter; with a camera, distance is along each pixel's ray. Of relative
/// disparity the distance is `1 − nearness`, 0 at the nearest and 1 at the farthest of the scene.
/// - Source: Koschmieder, *Theorie der horizontalen Sichtweite*, Beiträge zur Physik der freien
///   Atmosphäre 12, 1924; Narasimhan and Nayar, *Vision and the atmosphere*, IJCV 48 (3), 2002,
///   equation 9. Thinning with height: Quilez, *Better fog*, iquilezles.org, 2010.
public struct FogEffect: Sendable, Hashable {
  /// β, the share of light that is lost on a short way, 0 to 1000.
  ///
  /// Per meter, or per range of a relative scene. A meteorological visibility of V meters is 3.912 / V.
  public var density: Double
  /// The color of infinitely much fog.
  public var color: RGB8
  /// The height in which fog thins to 1/e, in meters; `nil` for the same fog everywhere.
  ///
  /// ``density`` is that at the camera's height. It needs metric depth and holds the camera to be level.
  public var heightMeters: Double?

  /// Creates the effect.
  public init(
    density: Double, color: RGB8 = RGB8(red: 200, green: 205, blue: 210),
    heightMeters: Double? = nil
  ) {
    self.density = density
    self.color = color
    self.heightMeters = heightMeters
  }

  /// Applies it; O(*n*), the same for any number of threads.
  ///
  /// - Throws: `.missing` without depth, or for height of a relative scene; `.outOfRange`.
  public func applied(to scene: EffectScene, threads: Int = 2) throws(EffectError) -> EffectImage {
    let effect = "fog"
    guard density >= 0, density <= 1000 else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a density of 0 to 1000", found: "\(density)")
    }
    if let height = heightMeters {
      guard height > 0, height.isFinite else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "a height above 0 m", found: "\(height) m")
      }
      guard scene.isMetric else {
        throw EffectError(
          .missing, effect: effect, expected: "absolute depth for fog of \(height) m",
          found: "relative disparity")
      }
    }
    let disparity = try CleanDisparity.cleaned(scene, effect: effect, threads: threads)
    var notes: [EffectNote] = []
    let camera = camera(of: scene, &notes)
    if !scene.isMetric {
      notes.append(
        EffectNote(
          .relativeDepth, "depth is relative: density counts from the nearest to the farthest"))
    }
    return EffectImage(
      color: image(scene, disparity, camera, threads: threads), notes: notes)
  }

  /// Where distance is along rays; `nil` counts it along the axis.
  private func camera(of scene: EffectScene, _ notes: inout [EffectNote]) -> PinholeIntrinsics? {
    guard scene.isMetric else { return nil }
    notes += scene.statedCameraNotes
    if let camera = scene.intrinsics { return camera.scaled(to: scene.color.size) }
    guard heightMeters != nil else { return nil }
    notes.append(.assumedCamera)
    return .assumed(for: scene.color.size)
  }

  private func image(
    _ scene: EffectScene, _ disparity: CleanDisparity, _ camera: PinholeIntrinsics?, threads: Int
  ) -> Raster<RGB8> {
    let light = LinearLight.shared
    let width = scene.color.width
    let up = scene.orientation.upInStored
    let full = Raster(size: scene.color.size, repeating: UInt8(255))
    let air = [color.red, color.green, color.blue].map { Float(light.linear[Int($0)]) }
    let thinning = heightMeters.map { Float(1 / $0) } ?? 0
    return light.linear.withUnsafeBufferPointer { linear in
      light.codes.withUnsafeBufferPointer { codes in
        disparity.values.withUnsafeBufferPointer { values in
          nonisolated(unsafe) let all = (linear.baseAddress, codes.baseAddress, values.baseAddress)
          return ImageMixing.mix(scene.color, full, threads: threads) {
            pixels, _, first, count, target in
            guard let linear = all.0, let codes = all.1, let values = all.2 else { return }
            var fog = plb_fog(
              linear: linear, codes: codes, air: (air[0], air[1], air[2]),
              density: Float(density), near: disparity.nearest,
              scale: disparity.isMetric ? 0 : 1 / disparity.spread,
              ray_x: camera.map { Float(1 / $0.focalLength.x) } ?? 0,
              ray_y: camera.map { Float(1 / $0.focalLength.y) } ?? 0,
              center_x: Float(camera?.principalPoint.x ?? 0),
              center_y: Float(camera?.principalPoint.y ?? 0), up_x: up.x, up_y: up.y,
              thinning: thinning)
            for row in 0..<count / max(width, 1) {
              let start = row * width
              plb_light_fog(
                &fog, pixels + 3 * start, values + first + start,
                Int32((first + start) / width), Int32(width), target + 3 * start)
            }
          }
        }
      }
    }
  }
}
