/// The settings of a stream of depth and video.
public struct DepthStreamSettings: Hashable, Sendable {
  /// Whether the system fills holes and smooths over time.
  ///
  /// Filled and smoothed values ghost at moving edges and hide what was not measured.
  /// - Source: Apple, *AVCaptureDepthDataOutput.isFilteringEnabled*, `true` unless changed.
  public var isFiltered: Bool
  /// Whether frames that come too late are lost and reported, instead of piling up.
  ///
  /// - Source: Apple, *alwaysDiscardsLateDepthData*, `true` unless changed.
  public var discardsLateData: Bool
  /// Whether each video frame carries its own camera matrix; focus and stabilization change it.
  public var deliversIntrinsics: Bool
  /// Whether images are freed from the lens's distortion, while calibrations stay those before it.
  ///
  /// Measured to be 6 % off then. `true` unless changed, where a device supports it.
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

  /// Numbers that can be measured with: nothing invented, each frame's camera matrix, images that
  /// their calibration describes.
  public static let metrology = DepthStreamSettings(
    isFiltered: false, deliversIntrinsics: true, correctsGeometricDistortion: false)

  /// Images that look well: holes filled, straight lines straight.
  public static let preview = DepthStreamSettings(
    isFiltered: true, deliversIntrinsics: false, correctsGeometricDistortion: true)

  /// The promises of a capture that the settings break.
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

/// The capabilities of a device and its connections.
package struct DepthStreamCapabilities: Hashable, Sendable {
  /// `isGeometricDistortionCorrectionSupported` of the device.
  package var canCorrectGeometricDistortion: Bool
  /// `isCameraIntrinsicMatrixDeliverySupported` of the video connection.
  package var canDeliverIntrinsics: Bool

  /// Creates a description.
  package init(canCorrectGeometricDistortion: Bool, canDeliverIntrinsics: Bool) {
    self.canCorrectGeometricDistortion = canCorrectGeometricDistortion
    self.canDeliverIntrinsics = canDeliverIntrinsics
  }
}
