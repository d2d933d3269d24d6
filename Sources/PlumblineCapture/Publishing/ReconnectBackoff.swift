/// How long to wait before the next attempt to connect: twice as long each time up to a bound, a random
/// part of it taken off, so that many cameras do not come back at once.
///
/// - Source: exponential backoff with "equal jitter", AWS Architecture Blog, *Exponential Backoff And
///   Jitter* (2015).
public struct ReconnectBackoff: Hashable, Sendable {
  /// The wait after the first failure, before the random part is taken off, in seconds.
  public var firstSeconds = 0.5
  /// The longest wait in seconds; a server keeps a session for 30 s, so that several attempts lie within.
  public var longestSeconds = 8.0
  private var failures = 0

  /// Creates one that has not failed yet.
  public init() {}

  /// The wait after one more failure, in seconds: between half of the bound of this attempt and all of
  /// it.
  public mutating func nextSeconds(using generator: inout some RandomNumberGenerator) -> Double {
    // Beyond 2³⁰ every bound is reached.
    let doubled = firstSeconds * Double(1 << min(failures, 30))
    failures += 1
    let bound = max(min(doubled, longestSeconds), 0)
    return bound * Double.random(in: 0.5...1, using: &generator)
  }

  /// Starts again after a success.
  public mutating func reset() { failures = 0 }
}
