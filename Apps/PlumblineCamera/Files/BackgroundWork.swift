import UIKit

/// Time from the system to finish a file after the app has left the screen.
@MainActor
final class BackgroundWork {
  private var identifier = UIBackgroundTaskIdentifier.invalid

  /// Requests time; where the system takes it back, the file stays as far as it was written.
  init(name: String) {
    identifier = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in
      MainActor.assumeIsolated { self?.end() }
    }
  }

  /// The work is done; a second call has no effect.
  func end() {
    guard identifier != .invalid else { return }
    UIApplication.shared.endBackgroundTask(identifier)
    identifier = .invalid
  }
}
