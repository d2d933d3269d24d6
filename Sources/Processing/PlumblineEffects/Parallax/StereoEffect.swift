import CKernels
public import PlumblineModel

/// Two views of a photo, for two eyes.
///
/// The left camera stands half a baseline left of the photo's own, the right one as far right. With
/// the focus at infinity (disparity 0) they are parallel cameras; another focus shifts both images
/// so that it lies in the screen.
public struct StereoEffect: Sendable, Hashable {
  /// The distance between both cameras.
  public var amplitude: ParallaxAmplitude
  /// The distance that both see in the same position; `nil` for parallel cameras of a metric scene, and
  /// for the middle of a relative one.
  public var focus: SceneDistance?
  /// The longer side of the images at most, in pixels, 1 to 16384.
  public var maximumSide: Int
  /// Whether the border, where nothing is known of what comes in, is cut off.
  public var cropsBorder: Bool

  /// Creates the effect.
  public init(
    amplitude: ParallaxAmplitude = .percentOfWidth(3), focus: SceneDistance? = .nearness(0.5),
    maximumSide: Int = 16384, cropsBorder: Bool = false
  ) {
    self.amplitude = amplitude
    self.focus = focus
    self.maximumSide = maximumSide
    self.cropsBorder = cropsBorder
  }

  /// Makes both views; O(*n* · parallax in pixels), the same for any number of threads.
  ///
  /// - Throws: `.missing` without depth, or for meters of a relative scene; `.outOfRange`.
  public func pair(of scene: EffectScene, threads: Int = 2) throws(EffectError) -> StereoViews {
    let effect = "stereo"
    guard maximumSide >= 1, maximumSide <= 16384 else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a side of 1 to 16384 px", found: "\(maximumSide) px"
      )
    }
    let focus = focus ?? (scene.isMetric ? .disparity(0) : .nearness(0.5))
    let stage = try ParallaxStage.prepared(
      scene, amplitude, focus, maximumSide: maximumSide, effect: effect, threads: threads)
    let views = [-0.5, 0.5].map {
      stage.view(x: $0, y: 0, cropsBorder: cropsBorder, threads: threads)
    }
    var pair = StereoViews(left: views[0], right: views[1], notes: stage.notes)
    if let camera = scene.intrinsics, !cropsBorder {
      pair.intrinsics = camera.scaled(to: pair.left.size)
    }
    if case .baseline(let meters) = amplitude { pair.baselineMeters = meters }
    return pair
  }
}

/// A left and a right view, and what a spatial photo says of them.
public struct StereoViews: Sendable {
  /// The left eye's image.
  public var left: Raster<RGB8>
  /// The right eye's.
  public var right: Raster<RGB8>
  /// The distance between the cameras; `nil` where the scene has no meters.
  public var baselineMeters: Double?
  /// The camera of both images; `nil` when not known, or when borders were cut off.
  public var intrinsics: PinholeIntrinsics?
  /// Notes that a user should know.
  public var notes: [EffectNote]

  /// Creates a pair.
  package init(left: Raster<RGB8>, right: Raster<RGB8>, notes: [EffectNote] = []) {
    self.left = left
    self.right = right
    self.notes = notes
  }
}

extension StereoViews {
  /// One image for red-cyan glasses, red on the left eye; O(*n*).
  ///
  /// The matrix is the least-squares fit, in linear light, of what both eyes see through such glasses.
  /// - Source: Dubois, *A projection method to generate anaglyph stereo images*, ICASSP 2001; numbers
  ///   of Dubois, *Conversion of a stereo pair to anaglyph with the least-squares projection method*,
  ///   March 2009, as dolphin-emu's `dubois.glsl` and Camera3D's `AnaglyphConstants.java` quote them.
  /// - Precondition: Both views have one size.
  public func anaglyph(threads: Int = 2) -> Raster<RGB8> {
    precondition(left.size == right.size, "views of \(left.size) and \(right.size)")
    let light = LinearLight.shared
    let full = Raster(size: left.size, repeating: UInt8(255))
    let right = self.right.packed
    return right.samples.withUnsafeBytes { right in
      nonisolated(unsafe) let right = right
      return ImageMixing.mix(left, full, threads: threads) { left, _, first, count, target in
        guard let right = right.bindMemory(to: UInt8.self).baseAddress else { return }
        plb_parallax_anaglyph(
          left, right + 3 * first, count, Self.redCyanThousandths, light.linear, light.codes, target
        )
      }
    }
  }

  /// Rows: red, green and blue of the result; columns: red, green and blue of left, then of right.
  private static let redCyanThousandths: [Int32] = [
    437, 449, 164, -11, -32, -7,
    -62, -62, -24, 377, 761, 9,
    -48, -50, -17, -26, -93, 1234,
  ]
}
