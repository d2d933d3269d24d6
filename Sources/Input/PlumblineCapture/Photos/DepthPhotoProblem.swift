public import PlumblineModel

/// Why a photo output would refuse settings or ignore a part of them.
///
/// - Source: Apple, `AVCapturePhotoOutput.h`, *capturePhotoWithSettings:delegate:*, and the properties
///   named at each case of ``DepthPhotoSettings/problems(on:)``.
public enum DepthPhotoProblem: Hashable, Sendable, CustomStringConvertible {
  /// Camera or format does not deliver depth with photos.
  case depthUnsupported
  /// The output was not configured to deliver depth before the session started.
  case depthNotPrepared
  /// The camera does not measure this kind of numbers; the map is converted afterwards.
  case depthConverted(DepthPhotoSettings.DepthKind)
  /// The device does not have two cameras that take photos together.
  case dualPhotosUnsupported
  /// The output was not configured to deliver two photos before the session started.
  case dualPhotosNotPrepared
  /// The system delivers a calibration only if both cameras deliver a photo.
  case calibrationWithoutDualPhotos
  /// The system refuses calibrations for images with geometric distortion correction.
  case calibrationWithGeometricDistortionCorrection
  /// The system refuses calibrations for images with content-aware distortion correction of faces.
  case calibrationWithContentAwareCorrection
  /// The device does not deliver this matte.
  case matteUnsupported(Matte.Kind)
  /// The output was not configured to make the matte before the session started.
  case matteNotPrepared(Matte.Kind)
  /// The matte is computed from depth, which is not requested.
  case matteWithoutDepth(Matte.Kind)
  /// Only HEIF and JPEG can contain depth; it is still delivered beside the file.
  case rawHoldsNoDepth
  /// The device does not write this container.
  case containerUnsupported(DepthPhotoSettings.Container)
  /// The device has no flash, or not this mode.
  case flashUnsupported(DepthPhotoSettings.Flash)
  /// The output was prepared for a lower quality.
  case qualityNotPrepared(DepthPhotoSettings.Quality)
  /// The format has no photos of this size.
  case sizeUnsupported(RasterSize)
  /// The output was not prepared for photos of this size.
  case sizeNotPrepared(RasterSize)
  /// A bracket has more photos than the output allows, or none.
  case bracketCount(Int, maximum: Int)
  /// An exposure of the bracket is outside of the device's range.
  case bracketExposure(String)
  /// The device has no manual exposure.
  case bracketWithoutManualExposure
  /// The flash does not fire in a bracket.
  case bracketWithFlash
  /// A bracket has no Live Photo.
  case bracketWithLivePhoto
  /// Apple promises no depth in a bracket, and no device has shown it here.
  case bracketWithDepth
  /// A bracket has no constant color.
  case bracketWithConstantColor
  /// A bracket has no mattes.
  case bracketWithMattes
  /// The photos of a bracket have no calibration of their own.
  case bracketWithCalibration
  /// The format takes no Live Photos.
  case livePhotoUnsupported
  /// The output was not configured for Live Photos before the session started.
  case livePhotoNotPrepared
  /// Live Photos are suspended.
  case livePhotoSuspended
  /// A raw file has no Live Photo.
  case livePhotoWithRaw
  /// The device has no constant color.
  case constantColorUnsupported
  /// The output was not configured for constant color before the session started.
  case constantColorNotPrepared
  /// Constant color needs the flash.
  case constantColorWithoutFlash
  /// A raw file has no constant color.
  case constantColorWithRaw
  /// Constant color needs white balance that is not locked.
  case constantColorWithLockedWhiteBalance

  /// Whether the photo is not taken with these settings, since AVFoundation would throw an
  /// exception, which ends the program; otherwise a part of the settings has no effect.
  public var isException: Bool {
    switch self {
    case .rawHoldsNoDepth, .depthConverted, .bracketWithMattes, .bracketWithCalibration: false
    default: true
    }
  }
}

extension DepthPhotoProblem {
  /// One sentence.
  public var description: String {
    depthText ?? matteText ?? bracketText ?? livePhotoText ?? constantColorText ?? outputText
  }

  private var depthText: String? {
    switch self {
    case .depthUnsupported: "this camera and format deliver no depth with photos"
    case .depthNotPrepared: "depth must be enabled on the output before the session starts"
    case .depthConverted(let kind):
      "this camera does not measure \(kind.rawValue); the map is converted, the one in the file not"
    case .dualPhotosUnsupported: "this device does not take photos with two cameras at once"
    case .dualPhotosNotPrepared: "dual photos must be enabled on the output before it starts"
    case .calibrationWithoutDualPhotos:
      "photos bring their calibration only with dual photos; that of the depth map comes with it"
    case .calibrationWithGeometricDistortionCorrection:
      "no calibration is delivered while geometric distortion correction is on"
    case .calibrationWithContentAwareCorrection:
      "no calibration is delivered while content-aware distortion correction is on"
    case .rawHoldsNoDepth: "a raw file holds no depth; it is delivered beside the file only"
    default: nil
    }
  }

  private var matteText: String? {
    switch self {
    case .matteUnsupported(let kind): "this device makes no \(kind.rawValue) matte"
    case .matteNotPrepared(let kind):
      "the \(kind.rawValue) matte must be enabled on the output before the session starts"
    case .matteWithoutDepth(let kind): "the \(kind.rawValue) matte needs depth"
    default: nil
    }
  }

  private var bracketText: String? {
    switch self {
    case .bracketCount(_, maximum: 0): "this camera takes no brackets"
    case .bracketCount(let count, let maximum):
      "a bracket has from 1 to \(maximum) photos, not \(count)"
    case .bracketExposure(let detail): "an exposure of the bracket is out of range: \(detail)"
    case .bracketWithoutManualExposure: "this camera has no manual exposure, only exposure bias"
    case .bracketWithFlash: "the flash does not fire in a bracket"
    case .bracketWithLivePhoto: "a bracket has no Live Photo"
    case .bracketWithDepth: "depth in a bracket is not promised by Apple and untried"
    case .bracketWithConstantColor: "a bracket has no constant color"
    case .bracketWithMattes: "a bracket has no mattes"
    case .bracketWithCalibration: "the photos of a bracket have no calibration of their own"
    default: nil
    }
  }

  private var livePhotoText: String? {
    switch self {
    case .livePhotoUnsupported: "this camera and format take no Live Photos"
    case .livePhotoNotPrepared: "Live Photos must be enabled on the output before it starts"
    case .livePhotoSuspended: "Live Photos are suspended"
    case .livePhotoWithRaw: "a raw file has no Live Photo"
    default: nil
    }
  }

  private var constantColorText: String? {
    switch self {
    case .constantColorUnsupported: "this camera has no constant color"
    case .constantColorNotPrepared: "constant color must be enabled on the output before it starts"
    case .constantColorWithoutFlash: "constant color needs the flash: automatic or on"
    case .constantColorWithRaw: "a raw file has no constant color"
    case .constantColorWithLockedWhiteBalance: "constant color needs white balance to be unlocked"
    default: nil
    }
  }

  private var outputText: String {
    switch self {
    case .containerUnsupported(let container): "this camera writes no \(container.rawValue)"
    case .flashUnsupported(let flash): "this camera has no flash that is \(flash.rawValue)"
    case .qualityNotPrepared: "the output was prepared for a lower quality before it started"
    case .sizeUnsupported(let size): "this camera takes no photos of \(size)"
    case .sizeNotPrepared(let size): "the output was not prepared for photos of \(size)"
    default: "the settings do not fit the camera"
    }
  }
}
