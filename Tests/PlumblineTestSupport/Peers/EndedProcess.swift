#if os(Linux)
  import Foundation
  import Glibc

  /// Waits for at most 30 seconds until a child has ended, without taking its status.
  ///
  /// A signal takes its time on a busy machine.
  package func waitUntilEnded(_ process: Int32) {
    // Not by its state in /proc: of a process that is ended with several threads the first may be done while
    // another one still holds its sockets open.
    for _ in 0..<3000 {
      var state = siginfo_t()
      let found = waitid(P_PID, id_t(process), &state, WEXITED | WNOWAIT | WNOHANG)
      if found != 0 || state.si_signo == SIGCHLD { return }
      usleep(10_000)
    }
  }
#endif
