import Plumbline
import Synchronization

/// What is behind a `plumbline_capture`: the parts of one capture, which threads compute one after the other.
final class CaptureHandle: Sendable {
  /// What errors call the file or recording that it is from: the path as it was given.
  let file: String
  private let parts: Mutex<LazyCapture>

  /// Prepares a capture.
  init(_ origin: CaptureOrigin, by analyzer: CaptureAnalyzer, file: String) {
    self.file = file
    parts = Mutex(LazyCapture(origin, by: analyzer))
  }

  /// Works with the parts; other threads wait until it is done.
  func withParts<Result: Sendable>(
    _ work: (inout LazyCapture) throws -> Result
  ) throws -> Result {
    try parts.withLock { parts in try work(&parts) }
  }
}
