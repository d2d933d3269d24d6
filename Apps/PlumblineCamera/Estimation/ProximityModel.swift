import Observation
import Plumbline

/// Warns of what is too near: by sound and haptics, at most once a second, and the screen says how near.
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
  private let signal = NearnessSignal()

  /// Takes the camera's next frame.
  func take(_ capture: Capture) {
    guard isWanted, var watch else { return }
    do throws(ProximityError) {
      let event = try watch.next(capture)
      self.watch = watch
      isNear = watch.alert.state == .near
      text = Self.words(watch)
      if event?.isSignal == true { signal.warn() }
    } catch {
      (isNear, text) = (false, error.description)
    }
  }

  private func reset() {
    (text, isNear) = (nil, false)
    watch = isWanted ? ProximityWatch(ProximityAlert(nearMeters: nearMeters)) : nil
    if isWanted { signal.prepare() }
  }

  private static func words(_ watch: ProximityWatch) -> String {
    guard let nearest = watch.latest?.nearestMeters else { return "Nearest: not measured" }
    let sigma = watch.latest?.sigmaMeters.map { "± \((1000 * $0).fixed(1)) mm" } ?? "± not known"
    return "Nearest: \((1000 * nearest).fixed(0)) mm \(sigma)"
  }
}
