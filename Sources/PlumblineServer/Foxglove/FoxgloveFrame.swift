/// A frame of a source, identified by numbers that only grow.
struct FoxgloveSourceFrame: Sendable {
  let frame: LiveFrame
  let number: Int
  /// Which source it is of.
  let source: Int
}

/// The messages of a frame, by channel.
struct FoxgloveFrame: Sendable {
  let number: Int
  let source: Int
  /// Nanoseconds of the source's clock.
  var nanoseconds: UInt64 = 0
  /// The channels that were requested; not all have a message.
  var channels: Set<Int> = []
  var payloads: [Int: [UInt8]] = [:]
  /// Why there are none; `nil` where all is well.
  var problem: String?
}
