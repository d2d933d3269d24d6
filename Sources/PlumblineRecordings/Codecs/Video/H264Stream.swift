/// A bare H.264 stream cut into images as MP4 holds them.
///
/// - Source: ITU-T H.264 §7.3.1, 7.4.1 and Annex B; ISO/IEC 14496-15 §5.3.
struct H264Stream {
  /// A sequence and a picture parameter set, without start codes.
  struct ParameterSets: Sendable, Hashable {
    var sequence: [UInt8] = []
    var image: [UInt8] = []

    /// The payload of `avcC`, with lengths of four bytes.
    var configuration: [UInt8] {
      let head: [UInt8] = [1, sequence[1], sequence[2], sequence[3], 0xFF, 0xE1]
      return head + MP4VideoIndex.number(sequence.count, 2) + sequence + [1]
        + MP4VideoIndex.number(image.count, 2) + image
    }
  }

  private(set) var parameterSets = ParameterSets()
  /// Each image's units behind lengths of four bytes, and whether it is an IDR image.
  private(set) var images: [(bytes: [UInt8], isSync: Bool)] = []

  /// Cuts a stream in which an access unit delimiter begins each image.
  ///
  /// - Returns: `nil` for a stream without parameter sets, or with units before the first delimiter.
  init?(_ stream: [UInt8]) {
    for unit in Self.units(stream) {
      guard let first = stream[unit].first else { continue }
      switch first & 0x1F {
      case 9: images.append(([], false))
      case 7: parameterSets.sequence = Array(stream[unit])
      case 8: parameterSets.image = Array(stream[unit])
      case let type:
        guard let last = images.indices.last else { return nil }
        images[last].bytes += MP4VideoIndex.number(unit.count, 4) + stream[unit]
        if type == 5 { images[last].isSync = true }
      }
    }
    guard parameterSets.sequence.count > 3, !parameterSets.image.isEmpty else { return nil }
  }

  /// The units between start codes, zero bytes before a start code left out; O(*n*).
  private static func units(_ stream: [UInt8]) -> [Range<Int>] {
    var starts: [Int] = []
    var index = 2
    stream.withUnsafeBufferPointer { bytes in
      while index < bytes.count {
        if bytes[index] > 1 {
          index += 3
        } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
          starts.append(index + 1)
          index += 3
        } else {
          index += 1
        }
      }
    }
    return starts.enumerated().map { place, start in
      var end = place + 1 < starts.count ? starts[place + 1] - 3 : stream.count
      while end > start, stream[end - 1] == 0 { end -= 1 }
      return start..<end
    }
  }
}
