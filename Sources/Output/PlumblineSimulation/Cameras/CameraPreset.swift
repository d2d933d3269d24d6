public import PlumblineModel

/// A phone's or tablet's camera: its true calibration and the one that it states.
///
/// The two differ where those of real devices differ. Images have the true calibration, and files
/// contain the claimed one.
public struct CameraPreset: Sendable {
  /// The kinds of depth sensors.
  package enum DepthCamera: String, Sendable {
    /// Structured light at the front.
    case trueDepth
    /// Time of flight at the back.
    case lidar
  }

  /// The Apple interface that delivers the frames.
  public enum Interface: String, Sendable {
    /// `AVCaptureSession`.
    case avFoundation = "avfoundation"
    /// `ARSession`; its images are mirrored relative to AVFoundation's.
    case arKit = "arkit"
  }

  /// The name on the command line.
  public var name: String
  /// One line for a list.
  public var summary: String
  /// The model in EXIF; the numbers are similar to those of this real device.
  public var model: String
  /// The kind of depth sensor.
  package var depthCamera: DepthCamera
  /// Which interface delivers the frames.
  public var interface: Interface
  /// The true calibration of the color image, at its reference size.
  public var trueColor: CameraCalibration
  /// The true calibration of the depth map, at its reference size.
  public var trueDepth: CameraCalibration
  /// The calibration that the files state, at their reference size.
  public var claimed: CameraCalibration
  /// The size of the color image.
  public var colorSize: RasterSize
  /// The size of the depth map.
  public var depthSize: RasterSize
  /// Whether the device removes lens distortion from the images, but not from its calibration.
  public var isGeometricDistortionCorrected: Bool
  /// Whether the images are mirrored along the sensor's `y`, like those of ARKit's front camera.
  public var isMirrored: Bool

  /// Whether color and depth have the same pixel grid and size.
  var sharesOneImage: Bool { trueColor == trueDepth && colorSize == depthSize }

  /// The same camera with color images of another width, and the depth maps too where both are one image.
  ///
  /// - Precondition: The width is at least 4.
  public func withColor(width: Int) -> CameraPreset {
    var copy = self
    copy.colorSize = RasterSize(width: width, height: width * colorSize.height / colorSize.width)
    if sharesOneImage { copy.depthSize = copy.colorSize }
    return copy
  }

  /// The preset with a name; `nil` when there is none.
  public static func named(_ name: String) -> CameraPreset? { all.first { $0.name == name } }

  /// All presets, the default first.
  public static let all: [CameraPreset] = [
    .iPad4, .iPad5, .iPad4ARKit, .iPhone11Pro, .lidar,
  ]
}

extension CameraPreset {
  private static let vga = RasterSize(width: 640, height: 480)

  /// iPad Pro 12.9" 4th generation, AVFoundation: a correct factory calibration and distorted
  /// images.
  ///
  /// - Source: arXiv 2201.10865, table 3 (V2, reference 3088×2316).
  public static let iPad4: CameraPreset = {
    let size = RasterSize(width: 3088, height: 2316)
    let center = SIMD2(1535.93, 1157.79)
    let lens = LensTable(LensTable.iPad4, center: center, size: size)
    let pinhole = PinholeIntrinsics(
      focalLength: [2872.52, 2872.52], principalPoint: center, size: size)
    let truth = calibration(pinhole, lens.exact)
    return CameraPreset(
      name: "ipad4",
      summary: "iPad Pro 12.9\" 4th gen, TrueDepth: factory numbers fit, images are not rectified",
      model: "iPad8,11", depthCamera: .trueDepth, interface: .avFoundation, trueColor: truth,
      trueDepth: truth, claimed: calibration(pinhole, lens.claimed), colorSize: vga, depthSize: vga,
      isGeometricDistortionCorrected: false, isMirrored: false)
  }()

  /// iPad Pro 12.9" 5th generation, AVFoundation: rectified images, but a calibration before
  /// rectification.
  ///
  /// - Source: arXiv 2201.10865, table 3 (reference 2016×1512, iOS 14); the true focal length is
  ///   531/565.12 of the claimed one, as measured on the dataset's boards (`depth-semantics.md`
  ///   §2.5).
  package static let iPad5: CameraPreset = {
    let size = RasterSize(width: 2016, height: 1512)
    let principalPoint = SIMD2(1009.89, 759.69)
    let lens = LensTable(
      LensTable.ultraWide, beyond: LensTable.ultraWideBeyond, center: [1009.73, 759.42], size: size)
    let claimed = PinholeIntrinsics(
      focalLength: [1781.78, 1781.78], principalPoint: principalPoint, size: size)
    var pinhole = claimed
    pinhole.focalLength *= 531 / 565.12
    let truth = calibration(pinhole, nil)
    return CameraPreset(
      name: "ipad5",
      summary: "iPad Pro 12.9\" 5th gen, TrueDepth: rectified images, focal length 6.4 % too long",
      model: "iPad13,8", depthCamera: .trueDepth, interface: .avFoundation, trueColor: truth,
      trueDepth: truth, claimed: calibration(claimed, lens.claimed), colorSize: vga, depthSize: vga,
      isGeometricDistortionCorrected: true, isMirrored: false)
  }()

