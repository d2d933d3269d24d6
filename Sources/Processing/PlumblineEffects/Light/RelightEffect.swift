internal import CKernels
public import PlumblineModel

/// A photo with another light on its surfaces: normals come from depth, texture stays.
///
/// Each pixel's light is multiplied with `ambient + strength · max(0, (n·l + wrap) / (1 + wrap))` in
/// linear light. Nothing casts shadows. Where the depth's ± leaves a surface's slope unsure, the photo
/// stays as it is; how much of it is lit is said.
/// - Source: Lambert, *Photometria*, 1760; wrapped light as in Mitchell, McTaggart and Green, *Shading
///   in Valve's Source engine*, SIGGRAPH 2006 (there wrap 1, squared).
public struct RelightEffect: Sendable, Hashable {
  /// Where light comes from, in the camera's frame: x right, y down, z forward.
  public enum Light: Hashable, Sendable {
    /// From infinitely far, toward this direction from the scene; of any length above 0.
    case direction(SIMD3<Double>)
    /// From a position, whose light falls with the square of the distance; in meters, or in distances of
    /// the scene's middle disparity where it is relative. It is as strong as said at the distance of
    /// the scene's middle.
    case point(SIMD3<Double>)
  }

  /// The direction or position of the light.
  public var light: Light
  /// The light's color, in stored codes.
  public var color: RGB8
  /// How strong the light is, 0 to 20; 1 on a surface that faces it is the photo's own light.
  public var strength: Double
  /// The share of the photo's own light that stays everywhere; 0 to 2.
  public var ambient: Double
  /// The wrap of light around surfaces: 0 is Lambert's law, up to 1.
  public var wrap: Double
  /// What slopes are multiplied with, 0 to 10: 1 leaves them as depth has them.
  public var relief: Double

  /// Creates the effect.
  public init(
    _ light: Light = .direction([-0.6, -0.6, -0.6]),
    color: RGB8 = RGB8(red: 255, green: 255, blue: 255), strength: Double = 1,
    ambient: Double = 0.35, wrap: Double = 0.2, relief: Double = 1
  ) {
    self.light = light
    self.color = color
    self.strength = strength
    self.ambient = ambient
    self.wrap = wrap
    self.relief = relief
  }

  /// Applies it; O(*n*), the same for any number of threads.
  ///
  /// - Throws: `.missing` without depth, `.outOfRange`.
  public func applied(to scene: EffectScene, threads: Int = 2) throws(EffectError) -> EffectImage {
    try check()
    let disparity = try CleanDisparity.cleaned(scene, effect: Self.name, threads: threads)
    var notes: [EffectNote] = []
    if scene.intrinsics == nil { notes.append(.assumedCamera) }
    notes += scene.statedCameraNotes
    if !scene.isMetric {
      notes.append(
        EffectNote(
          .relativeDepth,
          "depth is relative: slopes are as if the farthest were three times as far as the nearest"
        ))
    }
    if let note = scene.coarsenessNote(for: "surfaces") { notes.append(note) }
    let surface = ShadedSurface.smoothed(scene, disparity, threads: threads)
    let (shares, reliable) = surface.shares(self, threads: threads)
    let color = multiplied(scene.color, shares, reliable, threads: threads)
    var image = EffectImage(color: color, notes: notes)
    let lit = surface.litShare
    image.litShare = lit
    // Light is multiplied, and so is that of the brighter rendition.
    image.keepsGainMap = true
    if lit < 0.995 {
      image.notes.append(
        EffectNote(
          .unreliableSlopes,
          "\(Int((100 * lit).rounded())) % of the image is lit; elsewhere depth is too unsure for slopes"
        ))
    }
    return image
  }

  private static let name = "relight"

  private func check() throws(EffectError) {
    func require(_ value: Double, _ range: ClosedRange<Double>, _ what: String) throws(EffectError)
    {
      guard range.contains(value) else {
        throw EffectError(
          .outOfRange, effect: Self.name,
          expected: "\(what) of \(Int(range.lowerBound)) to \(Int(range.upperBound))",
          found: "\(value)")
      }
    }
    try require(strength, 0...20, "a strength")
    try require(ambient, 0...2, "ambient light")
    try require(wrap, 0...1, "a wrap")
    try require(relief, 0...10, "a relief")
    switch light {
    case .direction(let vector):
      let length = (vector * vector).sum()
      guard length.isFinite, length > 1e-12 else {
        throw EffectError(
          .outOfRange, effect: Self.name, expected: "a direction with a finite length above 0",
          found: Self.text(vector))
      }
    case .point(let place):
      guard (place * place).sum() < 1e12 else {
        throw EffectError(
          .outOfRange, effect: Self.name, expected: "a place within 1000 km",
          found: Self.text(place))
      }
    }
  }

  /// A vector as users write it, such as `-1,-0.5,-0.6`.
  private static func text(_ vector: SIMD3<Double>) -> String {
    "\(vector.x),\(vector.y),\(vector.z)"
  }

  private func multiplied(
    _ image: Raster<RGB8>, _ shares: [Float], _ reliable: [Float], threads: Int
  ) -> Raster<RGB8> {
    let tables = LinearLight.shared
    let tint = [color.red, color.green, color.blue].map {
      Float(tables.linear[Int($0)]) / 65535
    }
    let rest = [Float](repeating: Float(ambient), count: 3)
    let full = Raster(size: image.size, repeating: UInt8(255))
    return shares.withUnsafeBufferPointer { shares in
      reliable.withUnsafeBufferPointer { reliable in
        nonisolated(unsafe) let all = (shares.baseAddress, reliable.baseAddress)
        return ImageMixing.mix(image, full, threads: threads) { pixels, _, first, count, target in
          guard let shares = all.0, let reliable = all.1 else { return }
          plb_light_multiply(
            tables.linear, tables.codes, pixels, shares + first, reliable + first, rest, tint,
            count, target)
        }
      }
    }
  }
}
