/// Decides when a camera has settled its exposure, focus and white balance after a start.
///
/// An adapter asks the device in intervals and passes the answers. Right after the start a device
/// says that it adjusts nothing, because it has seen no frame yet; so nothing counts before
/// ``minimumSeconds``, and quiet must last for ``quietSeconds``. After ``maximumSeconds`` the photo is
/// taken anyway, and a remark says so. The three times are this project's, untried on a device.
package struct CameraSettling: Sendable {
  /// What a device can be adjusting; `isAdjustingExposure` and so on.
  package enum Adjustment: String, Hashable, Sendable, CaseIterable {
    /// The exposure.
    case exposure
    /// The focus.
    case focus
    /// The white balance.
    case whiteBalance = "white balance"
  }

  /// What follows from an answer.
  package enum Decision: Hashable, Sendable {
    /// Ask again after ``intervalSeconds``.
    case wait
    /// The camera has settled.
    case settled
    /// The limit is reached while the camera still adjusts these, in the order of the cases.
    case limitReached([Adjustment])
  }

  /// The time between two questions, in seconds.
  package static let intervalSeconds = 0.05
  /// The time after the start before which no answer counts, in seconds.
  package static let minimumSeconds = 0.3
  /// The time for which the camera must adjust nothing, in seconds.
  package static let quietSeconds = 0.2
  /// The time after which the photo is taken anyway, in seconds.
  package static let maximumSeconds = 3.0

  private var quietSince: Double?

  /// Starts waiting.
  package init() {}

  /// Takes an answer.
  ///
  /// - Parameters:
  ///   - adjusting: What the device adjusts now.
  ///   - seconds: The time since the start, which does not go back.
  /// - Returns: What follows.
  package mutating func take(_ adjusting: Set<Adjustment>, at seconds: Double) -> Decision {
    if adjusting.isEmpty, seconds >= Self.minimumSeconds {
      let since = quietSince ?? seconds
      quietSince = since
      if seconds - since >= Self.quietSeconds { return .settled }
    } else {
      quietSince = nil
    }
    guard seconds >= Self.maximumSeconds else { return .wait }
    return .limitReached(Adjustment.allCases.filter(adjusting.contains))
  }
}

extension CameraSettling.Decision {
  /// A sentence for the user; `nil` unless the photo was taken before the camera had settled.
  package var remark: String? {
    guard case .limitReached(let adjusting) = self else { return nil }
    let what = adjusting.isEmpty ? "its values" : adjusting.map(\.rawValue).joined(separator: ", ")
    return "the camera was still adjusting \(what) after "
      + "\(rateText(CameraSettling.maximumSeconds)) s; the photo may be badly exposed or blurred"
  }
}
