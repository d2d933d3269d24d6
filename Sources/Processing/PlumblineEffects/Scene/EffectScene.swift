public import PlumblineModel

/// A photo with a disparity for every pixel: what every effect starts from.
///
/// Frame: the photo's stored pixels, first pixel center (0, 0). Disparity grows toward the camera.
/// Whether it is relative or absolute, differences of it blur alike; only distances in meters need
/// ``isMetric``.
public struct EffectScene: Sendable {
  /// The image.
  public var color: Raster<RGB8>
  /// The disparity of each pixel of ``color``, in 1/m where ``isMetric``; NaN where not known.
  public var disparity: Raster<Float>
  /// One standard deviation of a disparity, in its unit, as far as it is known; NaN where it is not.
  public var sigma: Float
  /// The distance of two neighboring codes of the stored map, in the disparity's unit at its median;
  /// NaN where the map was not stored as whole codes.
  public var disparityStep: Float
  /// Whether ``disparity`` is in 1/m; else its scale and offset are unknown.
  public var isMetric: Bool
  /// The pinhole model of ``color``, without distortion; `nil` when not known.
  public var intrinsics: PinholeIntrinsics?
  /// What ``intrinsics`` go by where they are not measured, in few words; `nil` for a calibration.
  public var statedCamera: String?
  /// The mattes of phones or filters, each of the size of ``color``.
  public var mattes: [Matte]
  /// The orientation of the image: the turn that makes it upright.
  public var orientation: ImageOrientation
  /// The f-number that the file requests (`SimulatedAperture`); `nil` when it requests none.
  public var simulatedAperture: Double?
  /// The size of the depth map before it was brought to the image's.
  public var depthSize: RasterSize
  /// How much of each pixel of ``color`` the nearer of two surfaces covers, of 255.
  ///
  /// Away from steps of the depth map it is the portrait matte, or 0; it is `nil` for a scene without
  /// a map of its own.
  package var edgeCoverage: Raster<UInt8>?
  /// Whether ``color`` is the image before the phone's own blur, which the file holds beside it.
  package var isUnrendered = false
  /// What a user has to know of how the scene was made.
  package var findings: [Finding] = []
  /// Whether ``disparity`` and ``edgeCoverage`` follow a portrait matte.
  package private(set) var usesMattes = false
  /// The gain map, lying as ``color`` does; `nil` without one.
  package var gainMap: SceneGainMap?

  /// Creates a scene.
  ///
  /// - Precondition: `disparity` has the size of `color`.
  public init(color: Raster<RGB8>, disparity: Raster<Float>, isMetric: Bool) {
    precondition(color.size == disparity.size, "\(disparity.size) disparities of \(color.size)")
    self.color = color
    self.disparity = disparity
    self.isMetric = isMetric
    sigma = .nan
    disparityStep = .nan
    mattes = []
    orientation = .up
    depthSize = disparity.size
  }
}

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
  ///   - usesMattes: Whether a portrait matte says where edges are, beside depth and color.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The scene.
  /// - Throws: ``EffectError`` where color or depth is missing, or a map or matte is of another shape.
  /// - Complexity: O(pixels), and for each near a step 25 products in at most 110 rounds.
  /// - Precondition: At least one thread.
  public static func prepared(
    from capture: Capture, effect: String, maximumSide: Int? = nil, usesMattes: Bool = true,
    threads: Int = 1
  ) throws(EffectError) -> EffectScene {
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
    let depth = try StoredDisparity.read(record, for: capture, effect: effect)
    guard depth.values.size.hasShape(of: color.size) else {
      throw EffectError(
        .mismatch, effect: effect, expected: "depth of the image's shape, \(color.size)",
        found: "\(depth.values.size)")
    }
    let mattes = try mattes(of: capture, like: color, effect: effect, threads: threads)
    guard let filled = depth.values.holesFilledFromBehind() else {
      throw EffectError(
        .missing, effect: effect, expected: "a depth map with measured pixels",
        found: "none of them")
    }
    let matte = usesMattes ? mattes.first { $0.kind == .portraitEffects } : nil
    let upsampled = DisparityUpsampling(
      color: color, matte: matte?.coverage, sigma: depth.sigma
    ).upsampled(filled, threads: threads)
    var scene = EffectScene(
      color: color, disparity: upsampled.values,
      isMetric: record.accuracy == .absolute && record.hasUnit)
    scene.edgeCoverage = upsampled.coverage
    scene.usesMattes = matte != nil
    scene.sigma = depth.sigma
    scene.disparityStep = depth.step
    scene.intrinsics = depth.intrinsics.flatMap {
      $0.matchesAspect(of: color.size) ? $0.scaled(to: color.size) : nil
    }
    scene.mattes = mattes
    scene.orientation = capture.colorOrientation
    scene.depthSize = filled.size
    return scene
  }

  /// A capture's mattes, as large as its image and lying as it does.
  private static func mattes(
    of capture: Capture, like color: Raster<RGB8>, effect: String, threads: Int
  ) throws(EffectError) -> [Matte] {
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
    return mattes
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
