import PlumblineEffects
import PlumblineModel
import PlumblineTestSupport

/// One setting, measured.
struct QualityRow: Codable {
  var setting: String
  var fNumber: Double
  var width: Int
  var height: Int
  /// The least and the largest radius in pixels; below 0 behind the focus.
  var radii: [Double]
  var blur: ImageError
  /// `LayeredGaussianBlur`, 16 layers.
  var plain: ImageError
  /// The truth beside another one, of other rays: what is noise.
  var otherRays: ImageError?

  /// How much smaller the halo is than the plain way's, in percent.
  var percentBelow: Double { 100 * (1 - blur.halo / plain.halo) }

  /// Blurs the sharp image of a setting both ways and compares both with its truth.
  init(_ setting: BlurSetting, _ folder: TruthFolder, _ options: Options) throws {
    let camera = setting.camera(side: folder.side)
    let truth = try folder.blurred(setting, rays: options.rays)
    let sharp = try folder.sharp(setting, rays: options.rays)
    let disparity = setting.scene.depthMap(from: camera).disparityMap.inverseMeters
    var scene = EffectScene(color: sharp, disparity: disparity, isMetric: true)
    scene.intrinsics = camera.calibration.intrinsics
    var effect = BlurEffect(
      focus: .meters(setting.focusMeters), aperture: .fNumber(setting.fNumber))
    // Truth has no largest radius.
    effect.largestRadius = 1
    let zone = EdgeZone(disparity)
    let gain = camera.calibration.intrinsics.focalLength.x * setting.apertureMeters / 2
    let (least, most) = (disparity.samples.min() ?? 0, disparity.samples.max() ?? 0)
    self.setting = setting.name
    fNumber = setting.fNumber
    (width, height) = (sharp.width, sharp.height)
    radii = [least, most].map { gain * (Double($0) - 1 / setting.focusMeters) }
    let image = try effect.applied(to: scene, threads: options.threads).color
    blur = ImageError(image, truth, zone)
    plain = ImageError(
      LayeredGaussianBlur(focus: 1 / setting.focusMeters, pixelsPerDisparity: gain)
        .blurred(sharp, disparity: disparity), truth, zone)
    if options.measuresNoise {
      otherRays = ImageError(
        try folder.blurred(setting, rays: options.rays, seed: 2), truth, zone)
    }
    if let path = options.images {
      try ErrorImage(image, truth).write(to: path, name: setting.name)
    }
  }

  /// The row of the table.
  var text: String {
    let noise = otherRays.map { " \($0.halo.rounded(2)) |" } ?? ""
    return "| \(setting) | \(fNumber) | \(radii[0].rounded(1))…\(radii[1].rounded(1)) "
      + "| \(blur.decibels.rounded(1)) | \(plain.decibels.rounded(1)) "
      + "| \(blur.halo.rounded(2)) | \(plain.halo.rounded(2)) | \(percentBelow.rounded(1)) % |"
      + noise
  }

  /// The table's head.
  static func head(_ options: Options) -> String {
    let names = "| setting | f/ | radii, px | PSNR, dB | plain | halo, codes | plain | less by |"
    let line = "|---|---:|---|---:|---:|---:|---:|---:|"
    return options.measuresNoise ? names + " rays |\n" + line + "---:|" : names + "\n" + line
  }
}

extension Double {
  /// The number with some decimals, as text.
  func rounded(_ decimals: Int) -> String {
    let scale = decimals == 2 ? 100 : 10
    let whole = Int((self * Double(scale)).rounded())
    let rest = String(abs(whole) % scale)
    let padding = String(repeating: "0", count: decimals - rest.count)
    return "\(whole < 0 ? "-" : "")\(abs(whole) / scale).\(padding)\(rest)"
  }
}
