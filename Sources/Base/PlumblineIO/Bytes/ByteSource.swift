/// Bytes that are read where they are needed: a file on the disk, an entry of an archive, memory.
///
/// It lets recordings of many gigabytes be read without ever being loaded whole.
public protocol ByteSource: Sendable {
  /// The number of bytes.
  var byteCount: Int { get }

  /// Some of the bytes.
  ///
  /// - Precondition: The range lies within `0..<byteCount`, and is short enough to be held.
  /// - Throws: `.missing` when they cannot be read, such as from a file that became shorter.
  func bytes(in range: Range<Int>) throws(CaptureReadingError) -> [UInt8]
}

/// Bytes in memory as a source.
package struct MemoryBytes: ByteSource {
  private let bytes: [UInt8]

  /// Wraps bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes.
  package var byteCount: Int { bytes.count }

  /// A copy of some of the bytes.
  package func bytes(in range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}
