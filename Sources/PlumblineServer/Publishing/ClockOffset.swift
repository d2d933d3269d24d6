/// The offset of a sender's clock from this machine's.
///
/// Both times of an exchange are this machine's; the answer lies somewhere between them. The middle is
/// believed, off by half the round trip at most, and of the last 16 exchanges the fastest, which can be
/// off the least.
///
/// - Source: RFC 5905 (NTP), 8 and 10: offset and delay, and a clock filter that takes the sample of
///   least delay.
struct ClockOffset: Sendable {
  private static let exchangeCount = 16

  private var exchanges: [(offsetSeconds: Double, plusMinusSeconds: Double)] = []

  /// Takes an exchange; times that make no sense are ignored.
  mutating func add(sentAt: Double, answeredAt: Double, clientSeconds: Double) {
    let trip = answeredAt - sentAt
    let offset = sentAt + trip / 2 - clientSeconds
    guard trip >= 0, offset.isFinite, trip.isFinite else { return }
    exchanges.append((offset, trip / 2))
    exchanges = exchanges.suffix(Self.exchangeCount)
  }

  /// What has to be added to the sender's clock, and by how much that may be off; `nil` before the
  /// first exchange.
  var best: (offsetSeconds: Double, plusMinusSeconds: Double)? {
    exchanges.min { $0.plusMinusSeconds < $1.plusMinusSeconds }
  }
}
