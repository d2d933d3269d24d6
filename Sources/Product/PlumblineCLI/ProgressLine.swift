import Plumbline
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One line on standard error that says how far a long work is: on a terminal alone, and only
/// after a second.
struct ProgressLine {
  private let total: Int
  private let noun: String
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var isWritten = false

  /// Creates a line for work of so many steps; it is written with the first step after a second.
  init(total: Int, isQuiet: Bool, noun: String = "frame") {
    self.total = total
    self.noun = noun
    isShown = !isQuiet && TerminalWidth.takesCodes(2)
  }

  /// Writes the number of the step that begins, counted from 0, and how long the rest will take if
  /// it goes on as before.
  mutating func begin(_ step: Int) {
    let elapsed = ContinuousClock.now - start
    show("\(noun) \(step + 1) of \(total)\(Self.remaining(elapsed, step, total))")
  }

  /// Writes a text of one line, safe to print, in place of the one before; nothing within the first second.
  mutating func show(_ text: String) {
    guard isShown, ContinuousClock.now - start > .seconds(1) else { return }
    StandardError.append("\r\u{1B}[K\(text)")
    isWritten = true
  }

  /// The time that is left, such as `, 40 s left`; empty before the first step is done.
  static func remaining(_ elapsed: Duration, _ done: Int, _ total: Int) -> String {
    guard done > 0, done < total else { return "" }
    return left(seconds: Int((elapsed / done * (total - done)).components.seconds) + 1)
  }

  /// So many seconds as `, 40 s left`.
  static func left(seconds: Int) -> String {
    if seconds < 100 { return ", \(seconds) s left" }
    let minutes = (seconds + 59) / 60
    return minutes < 100 ? ", \(minutes) min left" : ", \((minutes + 59) / 60) h left"
  }

  /// Erases the line, so that what is printed next begins on an empty one.
  mutating func end() {
    if isWritten { StandardError.append("\r\u{1B}[K") }
    isWritten = false
  }
}

/// A progress line that several threads may write to, one at a time.
final class ProgressBox: Sendable {
  private let line: Mutex<ProgressLine>

  init(_ line: ProgressLine) { self.line = Mutex(line) }

  func begin(_ step: Int) { line.withLock { $0.begin(step) } }

  func show(_ text: String) { line.withLock { $0.show(text) } }

  func end() { line.withLock { $0.end() } }
}

/// A line on the terminal that counts frames; nothing where standard error is no terminal.
struct SimulationProgress {
  private let total: Int
  private let isShown: Bool

  /// Creates a line for so many frames; of three or fewer none is shown, as they are done too soon.
  init(total: Int, isQuiet: Bool) {
    self.total = total
    isShown = !isQuiet && total > 3 && isatty(2) == 1
  }

  /// Shows how many frames are done.
  func show(_ done: Int) {
    if isShown { show("\r\(done) of \(total) frames") }
  }

  /// Erases the line, so that what is printed next begins on an empty one.
  func end() {
    if isShown { show("\r\u{1B}[K") }
  }

  private func show(_ text: String) {
    let bytes = Array(text.utf8)
    // A lost piece of a progress line is no loss.
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
