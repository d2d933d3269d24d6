import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// A capture bundled with the project, rendered from a formula.
package struct DemoCapture: Sendable {
  /// The name of its file.
  package var fileName: String
  /// The bust in the scene.
  package var sitter: SimulatedScene.Sitter
  /// The true camera of the image, at the calibration's full reference size.
  package var camera: SimulatedCamera
  /// The faults in the file's claims, in pixels of the full reference size.
  package var faults: [CaptureFault]
  /// Its EXIF fields.
  package var exif: PhotoExif
  /// The seed of its sensor noise.
  package var seed: UInt64

  /// A portrait for measuring: absolute depth, with distortion and matching coefficients.
  package static let healthy = DemoCapture(
    fileName: "healthy-truedepth.jpg", sitter: .first,
    camera: SimulatedCamera(
      calibration: calibration(
        focalLength: 2733.404296875, principalPoint: [1152.83203125, 1549.4169921875],
        distortionCenter: [1156.9140625, 1541.201171875], distorting: distortingPercents,
        undistorting: undistortingPercents)),
    faults: [], exif: PhotoExif(model: "iPhone 12"), seed: 20_210_601)

  /// A portrait whose calibration contradicts itself, like one written by a real iPhone 14.
  ///
  /// - Source: an iPhone 14 front photo with fx = 2085.5 beside fy = 2718.4, a distortion center
  ///   at 806 beside a principal point at 1158, and no coefficient; see
  ///   `Documentation/simulator.md`.
  package static let untrusted = DemoCapture(
    fileName: "untrusted-calibration.jpg", sitter: .second,
    camera: SimulatedCamera(
      calibration: calibration(
        focalLength: 2718.400390625, principalPoint: [1158, 1543.9998779296875],
        distortionCenter: [1158, 1543.9998779296875], distorting: [Double](repeating: 0, count: 8),
        undistorting: [Double](repeating: 0, count: 8))),
    faults: [
      .focalLengths([2085.5, 2718.400390625]), .distortionCenter([806, 1543.9998779296875]),
    ],
    exif: PhotoExif(model: "iPhone 14", dateTimeOriginal: "2022:10:01 12:00:00"), seed: 20_221_001)

  /// Both captures.
  package static let all = [healthy, untrusted]

  /// The size of the map.
  package static let depthSize = RasterSize(width: 480, height: 640)
  /// The size of the image: half the calibration's reference size, so that readers must scale.
  package static let colorSize = RasterSize(width: 1158, height: 1544)

  /// The measurement of the simulated sensor, filtered as in a photo.
  package func measurement() -> SensorMeasurement {
    var sensor = SimulatedTrueDepthSensor()
    sensor.isFiltered = true
    return sensor.measurement(
      of: .portrait(of: sitter), from: camera.scaled(to: Self.depthSize), seed: seed)
  }

  /// The bytes of the file; one version of the JPEG library gives the same bytes on every run.
  ///
  /// - Throws: Errors of the JPEG encoder. It takes seconds in a release build.
  package func fileBytes() throws(CaptureReadingError) -> [UInt8] {
    let scene = SimulatedScene.portrait(of: sitter)
    let measurement = measurement()
    var claimed = measurement
    claimed.calibration = camera.calibration
    claimed = faults.reduce(claimed) { $0.with($1) }
    var photo = ApplePhoto(
      color: scene.colorImage(from: camera.scaled(to: Self.colorSize)), exif: exif)
    photo.depth = ApplePhoto.DepthImage(claimed, calibration: claimed.calibration)
    let matteSize = RasterSize(width: Self.colorSize.width / 2, height: Self.colorSize.height / 2)
    photo.portraitMatte = scene.coverage(
      of: SimulatedScene.bustSurfaces, from: camera.scaled(to: matteSize))
    var writer = ApplePhotoWriter()
    writer.colorQuality = 90
    return try writer.bytes(of: photo)
  }
}

extension DemoCapture {
  /// The calibration of an upright front portrait, whose extrinsics are a rotation by 90° as in
  /// files.
  private static func calibration(
    focalLength: Double, principalPoint: SIMD2<Double>, distortionCenter: SIMD2<Double>,
    distorting: [Double], undistorting: [Double]
  ) -> CameraCalibration {
    let size = RasterSize(width: 2316, height: 3088)
    return CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: focalLength), principalPoint: principalPoint, size: size),
      pixelSizeMillimeters: 0.001,
      distortion: LensDistortion(
        center: distortionCenter, size: size, pixelSizeMillimeters: 0.001,
        distorting: .coefficients(distorting), undistorting: .coefficients(undistorting)),
      extrinsics: CameraExtrinsics(
        rotation: Rotation(x: [0, -1, 0], y: [1, 0, 0], z: [0, 0, 1]),
        translationMillimeters: .zero))
  }

  /// Percent for even powers of millimeters, an invented lens like a phone's front camera: +0.9 %
  /// at three quarters of the radius, a dip, and +1 % in the corner.
  private static let distortingPercents = [
    0, -0.02170347422361374, 1.2022069692611694, -1.4633128643035889, 1.1103276014328003,
    -0.4848858118057251, 0.10325737297534943, -0.008222214877605438,
  ]
  /// The opposite direction, fitted to undo the first within 0.03 px of the full size.
  private static let undistortingPercents = [
    0, 0.03123221918940544, -1.2566789388656616, 1.5693856477737427, -1.1823385953903198,
    0.5054178237915039, -0.10572021454572678, 0.00832800567150116,
  ]
}
