import PlumblineModel

/// The devices whose calibration somebody has measured in public.
///
/// - Source: arXiv 2201.10865, table 2.
enum MeasuredDevices {
  /// Models as EXIF names them.
  static let models: Set<String> = [
    "iPhone 11 Pro", "iPhone 12", "iPhone 12 Pro", "iPhone 13",
    "iPad Pro (11-inch) (2nd generation)", "iPad Pro (11-inch) (3rd generation)",
    "iPad Pro (12.9-inch) (4th generation)", "iPad Pro (12.9-inch) (5th generation)",
  ]

  /// The note that a device deserves; `nil` for measured ones.
  static func finding(for source: CaptureSource) -> Finding? {
    guard let model = source.model else {
      return Finding(
        .deviceUnknown, .note, "the file does not name the device that took it",
        evidence: "no Model in EXIF")
    }
    guard !models.contains(model) else { return nil }
    return Finding(
      .deviceUnmeasured, .note,
      "no public calibration of this device is known; the ± is that of similar devices",
      evidence: "Model = \(model)")
  }
}
