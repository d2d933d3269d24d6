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
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var isWritten = false

  /// A line for so many steps.
  init(total: Int, isQuiet: Bool) {
    self.total = total
    isShown = !isQuiet && TerminalWidth.takesCodes(2)
  }

  /// Says that a step begins.
  mutating func begin(_ step: Int) {
    guard isShown, ContinuousClock.now - start > .seconds(1) else { return }
    StandardError.append("\r\u{1B}[Kframe \(step + 1) of \(total)")
    isWritten = true
  }

  /// Takes the line away.
  mutating func end() {
    if isWritten { StandardError.append("\r\u{1B}[K") }
    isWritten = false
  }
}
