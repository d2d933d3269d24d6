import PlumblineImages
/// Writes the index of the images in one JPEG file, whole or damaged.
public struct MultiPictureIndexWriter: Sendable {
  /// The faults that an index can have.
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

  /// The fault that the index gets.
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
    let count = imageSizes + (fault == .oneImageTooMany ? [1000] : [])
    var index = MultiPictureIndex(primarySize: primarySize, imageSizes: count)
    for number in index.entries.indices {
      let isPrimary = number == 0
      switch fault {
      case .none, .missing, .oneImageTooMany: break
      case .shortPrimary: if isPrimary { index.entries[number].length -= 4096 }
      case .zeroLengths: index.entries[number].length = 0
      case .shiftedOffsets: if !isPrimary { index.entries[number].fileOffset += 1000 }
      case .offsetsBeyondEnd: if !isPrimary { index.entries[number].fileOffset += 0x4000_0000 }
      }
    }
    return index.segment(at: position)
  }
}
