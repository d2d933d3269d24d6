public import PlumblineRecordings
public import PlumblineVerification
import PlumblineCorrection
import PlumblineModel

extension Recording {
  /// The recording as a device took it, with the focal length that the user has measured of that device.
  ///
  /// - Parameters:
  ///   - model: The device, in place of the one that its frames name; `nil` for that one.
  ///   - devices: What is known of devices. Only the user's own measurements change a frame.
  /// - Returns: The recording; each frame is changed when it is read.
  public func taken(by model: String?, knownBy devices: DeviceCatalog) -> Recording {
    corrected { capture throws(CorrectionError) in
      var capture = capture
      if let model { capture.source.model = model }
      return try devices.measuredFocal(for: capture)?.step.applied(to: capture) ?? capture
    }
  }
}
