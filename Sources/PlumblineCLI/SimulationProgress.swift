#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A line on the terminal that counts frames; nothing where standard error is no terminal.
struct SimulationProgress {
  private let total: Int
  private let isShown: Bool

  /// Starts at no frame; few frames are done before a line could be read.
  init(total: Int, isQuiet: Bool) {
    self.total = total
    isShown = !isQuiet && total > 3 && isatty(2) == 1
  }

  /// Shows how many frames are done.
  func show(_ done: Int) {
    if isShown { show("\r\(done) of \(total) frames") }
  }

  /// Takes the line away.
  func end() {
    if isShown { show("\r\u{1B}[K") }
  }

  private func show(_ text: String) {
    let bytes = Array(text.utf8)
    // A lost piece of a progress line is no loss.
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
