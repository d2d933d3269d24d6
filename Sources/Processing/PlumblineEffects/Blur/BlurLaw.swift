internal import PlumblineModel
import PlumblineNumerics

/// How large a point is blurred: radius = ``pixelsPerDisparity`` · (disparity − ``focus``).
///
/// A point at Z, seen by a thin lens of diameter A focused at Zf, covers A·|Z − Zf|/Z of the plane of
/// focus, which the image shows f/Zf as large (f in pixels, as the image was taken): a circle of
/// f·A·|1/Z − 1/Zf| pixels. It is linear in disparity, so an unknown offset of relative disparities
/// drops out; their unknown scale is taken as 1, as if they were in 1/m.
///
/// A is the focal length over the f-number. A full-frame camera of the photo's field of view has
/// f·36 mm / (pixels of the longer side). The image keeps its perspective: the lens does not
/// "breathe", so the factor Zf/(Zf − f) of a lens whose f is counted at infinity is in f already.
/// - Source: similar triangles; Potmesil and Chakravarty, *A lens and aperture camera model for
///   synthetic image generation*, SIGGRAPH 1981, eq. 3.
struct BlurLaw {
  /// The disparity that is sharp.
  var focus: Double
  /// Half of the focal length in pixels times the aperture's diameter in meters.
  var pixelsPerDisparity: Double
  /// The aperture's diameter in millimeters.
  var apertureMillimeters: Double
  /// The f-number, of whichever lens.
  var fNumber: Double
  /// Whether a camera was assumed.
  var isCameraAssumed: Bool

  /// No lens is faster in air; f-numbers are above it.
  static let leastFNumber = 0.5
  /// The same where the scale of depth is unknown, so that f-numbers are nominal.
  static let leastNominalFNumber = 0.02

  /// The law of an effect on a photo.
  ///
  /// - Throws: ``EffectError`` for an aperture or a focus beyond sense.
  static func derived(
    from effect: BlurEffect, _ scene: EffectScene
  ) throws(EffectError) -> BlurLaw {
    let size = scene.color.size
    let camera = scene.intrinsics ?? .assumed(for: size)
    let focal = (camera.focalLength.x + camera.focalLength.y) / 2
    var millimeters = focal * 36 / Double(max(size.width, size.height, 1))
    let fNumber: Double
    switch effect.aperture {
    case .fromPhoto: fNumber = scene.simulatedAperture ?? 2.8
    case .fNumber(let number): fNumber = number
    case .physical(let number, let length):
      fNumber = number
      millimeters = length
    }
    let least = scene.isMetric ? leastFNumber : leastNominalFNumber
    guard fNumber > least, fNumber <= 64 else {
      throw EffectError(
        .outOfRange, effect: "blur", expected: "an f-number above \(least), up to 64",
        found: "\(fNumber)")
    }
    guard millimeters > 0.1, millimeters < 10_000 else {
      throw EffectError(
        .outOfRange, effect: "blur", expected: "a focal length of 0.1 to 10,000 mm",
        found: "\(millimeters) mm")
    }
    return BlurLaw(
      focus: try focus(effect.focus, scene),
      pixelsPerDisparity: focal * millimeters / fNumber / 2000,
      apertureMillimeters: millimeters / fNumber, fNumber: fNumber,
      isCameraAssumed: scene.intrinsics == nil)
  }

  private static func focus(_ focus: BlurFocus, _ scene: EffectScene) throws(EffectError) -> Double
  {
    let size = scene.color.size
    switch focus {
    case .disparity(let value):
      guard value.isFinite else {
        throw EffectError(
          .outOfRange, effect: "blur", expected: "a finite disparity to focus at", found: "\(value)"
        )
      }
      return value
    case .meters(let meters):
      guard scene.isMetric else {
        throw EffectError(
          .missing, effect: "blur", expected: "metric depth to focus at meters",
          found: "relative depth; focus at a point")
      }
      guard meters > 0, meters.isFinite else {
        throw EffectError(
          .outOfRange, effect: "blur", expected: "a distance above 0 m to focus at",
          found: "\(meters) m")
      }
      return 1 / meters
    case .point(let point):
      guard point.x >= -0.5, point.y >= -0.5, point.x < Double(size.width) - 0.5,
        point.y < Double(size.height) - 0.5
      else {
        throw EffectError(
          .outOfRange, effect: "blur", expected: "a point of the image of \(size) to focus at",
          found: "(\(point.x), \(point.y))")
      }
      let reach = max(1, max(size.width, size.height) / 200)
      return try median(scene, around: (Int(point.x.rounded()), Int(point.y.rounded())), reach)
    case .subject:
      if let matte = scene.mattes.first(where: { $0.kind == .portraitEffects }),
        let value = subject(scene, matte.coverage)
      {
        return value
      }
      let reach = max(1, min(size.width, size.height) / 20)
      return try median(scene, around: (size.width / 2, size.height / 2), reach)
    }
  }

  /// The median of known disparities in a square.
  private static func median(
    _ scene: EffectScene, around center: (x: Int, y: Int), _ reach: Int
  ) throws(EffectError) -> Double {
    let size = scene.color.size
    let (left, top) = (max(center.x - reach, 0), max(center.y - reach, 0))
    let square = scene.disparity.cropped(
      to: PixelRectangle(
        x: left, y: top, width: min(center.x + reach, size.width - 1) - left + 1,
        height: min(center.y + reach, size.height - 1) - top + 1))
    let value = StoredDisparity.median(of: square)
    guard value.isFinite else {
      throw EffectError(
        .missing, effect: "blur", expected: "depth where the focus shall be", found: "none there")
    }
    return Double(value)
  }

  /// The median disparity of what a matte covers; `nil` where it covers nothing that is known.
  private static func subject(_ scene: EffectScene, _ matte: Raster<UInt8>) -> Double? {
    let size = scene.color.size
    let step = max(1, Int((Double(size.pixelCount) / 20_000).squareRoot()))
    var found: [Float] = []
    for y in stride(from: step / 2, to: size.height, by: step) {
      for x in stride(from: step / 2, to: size.width, by: step) where matte[x, y] >= 200 {
        let value = scene.disparity[x, y]
        if value.isFinite { found.append(value) }
      }
    }
    return found.upperMedian.map { Double($0) }
  }
}
