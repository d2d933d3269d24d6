import Plumbline
import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How a worker ended by itself.
struct WorkerEnd: Sendable, Hashable {
  /// The signal that ended it; `nil` where it exited.
  let signal: Int?
  /// Its exit code; 0 for a signal.
  let code: Int
  /// The last line of its messages, safe to print; empty for none.
  let message: String

  init(status: CInt, message: [UInt8]) {
    let number = Int(status & 0x7F)
    signal = number == 0 ? nil : number
    code = number == 0 ? Int((status >> 8) & 0xFF) : 0
    let lines = message.split(separator: UInt8(ascii: "\n"))
    self.message = lines.last.map { printable($0.prefix(300)) } ?? ""
  }

  /// Such as `signal 11 (SIGSEGV)` or `exit code 7`.
  var words: String {
    guard let signal else { return "exit code \(code)" }
    let names: [CInt: String] = [
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
      SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP",
    ]
    return "signal \(signal)" + (names[CInt(signal)].map { " (\($0))" } ?? "")
  }
}

/// Why a worker gave no answer for a capture.
enum WorkerFailure: Sendable, Hashable {
  /// It ended by itself.
  case ended(WorkerEnd)
  /// It took longer than these seconds.
  case late(seconds: Double)
  /// It held more than these bytes.
  case memory(bytes: Int)
  /// It answered with more than these bytes, or with what is no answer.
  case answer(String)

  /// What there was in place of a result; the same for the same failure.
  var found: String {
    switch self {
    case .ended(let end):
      "a worker that ended with \(end.words)" + (end.message.isEmpty ? "" : ": \(end.message)")
    case .late: "none; the worker was ended"
    case .memory: "more; the worker was ended"
    case .answer(let found): found
    }
  }

  /// Whether the worker was ended by a signal that no fault of its own gives.
  var isFromOutside: Bool {
    guard case .ended(let end) = self, let signal = end.signal else { return false }
    return [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(CInt(signal))
  }

  private var expected: String {
    switch self {
    case .ended: "a result"
    case .late(let seconds): "a result within \(seconds.fewestDigits) s"
    case .memory(let bytes): "at most \(bytes >> 20) MiB of memory"
    case .answer: "a result that can be kept"
    }
  }

  /// The error of the capture; nothing in it depends on the run.
  func document(path: String) -> ErrorDocument {
    let category: FailureCategory = if case .ended = self { .programFault } else { .unusableInput }
    var document = ErrorDocument(
      category, message: "expected \(expected), found \(found)", file: path)
    document.expected = expected
    document.found = found
    return document
  }
}

extension Double {
  /// Seconds with as many digits as they need.
  fileprivate var fewestDigits: String {
    self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)"
  }
}
