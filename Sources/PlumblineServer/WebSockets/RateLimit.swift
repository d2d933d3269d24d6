/// Counts what comes against a rate, with a second's worth of burst; a token bucket.
struct RateLimit {
  private let perSecond: Double
  private var room: Double
  private var lastSeconds: Double?

  init(perSecond: Double) {
    self.perSecond = perSecond
    room = perSecond
  }

  /// Takes one at a time in seconds; whether it is within the rate.
  mutating func take(atSeconds seconds: Double) -> Bool {
    if let lastSeconds, seconds > lastSeconds {
      room = min(room + (seconds - lastSeconds) * perSecond, perSecond)
    }
    lastSeconds = seconds
    room -= 1
    return room >= 0
  }

  /// How long to wait until there is room for one more.
  var waitSeconds: Double { room >= 1 ? 0 : (1 - room) / perSecond }
}
