import CKernels

/// The checksum of MCAP; ZIP, PNG and gzip, which have the same, take it from zlib.
///
/// - Source: IEEE 802.3, polynomial 0x04C11DB7, bits reversed, register and result inverted.
package struct CRC32: Sendable, Hashable {
  /// The checksum of the bytes so far; 0 for none.
  package private(set) var value: UInt32 = 0

  /// The checksum of no bytes.
  package init() {}

  /// The checksum of bytes; O(*n*), some bytes in each cycle of the processor.
  package init(of bytes: ArraySlice<UInt8>) { update(bytes) }

  /// Goes on with the bytes that follow.
  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { buffer in
      value = plumbline_crc32(value, buffer.baseAddress, buffer.count)
    }
  }
}
