public import PlumblineModel

/// The settings for one photo; `AVCapturePhotoSettings`.
public struct DepthPhotoSettings: Hashable, Sendable {
  /// The container of a photo.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// HEIF; can contain depth and mattes.
    case heif
    /// JPEG; can contain depth and mattes.
    case jpeg
    /// A raw file; can contain neither.
    case raw
  }

  /// Whether the photo has its depth map.
  public var deliversDepth: Bool
  /// Whether holes are filled and values smoothed; `isDepthDataFiltered`, whose default is `true`.
  public var isFiltered: Bool
  /// Whether photos have their own camera's calibration, in addition to that of the depth map.
  public var deliversCalibration: Bool
  /// Whether both cameras of a dual camera deliver a photo, from which depth can be computed.
  public var deliversDualPhotos: Bool
  /// The requested mattes, which can nevertheless be absent.
  public var mattes: Set<Matte.Kind>
  /// Whether the depth map is written into the file; `embedsDepthDataInPhoto`, whose default is
  /// `true`.
  public var embedsDepth: Bool
  /// The container.
  public var container: Container

  /// Creates settings.
  public init(
    deliversDepth: Bool = true, isFiltered: Bool = true, deliversCalibration: Bool = false,
    deliversDualPhotos: Bool = false, mattes: Set<Matte.Kind> = [], embedsDepth: Bool = true,
    container: Container = .heif
  ) {
    self.deliversDepth = deliversDepth
    self.isFiltered = isFiltered
    self.deliversCalibration = deliversCalibration
    self.deliversDualPhotos = deliversDualPhotos
    self.mattes = mattes
    self.embedsDepth = embedsDepth
    self.container = container
  }

  /// A depth map without filtering.
  public static let metrology = DepthPhotoSettings(isFiltered: false)

  /// Two photos with both calibrations.
  public static let stereo = DepthPhotoSettings(
    isFiltered: false, deliversCalibration: true, deliversDualPhotos: true)

  /// What the output must be prepared for before the session starts.
  package var preparation: PhotoPreparation {
    PhotoPreparation(
      depth: deliversDepth || mattes.contains(.portraitEffects), dualPhotos: deliversDualPhotos,
      mattes: mattes)
  }

  /// The number of photos that the system will deliver.
  ///
  /// - Source: WWDC17 session 507: dual photos double the callbacks.
  package var photoCount: Int { deliversDualPhotos ? 2 : 1 }

  /// The settings that an output would refuse or ignore, in their order; empty for none.
  package func problems(on output: PhotoCapabilities) -> [DepthPhotoProblem] {
    var problems: [DepthPhotoProblem] = []
    if deliversDepth {
      if !output.supportsDepth {
        problems.append(.depthUnsupported)
      } else if !output.prepared.depth {
        problems.append(.depthNotPrepared)
      }
    }
    if deliversDualPhotos {
      if !output.supportsDualPhotos {
        problems.append(.dualPhotosUnsupported)
      } else if !output.prepared.dualPhotos {
        problems.append(.dualPhotosNotPrepared)
      }
    }
    if deliversCalibration {
      if !deliversDualPhotos { problems.append(.calibrationWithoutDualPhotos) }
      if output.correctsGeometricDistortion {
        problems.append(.calibrationWithGeometricDistortionCorrection)
      }
      if output.correctsContentAware {
        problems.append(.calibrationWithContentAwareCorrection)
      }
    }
    for matte in Matte.Kind.allCases where mattes.contains(matte) {
      if !output.supportedMattes.contains(matte) {
        problems.append(.matteUnsupported(matte))
      } else if !output.prepared.mattes.contains(matte) {
        problems.append(.matteNotPrepared(matte))
      }
      if matte == .portraitEffects, !deliversDepth { problems.append(.matteWithoutDepth(matte)) }
    }
    if container == .raw, deliversDepth, embedsDepth { problems.append(.rawHoldsNoDepth) }
    return problems
  }
}

/// Why a photo output would refuse settings or ignore a part of them.
package enum DepthPhotoProblem: Hashable, Sendable, CustomStringConvertible {
  /// Camera or format does not deliver depth with photos.
  case depthUnsupported
  /// The output was not configured to deliver depth before the session started.
  case depthNotPrepared
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

  /// Whether AVFoundation throws an exception, which ends the program; otherwise it ignores a part
  /// of the settings.
  package var isException: Bool { self != .rawHoldsNoDepth }

  /// One sentence.
  package var description: String {
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

/// The capabilities of a photo output, and what it was prepared for before the session started.
package struct PhotoCapabilities: Hashable, Sendable {
  /// `isDepthDataDeliverySupported`.
  package var supportsDepth: Bool
  /// `isVirtualDeviceConstituentPhotoDeliverySupported` (`isDualCameraDualPhotoDeliverySupported`).
  package var supportsDualPhotos: Bool
  /// `isPortraitEffectsMatteDeliverySupported` and `availableSemanticSegmentationMatteTypes`.
  package var supportedMattes: Set<Matte.Kind>
  /// `isGeometricDistortionCorrectionEnabled` of the device.
  package var correctsGeometricDistortion: Bool
  /// `isContentAwareDistortionCorrectionEnabled`.
  package var correctsContentAware: Bool
  /// What the output was prepared for before the session started.
  package var prepared: PhotoPreparation

  /// Creates a description.
  package init(
    supportsDepth: Bool, supportsDualPhotos: Bool = false,
    supportedMattes: Set<Matte.Kind> = [], correctsGeometricDistortion: Bool = false,
    correctsContentAware: Bool = false, prepared: PhotoPreparation = PhotoPreparation()
  ) {
    self.supportsDepth = supportsDepth
    self.supportsDualPhotos = supportsDualPhotos
    self.supportedMattes = supportedMattes
    self.correctsGeometricDistortion = correctsGeometricDistortion
    self.correctsContentAware = correctsContentAware
    self.prepared = prepared
  }

  /// `isCameraCalibrationDataDeliverySupported`.
  ///
  /// - Source: Apple, the property of that name: only while dual photos are enabled and both kinds
  ///   of distortion correction are off.
  package var supportsCalibration: Bool {
    prepared.dualPhotos && !correctsGeometricDistortion && !correctsContentAware
  }
}

/// The settings of a photo output before the session starts; later changes interrupt captures.
///
/// - Source: WWDC17 session 507: opt in before starting the capture session; Apple, *Capturing
///   Photos with Depth*: an internal reconfiguration of the pipeline.
package struct PhotoPreparation: Hashable, Sendable {
  /// `isDepthDataDeliveryEnabled` of the output.
  package var depth: Bool
  /// `isVirtualDeviceConstituentPhotoDeliveryEnabled` of the output.
  package var dualPhotos: Bool
  /// `isPortraitEffectsMatteDeliveryEnabled`, `enabledSemanticSegmentationMatteTypes` of the
  /// output.
  package var mattes: Set<Matte.Kind>

  /// Creates a preparation; the default is for plain photos.
  package init(depth: Bool = false, dualPhotos: Bool = false, mattes: Set<Matte.Kind> = []) {
    self.depth = depth
    self.dualPhotos = dualPhotos
    self.mattes = mattes
  }
}
