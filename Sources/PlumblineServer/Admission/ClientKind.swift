/// The kind of a client, as the list of connected clients names it.
public enum ClientKind: String, Sendable {
  /// A page that watches a live stream.
  case viewer
  /// A camera that sends its captures.
  case publisher
  /// Anything else that holds the token, or talks by a WebSocket of its own.
  case program
  /// A page that is viewed, by single requests.
  case browser
}