  /// iPad Pro 12.9" 4th generation through ARKit: color shows more of the sensor than depth.
  ///
  /// The color image shows 3248×2436 pixels of the sensor, the depth map the 3088×2316 from (80,
  /// 58) on, but both state the former size; so the map is enlarged by 1/0.950739. Both are
  /// mirrored along the sensor's `y`.
  /// - Source: arXiv 2201.10865, tables 3 and 4 (V2), and `depth-semantics.md` §4.5.
  package static let iPad4ARKit: CameraPreset = {
    let size = RasterSize(width: 3248, height: 2436)
    let depthSize = RasterSize(width: 3088, height: 2316)
    let center = SIMD2(1616.43, 1215.70)
    let depthCenter = center - [80, 58]
    let focalLength = SIMD2(repeating: 2872.51)
    let lens = LensTable(LensTable.iPad4, center: depthCenter, size: depthSize)
    var colorLens = lens.exact
    colorLens.center = center
    let pinhole = PinholeIntrinsics(focalLength: focalLength, principalPoint: center, size: size)
    return CameraPreset(
      name: "ipad4-arkit",
      summary: "the same through ARKit: mirrored, the depth map enlarged by 1/0.9507",
      model: "iPad8,11", depthCamera: .trueDepth, interface: .arKit,
      trueColor: calibration(pinhole, colorLens),
      trueDepth: calibration(
        PinholeIntrinsics(focalLength: focalLength, principalPoint: depthCenter, size: depthSize),
        lens.exact),
      claimed: calibration(pinhole, lens.claimed(center: center, size: size)),
      colorSize: vga, depthSize: vga, isGeometricDistortionCorrected: false, isMirrored: true)
  }()

  /// iPhone 11 Pro, AVFoundation: strong lens distortion, a factory calibration 0.4 % off.
  ///
  /// - Source: arXiv 2201.10865, table 3 (reference 4032×3024, iOS 15); the true focal length is
  ///   434.6/436.50 of it (`depth-semantics.md` §2.5). The lens is made up, see ``LensTable``.
  package static let iPhone11Pro: CameraPreset = {
    let size = RasterSize(width: 4032, height: 3024)
    let center = SIMD2(2026.13, 1508.71)
    let lens = LensTable(LensTable.iPhone11Pro, center: center, size: size)
    let claimed = PinholeIntrinsics(
      focalLength: [2750.68, 2750.68], principalPoint: center, size: size)
    var pinhole = claimed
    pinhole.focalLength *= 434.6 / 436.50
    let truth = calibration(pinhole, lens.exact)
    return CameraPreset(
      name: "iphone11pro",
      summary: "iPhone 11 Pro, TrueDepth: images bend twice as much, focal length 0.4 % too long",
      model: "iPhone12,3", depthCamera: .trueDepth, interface: .avFoundation, trueColor: truth,
      trueDepth: truth, claimed: calibration(claimed, lens.claimed), colorSize: vga, depthSize: vga,
      isGeometricDistortionCorrected: false, isMirrored: false)
  }()

  /// A LiDAR scanner through ARKit: 256×192 in meters with confidence, color 1920×1440.
  ///
  /// Invented with typical values: f = 1440 px of 1920, an undistorted image.
  public static let lidar: CameraPreset = {
    let truth = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [1440, 1440], principalPoint: [962.3, 716.9],
        size: RasterSize(width: 1920, height: 1440)), pixelSizeMillimeters: 0.0014)
    return CameraPreset(
      name: "lidar", summary: "iPad Pro, LiDAR through ARKit: 256×192 up to 5 m",
      model: "iPad13,8", depthCamera: .lidar, interface: .arKit, trueColor: truth,
      trueDepth: truth, claimed: truth, colorSize: RasterSize(width: 960, height: 720),
      depthSize: RasterSize(width: 256, height: 192), isGeometricDistortionCorrected: false,
      isMirrored: false)
  }()

  private static func calibration(
    _ intrinsics: PinholeIntrinsics, _ lens: LensDistortion?
  ) -> CameraCalibration {
    CameraCalibration(
      intrinsics: intrinsics, pixelSizeMillimeters: 0.001, distortion: lens,
      extrinsics: CameraExtrinsics(rotation: .identity, translationMillimeters: .zero))
  }
}
