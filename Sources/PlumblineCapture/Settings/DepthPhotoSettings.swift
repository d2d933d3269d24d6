public import PlumblineModel

/// What one photo is to bring along; `AVCapturePhotoSettings`.
public struct DepthPhotoSettings: Hashable, Sendable {
  /// The container of a photo.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// HEIF; holds depth and mattes.
    case heif
    /// JPEG; holds depth and mattes.
    case jpeg
    /// A raw file; holds neither.
    case raw
  }

  /// Whether the photo brings its depth map.
  public var deliversDepth: Bool
  /// Whether holes are filled and values smoothed; `isDepthDataFiltered`, `true` unless changed.
  public var isFiltered: Bool
  /// Whether photos bring their own camera's calibration, beside that of the depth map.
  public var deliversCalibration: Bool
  /// Whether both cameras of a dual one deliver a photo: one can make an own depth map.
  public var deliversDualPhotos: Bool
  /// The mattes that are wanted; they may be absent all the same.
  public var mattes: Set<Matte.Kind>
  /// Whether the depth map is written into the file; `embedsDepthDataInPhoto`, `true` unless changed.
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

  /// A depth map as measured.
  public static let metrology = DepthPhotoSettings(isFiltered: false)

  /// Two photos with both calibrations.
  public static let stereo = DepthPhotoSettings(
    isFiltered: false, deliversCalibration: true, deliversDualPhotos: true)

  /// What the output must be prepared for before the session starts.
  public var preparation: PhotoPreparation {
    PhotoPreparation(
      depth: deliversDepth || mattes.contains(.portraitEffects), dualPhotos: deliversDualPhotos,
      mattes: mattes)
  }

  /// The number of photos that the system will deliver.
  ///
  /// - Source: WWDC17 session 507: dual photos double the callbacks.
  public var photoCount: Int { deliversDualPhotos ? 2 : 1 }

  /// What an output would refuse or leave aside, in the order of the settings; empty for none.
  public func problems(on output: PhotoCapabilities) -> [DepthPhotoProblem] {
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
