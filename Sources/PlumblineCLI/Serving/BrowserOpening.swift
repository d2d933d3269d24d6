import Dispatch
import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Opens a link in the user's browser, by the system's own program in a process of its own.
enum BrowserOpening {
  #if os(macOS)
    static let program = "open"
  #else
    static let program = "xdg-open"
  #endif

  /// Starts the program; returns whether there is one.
  ///
  /// The link may be read by other users of this machine, as arguments are: it must hold no token.
  @discardableResult
  static func open(_ link: String) -> Bool {
    guard
      let process = try? SpawnedProcess.start([program, link], .null, environment: nil)
    else { return false }
    DispatchQueue.global().async {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    return true
  }
}
