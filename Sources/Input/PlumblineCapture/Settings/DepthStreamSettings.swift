/// The settings of a stream of depth and video.
public struct DepthStreamSettings: Hashable, Sendable {
  /// Whether the system fills holes and smooths over time.
  ///
  /// This is the smoothing that a user can choose.
  ///
  /// Filled and smoothed values cause ghosts at moving edges and hide missing measurements.
  /// - Source: Apple, *AVCaptureDepthDataOutput.isFilteringEnabled*, whose default is `true`.
  public var isFiltered: Bool
  /// Whether late frames are dropped and reported instead of queued.
  ///
  /// - Source: Apple, *alwaysDiscardsLateDepthData*, whose default is `true`.
  public var discardsLateData: Bool
  /// Whether each video frame has its own camera matrix; focus and stabilization change the matrix.
  public var deliversIntrinsics: Bool
  /// Whether lens distortion is removed from images, while calibrations describe the lens before
  /// that.
  ///
  /// Those calibrations were measured to be 6 % off. The default is `true` on devices that support
  /// it.
  /// - Source: arXiv 2201.10865; Apple, *isGeometricDistortionCorrectionEnabled*.
  public var correctsGeometricDistortion: Bool

  /// Creates settings.
  package init(
    isFiltered: Bool, discardsLateData: Bool = true, deliversIntrinsics: Bool,
    correctsGeometricDistortion: Bool
  ) {
    self.isFiltered = isFiltered
    self.discardsLateData = discardsLateData
    self.deliversIntrinsics = deliversIntrinsics
    self.correctsGeometricDistortion = correctsGeometricDistortion
  }

  /// Settings for measuring: no invented values, a camera matrix for each frame, and images that
  /// match their calibration.
  public static let metrology = DepthStreamSettings(
    isFiltered: false, deliversIntrinsics: true, correctsGeometricDistortion: false)

  /// Settings for a preview: filled holes and straight lines.
  public static let preview = DepthStreamSettings(
    isFiltered: true, deliversIntrinsics: false, correctsGeometricDistortion: true)

  /// The settings that make captures less reliable, in sentences.
  package var remarks: [String] {
    var remarks: [String] = []
    if isFiltered { remarks.append("holes are filled and moving edges smoothed by the system") }
    if !deliversIntrinsics {
      remarks.append("frames carry no camera matrix of their own; the calibration's one holds")
    }
    if correctsGeometricDistortion {
      remarks.append("images are rectified, calibrations are not: lengths may be 6 % off")
    }
    return remarks
  }
}
