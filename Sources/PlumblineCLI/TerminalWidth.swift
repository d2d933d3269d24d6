#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The width of the terminal in characters.
enum TerminalWidth {
  /// Whether a descriptor is a terminal that takes the codes of ECMA-48; a dumb one prints them.
  static func takesCodes(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } == true
  }

  /// The columns of the terminal behind a descriptor; `nil` for a pipe, a file, or one that does not
  /// say.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }
}
