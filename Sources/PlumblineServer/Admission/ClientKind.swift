/// What a client is, as the list of who is connected calls it.
public enum ClientKind: String, Sendable {
  /// A page that watches a live stream.
  case viewer
  /// A camera that sends its captures.
  case publisher
  /// Anything else that holds the token, or talks by a WebSocket of its own.
  case program
  /// A page that is looked at, by single requests.
  case browser
}
