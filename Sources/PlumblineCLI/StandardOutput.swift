import ArgumentParser

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Results, for people and programs.
enum StandardOutput {
  /// Writes one text, ended by one line feed; a pipe that was closed ends the program quietly, as
  /// `head` expects.
  static func print(_ text: String) {
    var bytes = Array((text.hasSuffix("\n") ? text : text + "\n").utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      if written <= 0 {
        // A reader that closed a pipe has read enough.
        if errno == EPIPE { exit(CommandExit.inputOutput.rawValue) }
        let reason = String(cString: strerror(errno))
        StandardError.print("plumbline: standard output cannot be written: \(reason)")
        exit(CommandExit.inputOutput.rawValue)
      }
      bytes = bytes.dropFirst(written)
    }
  }

  /// Whether colors help: a terminal that knows them, and no option or `NO_COLOR` forbids them.
  static func usesColor(refused isRefused: Bool) -> Bool {
    !isRefused && TerminalWidth.takesCodes(1) && getenv("NO_COLOR") == nil
  }
}
