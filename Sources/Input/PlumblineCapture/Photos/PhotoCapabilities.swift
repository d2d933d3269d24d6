public import PlumblineModel

/// The capabilities of a photo output, and what it was prepared for before the session started.
///
/// They are known only after the output was added to the session.
public struct PhotoCapabilities: Hashable, Sendable {
  /// `isDepthDataDeliverySupported`.
  public var supportsDepth: Bool
  /// The kinds of numbers among the depth formats of the active format.
  public var depthKinds: Set<DepthPhotoSettings.DepthKind> = []
  /// `isVirtualDeviceConstituentPhotoDeliverySupported`.
  public var supportsDualPhotos: Bool
  /// `isPortraitEffectsMatteDeliverySupported` and `availableSemanticSegmentationMatteTypes`.
  public var supportedMattes: Set<Matte.Kind>
  /// `isGeometricDistortionCorrectionEnabled` of the device.
  public var correctsGeometricDistortion: Bool
  /// `isContentAwareDistortionCorrectionEnabled`.
  public var correctsContentAware: Bool
  /// The containers of `availablePhotoCodecTypes`.
  public var containers: Set<DepthPhotoSettings.Container> = [.heif, .jpeg]
  /// `supportedFlashModes`.
  public var flashModes: Set<DepthPhotoSettings.Flash> = [.off]
  /// `maxBracketedCapturePhotoCount`; 0 for no brackets.
  public var maximumBracketCount = 0
  /// The device's exposure bias in exposure values.
  public var exposureBias = 0.0...0.0
  /// The active format's exposure times in seconds; `nil` without manual exposure, as of dual and
  /// triple cameras.
  public var exposureSeconds: ClosedRange<Double>?
  /// The active format's sensitivities in ISO; `nil` without manual exposure.
  public var iso: ClosedRange<Double>?
  /// `isLivePhotoCaptureSupported`.
  public var supportsLivePhoto = false
  /// `isLivePhotoCaptureSuspended`.
  public var isLivePhotoSuspended = false
  /// `isConstantColorSupported`.
  public var supportsConstantColor = false
  /// Whether the device's white balance is locked.
  public var hasLockedWhiteBalance = false
  /// `supportedMaxPhotoDimensions` of the active format.
  public var photoSizes: [RasterSize] = []
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
  /// `maxPhotoQualityPrioritization` of the output.
  package var quality = DepthPhotoSettings.Quality.balanced
  /// `isLivePhotoCaptureEnabled` of the output.
  package var livePhoto = false
  /// `isConstantColorEnabled` of the output.
  package var constantColor = false
  /// `maxPhotoDimensions` of the output; `nil` for its default.
  package var maximumSize: RasterSize?

  /// Creates a preparation; the default is for plain photos.
  package init(depth: Bool = false, dualPhotos: Bool = false, mattes: Set<Matte.Kind> = []) {
    self.depth = depth
    self.dualPhotos = dualPhotos
    self.mattes = mattes
  }
}
