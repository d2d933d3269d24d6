import PlumblineModel

/// The front lens of a tablet, as its maker prints it: the numbers most vectors refer to.
enum TabletLens {
  static let size = RasterSize(width: 3088, height: 2316)
  static let center = SIMD2(1535.9317626953125, 1157.7921142578125)
  /// Magnification from undistorted to distorted, rounded to about 5e-7.
  static let distorting: [Float] = [
    -1.39e-06, -2.21e-06, -3.32e-06, -7.0e-07, 1.20e-05, 4.32e-05, 1.03e-04, 2.01e-04, 3.48e-04,
    5.55e-04, 8.30e-04, 1.179e-03, 1.605e-03, 2.110e-03, 2.688e-03, 3.333e-03, 4.034e-03, 4.774e-03,
    5.536e-03, 6.297e-03, 7.035e-03, 7.723e-03, 8.338e-03, 8.855e-03, 9.254e-03, 9.517e-03,
    9.631e-03, 9.590e-03, 9.396e-03, 9.058e-03, 8.595e-03, 8.035e-03, 7.420e-03, 6.800e-03,
    6.239e-03, 5.812e-03, 5.608e-03, 5.728e-03, 6.285e-03, 7.403e-03, 9.214e-03, 1.1851e-02,
  ]
  /// Only the forward table, so that the way back is an inversion.
  static let distortion = LensDistortion(
    center: center, size: size, distorting: .table(distorting), undistorting: nil)
  static let intrinsics = PinholeIntrinsics(
    focalLength: [2872.52, 2872.52], principalPoint: [1535.93, 1157.79], size: size)
  static let calibration = CameraCalibration(
    intrinsics: intrinsics, pixelSizeMillimeters: 0.001, distortion: distortion,
    extrinsics: CameraExtrinsics(
      rotation: .identity, translationMillimeters: [13.1, -0.4, 0.2]))

  /// A lens given by coefficients in percent by even powers of millimeters, both directions.
  static let coefficients = LensDistortion(
    center: [2011, 1507], size: RasterSize(width: 4032, height: 3024), pixelSizeMillimeters: 0.0014,
    distorting: .coefficients([0, 0.05, -0.09, 0.02, -0.0011, 1.5e-5, 0, 0]),
    undistorting: .coefficients([0, -0.05, 0.09, -0.02, 0.0011, -1.5e-5, 0, 0]))
}
