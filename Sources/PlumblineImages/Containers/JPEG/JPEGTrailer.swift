/// Data behind the last image of a JPEG file, named where its maker is known.
public struct JPEGTrailer: Sendable, Hashable {
  /// The known kinds of trailing data.
  public enum Kind: String, Sendable, CaseIterable {
    /// Nothing but zero bytes.
    case zeros = "zero bytes"
    /// Samsung's list of extra data, which may hold a depth map in its own format.
    case samsung = "Samsung trailer (SEFT)"
    /// Huawei's extended depth-of-field data.
    case huawei = "Huawei trailer (edof)"
    /// Xiaomi's portrait data.
    case xiaomi = "Xiaomi trailer (PMPD)"
    /// A video in an ISO base-media container, as motion photos append it.
    case movie = "ISO base-media movie"
    /// Something else.
    case unknown = "unknown data"
  }

  /// The kind of data.
  public var kind: Kind
  /// The position of the data in the file.
  public var range: Range<Int>

  /// Names the bytes behind the last image.
  ///
  /// - Returns: `nil` when there are none. O(*n*).
  ///
  /// Source of the signatures: the layouts that phones write, as ExifTool documents them. None of
  /// these formats is read, only named.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    range = bytes.startIndex..<bytes.endIndex
    if bytes.allSatisfy({ $0 == 0 }) {
      kind = .zeros
    } else if bytes.suffix(4).elementsEqual("SEFT".utf8) {
      kind = .samsung
    } else if Self.contains("edof", bytes) {
      kind = .huawei
    } else if Self.contains("PMPD", bytes) {
      kind = .xiaomi
    } else if bytes.dropFirst(4).prefix(4).elementsEqual("ftyp".utf8) {
      kind = .movie
    } else {
      kind = .unknown
    }
  }

  /// The note that a reader makes of the data.
  package var note: ContainerNote {
    ContainerNote(
      kind == .zeros ? .trailingZeros : .trailer,
      "\(range.count) bytes follow the last image: \(kind.rawValue)", offset: range.lowerBound)
  }

  private static func contains(_ name: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    var wanted: UInt32 = 0
    for byte in name.utf8.prefix(4) { wanted = wanted << 8 | UInt32(byte) }
    var window: UInt32 = 0
    for byte in bytes {
      window = window << 8 | UInt32(byte)
      if window == wanted { return true }
    }
    return false
  }
}
