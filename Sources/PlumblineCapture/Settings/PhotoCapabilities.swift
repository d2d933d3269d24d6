public import PlumblineModel

/// What a photo output supports and was prepared for before the session started.
public struct PhotoCapabilities: Hashable, Sendable {
  /// `isDepthDataDeliverySupported`.
  public var supportsDepth: Bool
  /// `isVirtualDeviceConstituentPhotoDeliverySupported` (`isDualCameraDualPhotoDeliverySupported`).
  public var supportsDualPhotos: Bool
  /// `isPortraitEffectsMatteDeliverySupported` and `availableSemanticSegmentationMatteTypes`.
  public var supportedMattes: Set<Matte.Kind>
  /// `isGeometricDistortionCorrectionEnabled` of the device.
  public var correctsGeometricDistortion: Bool
  /// `isContentAwareDistortionCorrectionEnabled`.
  public var correctsContentAware: Bool
  /// What the output was prepared for before the session started.
  public var prepared: PhotoPreparation

  /// Creates a description.
  public init(
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
  /// - Source: Apple, the property of that name: only while dual photos are enabled and neither kind
  ///   of distortion correction is on.
  public var supportsCalibration: Bool {
    prepared.dualPhotos && !correctsGeometricDistortion && !correctsContentAware
  }
}

/// The settings of a photo output before the session starts; later they interrupt captures.
///
/// - Source: WWDC17 session 507: opt in before starting the capture session; Apple, *Capturing Photos
///   with Depth*: an internal reconfiguration of the pipeline.
public struct PhotoPreparation: Hashable, Sendable {
  /// `isDepthDataDeliveryEnabled` of the output.
  public var depth: Bool
  /// `isVirtualDeviceConstituentPhotoDeliveryEnabled` of the output.
  public var dualPhotos: Bool
  /// `isPortraitEffectsMatteDeliveryEnabled`, `enabledSemanticSegmentationMatteTypes` of the output.
  public var mattes: Set<Matte.Kind>

  /// Creates a preparation; by default for plain photos.
  public init(depth: Bool = false, dualPhotos: Bool = false, mattes: Set<Matte.Kind> = []) {
    self.depth = depth
    self.dualPhotos = dualPhotos
    self.mattes = mattes
  }
}
