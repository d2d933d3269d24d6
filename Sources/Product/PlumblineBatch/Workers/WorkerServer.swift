import Dispatch
import Plumbline
package import PlumblineIO

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What running a verb gave.
package struct VerbOutcome: Sendable {
  /// The exit code that the verb alone would have had.
  package var code: Int
  /// The document that it printed, or that of its error.
  package var document: JSONValue

  /// Describes an outcome.
  package init(code: Int, document: JSONValue) {
    self.code = code
    self.document = document
  }
}

/// A worker's own side: it reads requests from standard input, and writes answers to standard output.
///
/// Standard input and output of the process lead nowhere afterwards, so that nothing that a verb or a
/// library prints gets among the answers. The process ends when its answers are read by no process any more, also
/// while it works.
package struct WorkerServer {
  private let requests: CInt
  private let answers: CInt

  /// Takes over the standard streams of this process; called once, before other threads run.
  ///
  /// - Returns: `nil` where the system refuses it.
  package init?() {
    requests = fcntl(0, F_DUPFD_CLOEXEC, 3)
    answers = fcntl(1, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard requests >= 0, answers >= 0, nothing >= 0, dup2(nothing, 0) == 0, dup2(nothing, 1) == 1
    else { return nil }
    close(nothing)
    endWithReader()
  }

  /// Answers requests until the input ends.
  ///
  /// - Parameter perform: Runs a verb with these arguments; its outputs go to the folder that is given.
  /// - Throws: ``JSONReadingError`` for a line that is no request, which ends the worker.
  package func serve(
    _ perform: (_ request: WorkerRequest, _ output: CaptureOutput?) -> VerbOutcome
  ) throws(JSONReadingError) {
    let greeting: JSONValue = [
      "worker": "plumbline.batch-worker/1", "version": .string(PlumblineVersion.text),
    ]
    say(JSONWriter(layout: .compact).bytes(greeting) + [UInt8(ascii: "\n")])
    var pending: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = pending[..<end]
        // An empty line is no request.
        if !line.isEmpty { say(answer(try WorkerRequest(parsing: line), perform).message) }
        pending = Array(pending[(end + 1)...])
      }
      guard pending.count <= WorkerRequest.maximumBytes else {
        throw JSONReadingError(
          .limitExceeded, path: [],
          expected: "a request of at most \(WorkerRequest.maximumBytes) bytes", found: "more")
      }
      let count = read(requests, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      pending += buffer[..<count]
    }
  }

  private func answer(
    _ request: WorkerRequest,
    _ perform: (WorkerRequest, CaptureOutput?) -> VerbOutcome
  ) -> WorkerAnswer {
    ProcessUse.forgetPeak()
    let start = (ContinuousClock.now, ProcessUse())
    let path = request.path
    let bytes = CaptureIdentity(path: path)?.bytes
    var digest: String?
    var result: WorkerAnswer.Result?
    var code = 0
    if let unless = request.unless {
      digest = CaptureIdentity.digest(path: path)
      if digest == unless { result = .unchanged }
    }
    if result == nil {
      let outcome = Self.outcome(of: request, perform)
      code = outcome.code
      if let image = request.thumbnail { Self.writeImage(of: path, to: image) }
      // Analyses of a file digest it themselves.
      digest = outcome.document["sha256"]?.string ?? digest ?? CaptureIdentity.digest(path: path)
      result =
        request.isPacked
        ? .packed(
          PackedResult(outcome.document, code: code, path: path, bytes: bytes, sha256: digest))
        : .document(outcome.document)
    }
    let end = ProcessUse()
    let elapsed = (ContinuousClock.now - start.0).components
    return WorkerAnswer(
      id: request.id, code: code,
      seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18,
      processorSeconds: end.processorSeconds - start.1.processorSeconds,
      peakBytes: end.peakBytes, bytes: bytes, sha256: digest, result: result ?? .unchanged)
  }

  /// Writes a small image, or removes an older one where there can be none; its failure is not the capture's.
  private static func writeImage(of path: String, to image: String) {
    guard let jpeg = try? CaptureThumbnail().jpeg(ofCaptureAt: path) else {
      try? FileOperations.system.remove(image)
      return
    }
    // Beside each other by thousands: a hidden file and not a folder, which would have the folder listed.
    let hidden =
      "\(image).\(String(UInt32.random(in: .min ... .max), radix: 16))"
      + CaptureOutput.partialEnding
    do throws(SystemFailure) {
      let file = try FileOperations.system.create(hidden)
      var failure: SystemFailure?
      do throws(SystemFailure) { try FileOperations.system.writeAll(jpeg[...], to: file) } catch {
        failure = error
      }
      try FileOperations.system.close(file)
      if let failure { throw failure }
      try FileOperations.system.replace(hidden, image)
    } catch { try? FileOperations.system.remove(hidden) }
  }

  /// Runs the verb, and gives what it wrote its name.
  private static func outcome(
    of request: WorkerRequest, _ perform: (WorkerRequest, CaptureOutput?) -> VerbOutcome
  ) -> VerbOutcome {
    guard let output = request.output.map({ CaptureOutput(path: $0) }) else {
      return perform(request, nil)
    }
    do throws(OutputError) {
      try output.begin()
      var outcome = perform(request, output)
      outcome.document = output.renaming(outcome.document)
      try output.finish(isGood: outcome.code <= 1)
      return outcome
    } catch {
      let document = ErrorDocument(error, file: request.path)
      return VerbOutcome(code: document.code, document: document.json)
    }
  }

  private func say(_ message: [UInt8]) {
    var rest = message[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(answers, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // The answers are not read any more.
      guard count > 0 else { _exit(74) }
      rest = rest.dropFirst(count)
    }
  }

  /// Starts a thread that ends the process when the other end of the answers is closed.
  private func endWithReader() {
    let answers = answers
    DispatchQueue(label: "reader").async {
      var ends = [pollfd(fd: answers, events: 0, revents: 0)]
      while poll(&ends, 1, -1) < 0 {}
      // What is being written stays under a hidden name, which the next run removes.
      kill(getpid(), SIGKILL)
    }
  }
}
