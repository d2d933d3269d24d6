import Observation
import Plumbline
import UIKit

/// Feels what is too near: the phone vibrates, at most once a second, and the screen says how near.
@MainActor @Observable
final class ProximityModel {
  /// Distances to choose from, in meters.
  static let distances = [0.3, 0.5, 0.8, 1.2, 2]

  var isWanted = false {
    didSet { reset() }
  }
  var nearMeters = 0.5 {
    didSet { reset() }
  }
  /// What the latest frame said; `nil` while nothing is watched.
  private(set) var text: String?
  private(set) var isNear = false
  private var watch: ProximityWatch?
  private let haptics = UINotificationFeedbackGenerator()

  /// Takes the camera's next frame.
  func take(_ capture: Capture) {
    guard isWanted, var watch else { return }
    do throws(ProximityError) {
      let event = try watch.next(capture)
      self.watch = watch
      isNear = watch.alert.state == .near
      text = Self.words(watch)
      guard event?.isSignal == true else { return }
      haptics.notificationOccurred(.warning)
      // The next one comes a second later at the earliest: the engine is awake by then.
      haptics.prepare()
    } catch {
      (isNear, text) = (false, error.description)
    }
  }

  private func reset() {
    (text, isNear) = (nil, false)
    watch = isWanted ? ProximityWatch(ProximityAlert(nearMeters: nearMeters)) : nil
    if isWanted { haptics.prepare() }
  }

  private static func words(_ watch: ProximityWatch) -> String {
    guard let nearest = watch.latest?.nearestMeters else { return "Nearest: not measured" }
    let sigma = watch.latest?.sigmaMeters.map { "± \((1000 * $0).fixed(1)) mm" } ?? "± not known"
    return "Nearest: \((1000 * nearest).fixed(0)) mm \(sigma)"
  }
}
