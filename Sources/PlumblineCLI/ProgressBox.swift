import Plumbline
import Synchronization

/// A progress line that several threads may write to, one at a time.
final class ProgressBox: Sendable {
  private let line: Mutex<ProgressLine>

  init(_ line: ProgressLine) { self.line = Mutex(line) }

  func begin(_ step: Int) { line.withLock { $0.begin(step) } }

  func end() { line.withLock { $0.end() } }
}
