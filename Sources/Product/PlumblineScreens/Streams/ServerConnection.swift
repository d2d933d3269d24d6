public import PlumblineCapture

/// Where a stream is sent, whether it is wanted, and what a person has to decide: the state of the part
/// of a screen that sends frames to a computer.
public struct ServerConnection: Sendable {
  /// The link as it was typed or scanned.
  public var linkText = ""
  /// Whether the camera's image is searched for the code of a link.
  public var isScanning = false
  /// The server that is wanted; `nil` for none.
  public private(set) var link: StreamLink?
  /// A server whose certificate the system does not trust, until a person has compared its fingerprint.
  public private(set) var untrusted: StreamLink?
  /// How the stream is; `nil` before the first.
  public private(set) var status: PublishingStatus?
  /// What went wrong, or what was sent in the end; `nil` for neither.
  public private(set) var message: String?

  /// Starts without a link.
  public init() {}

  /// Whether frames are to be sent.
  public var isWanted: Bool { link != nil }

  /// Whether the text could be a link, so that the button is of use.
  public var canStart: Bool { linkText.contains { !$0.isWhitespace } }

  /// Sends to the link in ``linkText``; a text that is no link leaves everything but the message.
  public mutating func start() {
    do throws(StreamLinkError) {
      (link, message, untrusted) = (try StreamLink(linkText), nil, nil)
      isScanning = false
    } catch { message = Self.sentence(error.description) }
  }

  /// Sends to the link of a code that the camera saw; a code that is no link is said, and the search
  /// goes on.
  public mutating func start(code: String) {
    guard isScanning else { return }
    linkText = code
    start()
  }

  /// A person has compared the fingerprint with the one in the link that the server printed.
  public mutating func trustFingerprint() {
    guard let untrusted else { return }
    (link, message, self.untrusted) = (untrusted, nil, nil)
  }

  /// A person ends the stream.
  public mutating func stop() { link = nil }

  /// The stream reports how it is.
  public mutating func take(_ status: PublishingStatus) { self.status = status }

  /// A stream has ended.
  ///
  /// Where it cannot go on, it is no longer wanted, unless another link was chosen meanwhile.
  ///
  /// - Parameters:
  ///   - ending: Why.
  ///   - summary: The same in words, with what was sent.
  ///   - link: The link that it was sent to.
  public mutating func finish(
    _ ending: PublishingOutcome.Ending, summary: String, of link: StreamLink
  ) {
    message = Self.sentence(summary)
    guard case .failed(let failure) = ending, self.link == link else { return }
    self.link = nil
    if case .connection(.untrusted(let fingerprint)) = failure {
      var asked = link
      asked.fingerprint = fingerprint
      untrusted = asked
    }
  }

  /// What a person compares before trusting a certificate; `nil` where there is nothing to compare.
  public var question: String? {
    guard let untrusted, let fingerprint = untrusted.fingerprint else { return nil }
    return
      "\(untrusted.host) shows a certificate that the system does not trust. Compare its fingerprint with "
      + "the one that the computer shows: \(fingerprint)"
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }
}
