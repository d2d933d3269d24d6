import PlumblineImages
package import PlumblineModel

/// Two cameras of one phone that take a photo at the same time, with their stated calibrations.
///
/// The numbers are invented in the style of Apple's files, since no public sample has two cameras.
/// The claimed numbers are the true ones in single precision; extrinsics are `referenceFromCamera`
/// in millimeters, with the first camera as reference (WWDC 2017, session 507).
package struct DualCameraPreset: Sendable {
  /// The name on the command line.
  package var name: String
  /// One line for a list.
  package var summary: String
  /// The model that EXIF names.
  package var model: String
  /// The name of the reference camera, such as `tele`.
  package var firstName: String
  /// The name of the other camera.
  package var secondName: String
  /// The reference camera, at its reference size.
  package var first: CameraCalibration
  /// The other camera, at its reference size.
  package var second: CameraCalibration

  /// The preset with a name; `nil` when there is none.
  package static func named(_ name: String) -> DualCameraPreset? { all.first { $0.name == name } }

  /// All presets.
  package static let all: [DualCameraPreset] = [.dual, .dualWide]

  /// Wide and telephoto cameras with a focal length ratio of 2, 10.3 mm apart along the rows.
  package static let dual = DualCameraPreset(
    name: "dual", summary: "tele and wide, focal lengths 2 to 1, 10.3 mm apart along the rows",
    model: "iPhone XS", firstName: "tele", secondName: "wide",
    first: calibration(
      focal: 6121.33, center: [2031.42, 1498.77], distortionCenter: [2026.5, 1506.25], bend: 0.35,
      degrees: .zero, millimeters: .zero),
    second: calibration(
      focal: 3054.91, center: [2004.18, 1521.64], distortionCenter: [2010.75, 1517.5], bend: 1,
      degrees: [0.41, -0.63, 0.87], millimeters: [10.31, 0.42, -0.18]))

  /// Two cameras with the same focal length, one above the other in the stored image, 13.6 mm
  /// apart.
  package static let dualWide = DualCameraPreset(
    name: "dualwide",
    summary: "wide and cropped ultra-wide, one focal length, 13.6 mm apart along the columns",
    model: "iPhone 12", firstName: "wide", secondName: "ultrawide",
    first: calibration(
      focal: 3063.27, center: [2011.35, 1509.82], distortionCenter: [2014.5, 1507.0], bend: 0.8,
      degrees: .zero, millimeters: .zero),
    second: calibration(
      focal: 3041.06, center: [2022.91, 1517.33], distortionCenter: [2019.25, 1520.5], bend: 1,
      degrees: [-0.52, 0.38, -0.71], millimeters: [-0.63, 13.58, 0.24]))

  /// A 12-megapixel camera with lens coefficients in both directions, as in photos.
  private static func calibration(
    focal: Double, center: SIMD2<Double>, distortionCenter: SIMD2<Double>, bend: Double,
    degrees: SIMD3<Double>, millimeters: SIMD3<Double>
  ) -> CameraCalibration {
    let size = RasterSize(width: 4032, height: 3024)
    // Chosen so that the polynomial ends at the same radius as that of the bundled portrait, 1.93
    // mm.
    let pitch = 0.00076
    let exact = LensDistortion(
      center: distortionCenter, size: size, pixelSizeMillimeters: pitch,
      distorting: .coefficients(percents.map { Double(Float($0 * bend)) }), undistorting: nil)
    // First a table of the other direction, fine enough for fitting eight coefficients to it.
    let inverse = (0...256).map { step in
      Float(exact.undistortingMagnification(atRadius: exact.maximumRadius * Double(step) / 256))
    }
    var lens = exact
    lens.undistorting = exact.coefficients(for: .table(inverse))
    return CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: Double(Float(focal))),
        principalPoint: SIMD2<Double>(SIMD2<Float>(center)), size: size),
      pixelSizeMillimeters: pitch, distortion: lens,
      extrinsics: CameraExtrinsics(
        // Half tangents of small angles: arithmetic that every platform rounds in the same way.
        rotation: Rotation(quaternion: SIMD4(degrees * .pi / 360, 1)) ?? .identity,
        translationMillimeters: millimeters))
  }

  /// Percent for even powers of millimeters: the lens of the bundled portrait, see ``DemoCapture``.
  private static let percents = [
    0, -0.02170347422361374, 1.2022069692611694, -1.4633128643035889, 1.1103276014328003,
    -0.4848858118057251, 0.10325737297534943, -0.008222214877605438,
  ]

  /// The true camera: the lens of its coefficients, with an exactly computed inverse.
  func truth(_ claimed: CameraCalibration) -> CameraCalibration {
    var copy = claimed
    copy.distortion?.undistorting = nil
    return copy
  }
}
