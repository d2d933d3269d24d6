/// What a server shows: answers to a viewer's requests, such as a photo, a folder or a recording.
public protocol ViewContent: Sendable {
  /// Answers one request; called from several tasks at a time.
  ///
  /// What cannot be read is an answer too, with a status that says so.
  func answer(to request: ViewRequest) async -> ViewAnswer
}

/// The answer to one request, as it goes out by HTTP.
public struct ViewAnswer: Hashable, Sendable {
  /// The HTTP status, such as 200.
  public var status: Int
  /// The media type, such as `application/json`.
  public var mediaType: String
  /// The body.
  public var bytes: [UInt8]
  /// Whether it is an HTML page that is complete in itself: a browser runs its own scripts, which reach
  /// neither the server nor the viewer around it.
  public var isSelfContainedPage: Bool
  /// The word by which the policy of such a page names its one script, such as `sha256-…`; no script
  /// runs without it.
  public var scriptPolicyWord: String?

  /// Creates an answer.
  public init(
    status: Int = 200, mediaType: String, bytes: [UInt8], isSelfContainedPage: Bool = false,
    scriptPolicyWord: String? = nil
  ) {
    self.status = status
    self.mediaType = mediaType
    self.bytes = bytes
    self.isSelfContainedPage = isSelfContainedPage
    self.scriptPolicyWord = scriptPolicyWord
  }
}
