import PlumblineIO
import PlumblineInference

/// One request for a file or a part of it, made by `curl` in a process of its own.
///
/// An address with HTTPS is never left for one without, whatever a server answers.
struct AddressRequest: Sendable {
  /// Why a request gave nothing.
  enum Failure: Error, Sendable, Hashable {
    /// The part begins behind the end of the file (HTTP 416).
    case behindEnd
    /// The server sends more than was asked for, as one does that knows no parts.
    case tooMuch
    /// Anything else, in words.
    case other(String)

    /// The reason in words.
    var words: String {
      switch self {
      case .behindEnd: "the server has fewer bytes"
      case .tooMuch: "the server sends more bytes than were asked for"
      case .other(let words): words
      }
    }
  }

  /// The address, which ``ModelSource/isAddress(_:)`` accepts.
  let address: String
  /// The bytes that are wanted; `nil` for the whole file.
  var part: Range<Int>?
  /// The most bytes that are taken.
  let byteLimit: Int
  /// The maximum time in seconds.
  let seconds: Int
  /// A server that gives fewer than 1000 bytes a second for so many seconds is left.
  let stallSeconds: Int
  /// Certificates and proxy.
  var settings = DownloadSettings()

  /// The bytes, and whether they are a part rather than the whole file.
  ///
  /// Blocks for at most ``seconds``.
  func response() throws(Failure) -> (bytes: [UInt8], isPart: Bool) {
    let isSecure = address.hasPrefix("https://")
    // The settings go in by standard input, as a configuration: others can read arguments.
    var lines = [
      "fail", "silent", "show-error", "location", "max-redirs = 5",
      "proto = \"\(isSecure ? "=https" : "=http")\"", "proto-redir = \"=https\"",
      "connect-timeout = \(min(30, max(1, seconds)))", "speed-limit = 1000",
      "speed-time = \(stallSeconds)", "write-out = \"%{http_code}\"", "url = \"\(address)\"",
    ]
    lines += settings.lines
    if let part { lines.append("range = \"\(part.lowerBound)-\(part.upperBound - 1)\"") }
    let answer: ProgramAnswer
    do throws(ProgramFailure) {
      answer = try ProgramAnswer(
        of: "curl", ["-K", "-"], input: Array((lines.joined(separator: "\n") + "\n").utf8),
        seconds: seconds, byteLimit: byteLimit + 3)
    } catch {
      if case .tooMuch = error { throw .tooMuch }
      if case .ended(_, _, let message) = error, message.hasSuffix("error: 416") {
        throw .behindEnd
      }
      throw .other(error.detail)
    }
    // The code of the response follows its bytes.
    let code = String(decoding: answer.bytes.suffix(3), as: UTF8.self)
    let bytes = Array(answer.bytes.dropLast(3))
    guard code == "200" || code == "206" else {
      throw .other("the server answered with HTTP \(printable(text: code))")
    }
    return (bytes, code == "206")
  }
}
