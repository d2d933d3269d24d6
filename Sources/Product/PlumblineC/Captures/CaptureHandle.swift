import Plumbline
import Synchronization

/// What is behind a `plumbline_capture`: the parts of one capture, which threads compute one after the other.
final class CaptureHandle: Sendable {
  private let parts: Mutex<LazyCapture>

  /// Prepares a capture.
  init(_ origin: CaptureOrigin, by analyzer: CaptureAnalyzer) {
    parts = Mutex(LazyCapture(origin, by: analyzer))
  }

  /// Works with the parts; other threads wait until it is done.
  func withParts<Result: Sendable>(
    _ work: (inout LazyCapture) throws -> Result
  ) throws -> Result {
    try parts.withLock { parts in try work(&parts) }
  }
}
