/// What a reader may spend on one JSON text; each limit is checked before memory is taken.
public struct JSONLimits: Hashable, Sendable {
  /// Bytes of the text; a depth map of 640 × 480 printed one number a line has 10 million.
  public var bytes = 64 << 20
  /// Values of all kinds, apart from number rows; 1,000 recorded frames have 120,000.
  ///
  /// Two bytes can make a value, and each costs some 50 bytes of memory.
  public var values = 2_000_000
  /// Nesting of arrays and objects; recordings need four, calibration files five.
  public var depth = 32
  /// Bytes of one string or key, escapes included; names and notes have a few hundred.
  public var stringBytes = 64 << 10

  /// The default limits.
  public init() {}
}
