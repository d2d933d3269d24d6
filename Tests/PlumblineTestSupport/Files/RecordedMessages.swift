package import PlumblineStreams
/// Messages that tell their own number, for recordings that end unexpectedly.
package enum RecordedMessages {
  /// Message `number`: 20 bytes to 40 kB that follow from number and seed.
  package static func message(_ number: UInt32, channel: UInt16, seed: UInt64) -> MCAPMessage {
    var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    let count = 20 + Int(generator.next() % 40_000)
    // One byte repeated: quick to make in a debug build, and another one for each number.
    let data = [UInt8](repeating: UInt8(truncatingIfNeeded: generator.next()), count: count)
    return MCAPMessage(
      channelID: channel, sequence: number, logTime: UInt64(number) * 1_000_000,
      publishTime: UInt64(number) * 1_000_000, data: data[...])
  }
}
