public import PlumblineFormats

/// Messages that tell their own number, for recordings that end unexpectedly.
public enum RecordedMessages {
  /// Message `number`: 20 bytes to 40 kB that follow from number and seed.
  public static func message(_ number: UInt32, channel: UInt16, seed: UInt64) -> MCAPMessage {
    var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    let count = 20 + Int(generator.next() % 40_000)
    let first = generator.next()
    let data = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      for index in 0..<count {
        buffer[index] = UInt8(truncatingIfNeeded: first &+ UInt64(index) &* 7)
      }
      used = count
    }
    return MCAPMessage(
      channelID: channel, sequence: number, logTime: UInt64(number) * 1_000_000,
      publishTime: UInt64(number) * 1_000_000, data: data[...])
  }
}
