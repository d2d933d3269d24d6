import PlumblineIO
import PlumblineInference

/// One request for a file or a part of it, made by `curl` in a process of its own.
///
/// An address with HTTPS is never left for one without, whatever a server answers.
struct AddressRequest: Sendable {
  /// Why a request gave nothing, or not all.
  enum Failure: Error, Sendable, Hashable {
    /// The part begins behind the end of the file (HTTP 416).
    case behindEnd
    /// The server has another file, such as one of another size; asking again gives the same.
    case otherFile(String)
    /// Anything else, in words.
    case other(String)

    /// The reason in words.
    var words: String {
      switch self {
      case .behindEnd: "the server has fewer bytes"
      case .otherFile(let words), .other(let words): words
      }
    }
  }

  /// The address, which ``ModelSource/isAddress(_:)`` accepts.
  let address: String
  /// The bytes that are wanted; `nil` for the whole file.
  var part: Range<Int>?
  /// The maximum time in seconds.
  let seconds: Int
  /// A server that gives fewer than 1000 bytes a second for so many seconds is left.
  let stallSeconds: Int
  /// Certificates and proxy.
  var settings = DownloadSettings()

  /// The most bytes of the headers of a response and of those of the redirections before it.
  private static let headBytes = 64 << 10

  /// Asks, and hands the bytes on as they come, so that no more than one piece is in memory.
  ///
  /// Blocks for at most twice ``seconds``.
  ///
  /// - Parameters:
  ///   - pieceBytes: The bytes of each piece but the last.
  ///   - begin: Receives what the server says of the bytes before they come; what it throws ends the request.
  ///   - receive: Receives a piece; what it throws ends the request.
  /// - Throws: A failure in words. The last piece is handed on only where the server ended well.
  func fetch(
    pieceBytes: Int, begin: (ResponseHead) throws(Failure) -> Void,
    receive: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let limits = ProgramLimits(
      answerSeconds: seconds, processorSeconds: seconds, memoryMegabytes: 1024)
    let running: RunningProgram
    do throws(ProgramFailure) {
      running = try RunningProgram(ProgramFile(named: "curl"), ["-K", "-"], limits: limits)
    } catch { throw Self.failure(error) }
    var input: [UInt8]? = configuration
    /// Fewer bytes than wanted mean the end.
    func read(_ count: Int) throws(Failure) -> [UInt8] {
      do throws(RunningProgram.Interruption) {
        return try running.read(count) { () throws(CaptureReadingError) -> [UInt8]? in
          defer { input = nil }
          return input
        }
      } catch {
        switch error {
        case .program(let failure): throw Self.failure(failure)
        // Nothing is read from a capture here.
        case .reading: throw Self.failure(running.earlyEnd())
        }
      }
    }
    var bytes = try read(Self.headBytes)
    var isEnd = bytes.count < Self.headBytes
    guard let (head, count) = ResponseHead.parsed(bytes) else {
      if isEnd, let failure = running.failure() { throw Self.failure(failure) }
      throw .other("the server's answer is not HTTP")
    }
    if isEnd, let failure = running.failure() { throw Self.failure(failure) }
    guard head.code == 200 || head.code == 206 else {
      throw .other("the server answered with HTTP \(head.code)")
    }
    try begin(head)
    bytes.removeFirst(count)
    while !isEnd || !bytes.isEmpty {
      if !isEnd, bytes.count < pieceBytes {
        let missing = pieceBytes - bytes.count
        let more = try read(missing)
        bytes += more
        if more.count < missing {
          isEnd = true
          if let failure = running.failure() { throw Self.failure(failure) }
        }
      }
      guard bytes.count > pieceBytes else {
        if !bytes.isEmpty { try receive(bytes) }
        bytes = []
        continue
      }
      try receive(Array(bytes.prefix(pieceBytes)))
      bytes.removeFirst(pieceBytes)
    }
  }

  /// The settings, which go in by standard input: others can read arguments.
  private var configuration: [UInt8] {
    let isSecure = address.hasPrefix("https://")
    var lines = [
      "fail", "silent", "show-error", "location", "max-redirs = 5", "suppress-connect-headers",
      "proto = \"\(isSecure ? "=https" : "=http")\"", "proto-redir = \"=https\"",
      "connect-timeout = \(min(30, max(1, seconds)))", "speed-limit = 1000",
      "speed-time = \(stallSeconds)", "max-time = \(max(1, seconds))", "dump-header = \"-\"",
      "url = \"\(address)\"",
    ]
    lines += settings.lines
    if let part { lines.append("range = \"\(part.lowerBound)-\(part.upperBound - 1)\"") }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// A failure of the program in words: `curl`'s own where it has some, without its name and number.
  private static func failure(_ failure: ProgramFailure) -> Failure {
    guard case .ended(_, _, let message) = failure, !message.isEmpty else {
      return .other(failure.detail)
    }
    if message.hasSuffix("error: 416") { return .behindEnd }
    guard message.hasPrefix("curl: ("), let end = message.firstIndex(of: ")") else {
      return .other(message)
    }
    return .other(String(message[message.index(after: end)...].drop { $0 == " " }))
  }
}

/// What a server says of the bytes that it sends.
struct ResponseHead: Sendable, Hashable {
  /// The status, such as 200 for a whole file and 206 for a part.
  var code: Int
  /// The first byte of a part; `nil` for a whole file and where it is not said.
  var first: Int?
  /// The bytes of the whole file; `nil` where they are not said.
  var fileBytes: Int?

  /// Whether a part comes rather than the whole file.
  var isPart: Bool { code == 206 }

  /// Reads the headers before a body, and those of redirections before them.
  ///
  /// - Source: RFC 9112, section 2.1; RFC 9110, section 14.4 for `Content-Range`.
  /// - Returns: The last head, and how many bytes all have; `nil` for anything else.
  static func parsed(_ bytes: [UInt8]) -> (head: ResponseHead, byteCount: Int)? {
    var start = 0
    while bytes[start...].starts(with: Array("HTTP/".utf8)) {
      guard let end = Self.end(of: bytes, from: start) else { return nil }
      let lines = String(decoding: bytes[start..<end], as: UTF8.self)
        .split(whereSeparator: \.isNewline)
      guard let head = ResponseHead(lines) else { return nil }
      start = end
      if !(100..<200).contains(head.code), !(300..<400).contains(head.code) { return (head, end) }
    }
    return nil
  }

  /// The index behind the empty line that ends a head.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard bytes.count - start >= mark.count else { return nil }
    for index in start...(bytes.count - mark.count)
    where bytes[index..<(index + mark.count)].elementsEqual(mark) {
      return index + mark.count
    }
    return nil
  }

  private init?(_ lines: [Substring]) {
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let code = Int(words[1]) else { return nil }
    self.code = code
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      switch line[..<colon].lowercased() {
      case "content-length" where code == 200: fileBytes = Int(value)
      case "content-range" where code == 206:
        // As in `bytes 0-99/1000`, or with * for a total that is not known.
        let parts = value.split { " -/".contains($0) }
        guard parts.count == 4, parts[0] == "bytes" else { continue }
        first = Int(parts[1])
        fileBytes = Int(parts[3])
      default: continue
      }
    }
  }
}
