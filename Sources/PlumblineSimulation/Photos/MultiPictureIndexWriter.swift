/// Writes the index of the images in one JPEG file, whole or damaged.
///
/// - Source: CIPA DC-007-2009, *Multi-Picture Format*, sections 5.2.2 and 5.2.3; the primary's
///   attribute 0x00030000 and the big-endian order are those of Apple's files.
public struct MultiPictureIndexWriter: Sendable {
  /// What is wrong with the index.
  public enum Fault: Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// There is no index at all.
    case missing
    /// The primary's length is 4,096 bytes too short, as editors leave it.
    case shortPrimary
    /// All lengths are 0.
    case zeroLengths
    /// All offsets point 1,000 bytes too far.
    case shiftedOffsets
    /// Offsets lie beyond the end of the file.
    case offsetsBeyondEnd
    /// It says that there is one more image than there is.
    case oneImageTooMany
  }

  /// What is wrong.
  public var fault: Fault

  /// Creates a writer.
  public init(fault: Fault = .none) { self.fault = fault }

  /// The APP2 segment, marker included.
  ///
  /// - Parameters:
  ///   - imageSizes: The bytes of each auxiliary image, in file order.
  ///   - primarySize: The bytes of the primary image, this segment included.
  ///   - position: The file offset at which the segment will stand.
  /// - Returns: Its bytes; their number does not depend on the sizes.
  func segment(imageSizes: [Int], primarySize: Int, at position: Int) -> [UInt8] {
    // Offsets count from the byte-order mark: after the marker, the length and "MPF\0".
    let origin = position + 8
    var entries = entry(attribute: 0x0003_0000, size: primarySize, offset: 0, isPrimary: true)
    var start = primarySize
    for size in imageSizes + (fault == .oneImageTooMany ? [1000] : []) {
      entries += entry(attribute: 0, size: size, offset: start - origin, isPrimary: false)
      start += size
    }
    let builder = TIFFBuilder(entries: [
      0xB000: .undefined(Array("0100".utf8)),
      0xB001: .long([UInt32(entries.count / 16)]),
      0xB002: .undefined(entries),
    ])
    return JPEGSegments.segment(0xE2, Array("MPF\0".utf8) + builder.bytes)
  }

  /// The index that Apple puts into each auxiliary image: a version and a count, no entries.
  static var auxiliarySegment: [UInt8] {
    let builder = TIFFBuilder(entries: [
      0xB000: .undefined(Array("0100".utf8)), 0xB001: .long([1]),
    ])
    return JPEGSegments.segment(0xE2, Array("MPF\0".utf8) + builder.bytes)
  }

  private func entry(attribute: UInt32, size: Int, offset: Int, isPrimary: Bool) -> [UInt8] {
    var size = size
    var offset = offset
    switch fault {
    case .none, .missing, .oneImageTooMany: break
    case .shortPrimary: if isPrimary { size -= 4096 }
    case .zeroLengths: size = 0
    case .shiftedOffsets: if !isPrimary { offset += 1000 }
    case .offsetsBeyondEnd: if !isPrimary { offset += 0x4000_0000 }
    }
    return bigEndian(attribute) + bigEndian(UInt32(clamping: size))
      + bigEndian(UInt32(clamping: offset)) + [0, 0, 0, 0]
  }
}
