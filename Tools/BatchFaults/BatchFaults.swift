import Plumbline
import PlumblineBatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A worker of a batch for tests, sound unless a capture holds `plumbline-fault:NAME;`, and a run that
/// uses it.
///
///     BatchFaults worker                          answers requests
///     BatchFaults run RESULTS LIST WORKERS        runs over the captures of a list until it is done
@main
enum BatchFaults {
  static func main() throws {
    let arguments = CommandLine.arguments
    switch arguments.count > 1 ? arguments[1] : "" {
    case "worker": try work()
    case "run" where arguments.count == 5: try run(arguments[2], arguments[3], arguments[4])
    default: exit(64)
    }
  }

  private static func work() throws {
    guard let server = WorkerServer() else { exit(70) }
    try server.serve { request, output in
      let bytes = (try? InputFile(path: request.path).bytes) ?? []
      let words = word(after: "plumbline-fault:", in: bytes)
      if let words { commit(words, request) }
      if let time = word(after: "plumbline-wait:", in: bytes).flatMap({ UInt32($0) }) {
        usleep(time)
      }
      guard !bytes.isEmpty else {
        let document = ErrorDocument(
          .missingInput, message: "there is no file", file: request.path)
        return VerbOutcome(code: document.code, document: document.json)
      }
      if let output { copy(bytes, to: output.unfinished) }
      return VerbOutcome(
        code: 0,
        document: [
          "schema": "plumbline.check/1", "file": .string(lastPathPart(request.path)),
          "verdict": "measurable", "findings": [],
          "outputs": .string(output.map { $0.unfinished + "/copy" }),
        ])
    }
  }

  private static func copy(_ bytes: [UInt8], to folder: String) {
    var transaction = OutputTransaction(existing: .keep, durability: .buffered)
    do {
      try transaction.createDirectory(at: folder)
      try transaction.stage(bytes, at: folder + "/copy")
      _ = try transaction.publish()
    } catch { exit(74) }
  }

  /// What a verb might do that a capture has taken over, or that fails.
  private static func commit(_ fault: String, _ request: WorkerRequest) {
    switch fault {
    case "abort": abort()
    case "trap": preconditionFailure("a fault on purpose")
    case "exit": exit(7)
    case "hang": while true { sleep(1) }
    case "spin": while true { sched_yield() }
    case "memory":
      // Touched, so that it is held.
      var held: [[UInt8]] = []
      while true { held.append([UInt8](repeating: 1, count: 8 << 20)) }
    case "print":
      // Standard output leads nowhere.
      print("not an answer")
      fflush(nil)
    case "long": say([UInt8](repeating: 0x41, count: 3 << 20))
    case "garbage": say(Array("{\"id\": 0}\n".utf8))
    case "other":
      say(
        WorkerAnswer(
          id: request.id + 1, code: 0, seconds: 0, processorSeconds: 0, peakBytes: 0, bytes: nil,
          sha256: nil, result: .unchanged
        ).message)
    default: exit(99)
    }
  }

  /// Writes to the channel of answers, as code could that has found it.
  private static func say(_ bytes: [UInt8]) {
    // The first one is that of the requests.
    var isRequests = true
    for descriptor in CInt(3)..<64 {
      var kind = CInt(0)
      var size = socklen_t(MemoryLayout<CInt>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 else { continue }
      if !isRequests { _ = bytes.withUnsafeBytes { Self.send(descriptor, $0) } }
      isRequests = false
    }
    sleep(600)
  }

  private static func send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    var sent = 0
    while sent < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
      let count = systemWrite(descriptor, rest)
      if count <= 0 { break }
      sent += count
    }
    return sent
  }

  private static func word(after sign: String, in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard let start = text.range(of: sign) else { return nil }
    return String(text[start...].prefix { $0 != ";" })
  }

  private static func run(_ folder: String, _ list: String, _ workers: String) throws {
    var settings = WorkerSettings(program: ["/proc/self/exe", "worker"])
    settings.seconds = 20
    var plan = BatchPlan(
      folder: folder, settings: BatchSettings(verb: "check", writesFiles: true),
      search: CaptureSearch([.list(list)]), workers: settings)
    plan.workerCount = Int(workers) ?? 2
    let summary = try BatchRun(plan).run()
    exit(summary.isInterrupted ? 130 : 0)
  }
}

/// `write` of POSIX, under a name that no method here hides.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

extension String {
  /// Where a text ends that is in this one; `nil` if it is not.
  fileprivate func range(of sign: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(sign) { return index(start, offsetBy: sign.count) }
      start = index(after: start)
    }
    return nil
  }
}
