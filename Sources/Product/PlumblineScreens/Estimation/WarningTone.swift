#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The sound of a warning, as the bytes of a WAV file that a player takes.
///
/// A phone without haptics, such as every iPad, warns by it alone.
public struct WarningTone: Sendable, Hashable {
  /// The pitch in Hz.
  public var hertz = 880.0
  /// The duration in seconds.
  public var seconds = 0.18
  /// The peak as a share of what the format holds, 0 to 1.
  public var level = 0.8

  /// Samples each second.
  public static let sampleRate = 44_100
  /// Each end rises and falls within so many seconds, so that it does not click.
  static let edgeSeconds = 0.01

  /// A tone of 880 Hz for 0.18 s.
  public init() {}

  /// One channel of 16 bits.
  public var wav: [UInt8] {
    let count = Int((seconds * Double(Self.sampleRate)).rounded())
    let edge = Self.edgeSeconds * Double(Self.sampleRate)
    var bytes: [UInt8] = []
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    bytes += Array("RIFF".utf8)
    append(UInt32(36 + 2 * count))
    bytes += Array("WAVEfmt ".utf8)
    append(UInt32(16))
    // PCM, one channel, bytes each second, bytes of a sample, bits of it.
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(Self.sampleRate))
    append(UInt32(2 * Self.sampleRate))
    append(UInt16(2))
    append(UInt16(16))
    bytes += Array("data".utf8)
    append(UInt32(2 * count))
    for index in 0..<count {
      let share = min(1, Double(min(index, count - 1 - index)) / edge)
      let phase = 2 * Double.pi * hertz * Double(index) / Double(Self.sampleRate)
      append(Int16((32767 * level * share * sin(phase)).rounded()))
    }
    return bytes
  }
}
