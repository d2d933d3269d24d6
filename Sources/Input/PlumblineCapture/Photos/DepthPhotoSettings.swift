public import PlumblineModel

/// The settings for one photo; `AVCapturePhotoSettings`.
///
/// Deferred delivery is always off: with it the system finishes a photo later, in the photo library,
/// while the verdict on a photo needs the finished file at once.
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

  /// The kind of numbers of a depth map.
  public enum DepthKind: String, Hashable, Sendable, CaseIterable {
    /// Meters.
    case depth
    /// Reciprocal meters, which the cameras of phones measure by themselves.
    case disparity
  }

  /// When the flash fires.
  public enum Flash: String, Hashable, Sendable, CaseIterable {
    /// Never.
    case off
    /// As the system decides.
    case automatic
    /// Always, unless the device is too warm.
    case on
  }

  /// What the system optimizes a photo for; `AVCapturePhotoOutput.QualityPrioritization`.
  public enum Quality: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Speed: as little processing as possible.
    case speed = 1
    /// A balance of both.
    case balanced = 2
    /// Quality: several frames are merged.
    case best = 3

    /// Whether a quality takes less time than another one.
    public static func < (a: Quality, b: Quality) -> Bool { a.rawValue < b.rawValue }
  }

  /// Several photos with different exposures in quick succession.
  public enum Bracket: Hashable, Sendable {
    /// Exposure relative to the metered one, in exposure values (EV).
    case exposureBias([Double])
    /// Exposure times in seconds and sensitivities in ISO.
    case manual([ManualExposure])

    /// The number of photos.
    public var count: Int {
      switch self {
      case .exposureBias(let values): values.count
      case .manual(let exposures): exposures.count
      }
    }
  }

  /// One exposure of a bracket.
  public struct ManualExposure: Hashable, Sendable {
    /// The exposure time in seconds.
    public var seconds: Double
    /// The sensitivity in ISO.
    public var iso: Double

    /// Creates an exposure.
    public init(seconds: Double, iso: Double) {
      self.seconds = seconds
      self.iso = iso
    }
  }

  /// Whether the photo has its depth map.
  public var deliversDepth: Bool
  /// Whether holes are filled and values smoothed; `isDepthDataFiltered`, whose default is `true`.
  ///
  /// Without it missing pixels are NaN.
  public var isFiltered: Bool
  /// Whether the depth map is written into the file; `embedsDepthDataInPhoto`, whose default is
  /// `true`.
  public var embedsDepth: Bool
  /// The kind of numbers to measure, if the camera offers both; `nil` for the camera's own.
  public var depthKind: DepthKind?
  /// Whether photos have their own camera's calibration, in addition to that of the depth map.
  public var deliversCalibration: Bool
  /// Whether each camera of a dual or triple camera delivers a photo, from which depth can be
  /// computed.
  public var deliversDualPhotos: Bool
  /// The requested mattes, which can nevertheless be absent.
  public var mattes: Set<Matte.Kind>
  /// The container.
  public var container: Container
  /// When the flash fires.
  public var flash = Flash.off
  /// What the system optimizes for.
  public var quality = Quality.balanced
  /// Whether the images of several cameras may be merged to one;
  /// `isAutoVirtualDeviceFusionEnabled`, whose default is `true`.
  public var fusesCameras = true
  /// Several exposures; `nil` for one photo.
  public var bracket: Bracket?
  /// Whether a short video is taken around the photo.
  public var takesLivePhoto = false
  /// Whether colors do not depend on the light of the scene; iOS 18, and the flash must fire.
  public var hasConstantColor = false
  /// The maximum size of the photo; `nil` for the camera's default.
  public var maximumSize: RasterSize?

  /// Creates settings; the other properties are off, and quality is balanced.
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

  /// A depth map without filtering, and an image of one camera with little processing.
  public static let metrology: DepthPhotoSettings = {
    var settings = DepthPhotoSettings(isFiltered: false)
    settings.fusesCameras = false
    settings.quality = .speed
    return settings
  }()

  /// Two photos with both calibrations.
  public static let stereo: DepthPhotoSettings = {
    var settings = DepthPhotoSettings.metrology
    settings.deliversCalibration = true
    settings.deliversDualPhotos = true
    return settings
  }()

  /// Why deferred delivery is off, for a screen.
  public static let deferredDeliveryText =
    "Deferred delivery is off: Photos would finish the image later, and the verdict needs the "
    + "finished file now."

  /// What the output must be prepared for before the session starts.
  package var preparation: PhotoPreparation {
    var preparation = PhotoPreparation(
      depth: deliversDepth || mattes.contains(.portraitEffects), dualPhotos: deliversDualPhotos,
      mattes: mattes)
    preparation.quality = quality
    preparation.livePhoto = takesLivePhoto
    preparation.constantColor = hasConstantColor
    preparation.maximumSize = maximumSize
    return preparation
  }

  /// The number of photos to expect of a device before the system has stated it.
  ///
  /// - Source: WWDC17 session 507: dual photos double the callbacks; the same for each exposure of
  ///   a bracket and each camera of a triple camera.
  package func photoCount(of device: DepthDevice) -> Int {
    (deliversDualPhotos ? device.constituentCount : 1) * max(bracket?.count ?? 1, 1)
  }
}
