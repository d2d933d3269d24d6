public import PlumblineModel

/// Why a photo output would refuse settings or leave a part of them aside.
public enum DepthPhotoProblem: Hashable, Sendable, CustomStringConvertible {
  /// Neither camera nor format delivers depth with photos.
  case depthUnsupported
  /// The output was not configured to deliver depth before the session started.
  case depthNotPrepared
  /// The device has not two cameras that take photos together.
  case dualPhotosUnsupported
  /// The output was not configured to deliver two photos before the session started.
  case dualPhotosNotPrepared
  /// Photos bring a calibration only where both cameras deliver one.
  case calibrationWithoutDualPhotos
  /// The system refuses calibrations of images that it rectifies.
  case calibrationWithGeometricDistortionCorrection
  /// The system refuses calibrations of images whose faces it straightens.
  case calibrationWithContentAwareCorrection
  /// The device makes no such matte.
  case matteUnsupported(Matte.Kind)
  /// The output was not configured to make the matte before the session started.
  case matteNotPrepared(Matte.Kind)
  /// The matte is made from depth, which is not requested.
  case matteWithoutDepth(Matte.Kind)
  /// Only HEIF and JPEG hold depth; it still comes beside the file.
  case rawHoldsNoDepth

  /// Whether AVFoundation throws an exception, which ends the program; otherwise it leaves a part
  /// aside.
  public var isException: Bool { self != .rawHoldsNoDepth }

  /// One sentence.
  public var description: String {
    switch self {
    case .depthUnsupported: "this camera and format deliver no depth with photos"
    case .depthNotPrepared: "depth must be enabled on the output before the session starts"
    case .dualPhotosUnsupported: "this device does not take photos with two cameras at once"
    case .dualPhotosNotPrepared: "dual photos must be enabled on the output before it starts"
    case .calibrationWithoutDualPhotos:
      "photos bring their calibration only with dual photos; that of the depth map comes with it"
    case .calibrationWithGeometricDistortionCorrection:
      "no calibration is delivered while geometric distortion correction is on"
    case .calibrationWithContentAwareCorrection:
      "no calibration is delivered while content-aware distortion correction is on"
    case .matteUnsupported(let kind): "this device makes no \(kind.rawValue) matte"
    case .matteNotPrepared(let kind):
      "the \(kind.rawValue) matte must be enabled on the output before the session starts"
    case .matteWithoutDepth(let kind): "the \(kind.rawValue) matte needs depth"
    case .rawHoldsNoDepth: "a raw file holds no depth; it is delivered beside the file only"
    }
  }
}
