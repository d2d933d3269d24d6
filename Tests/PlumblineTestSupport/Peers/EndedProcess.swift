#if os(Linux)
  import Foundation
  import Glibc

  /// Waits for at most 30 seconds until a child has ended, without taking its status.
  ///
  /// A signal takes its time on a busy machine.
  package func waitUntilEnded(_ process: Int32) {
    for _ in 0..<3000 {
      let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // Behind the name, which ends with the last parenthesis, the state: Z of one that has ended.
      if line?.split(separator: ")").last?.hasPrefix(" Z") ?? true { return }
      usleep(10_000)
    }
  }
#endif
