/// Bytes that are read on demand: a file on the disk, an entry of an archive, or memory.
///
/// A recording of many gigabytes can be read without loading all of it.
public protocol ByteSource: Sendable {
  /// The number of bytes.
  var byteCount: Int { get }

  /// Reads a range of the bytes.
  ///
  /// - Precondition: The range lies within `0..<byteCount`, and its bytes fit into memory.
  /// - Throws: `.missing` when the bytes cannot be read, for example when the file became shorter.
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
