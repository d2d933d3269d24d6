import Dispatch
import Plumbline

/// Where the frames of a scan come from.
enum ScanSource {
  case recording(Recording, name: String)
  case camera(any DepthCameraSource, axes: WorldAxes, name: String)

  /// The name for people.
  var name: String {
    switch self {
    case .recording(_, let name), .camera(_, _, let name): name
    }
  }
}

/// The end of a scan by Control-C: the first one ends fusing, and the next one what shows the result.
///
/// One that comes while the surface is made or written ends the program, which leaves no half-written file.
final class ScanEnd {
  /// The end of a live camera.
  let stop = RecordingStop()
  private let signals: SignalTrap

  /// Holds Control-C back from now on.
  init() {
    let stop = stop
    signals = SignalTrap { stop.request() }
  }

  deinit { signals.cancel() }

  /// Whether Control-C came.
  var isRequested: Bool { stop.isRequested }

  /// Waits for the next Control-C.
  func waitForNext() {
    signals.cancel()
    let semaphore = DispatchSemaphore(value: 0)
    let next = SignalTrap { semaphore.signal() }
    semaphore.wait()
    next.cancel()
  }
}
