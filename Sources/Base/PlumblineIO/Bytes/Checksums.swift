import CKernels

/// SHA-256 (FIPS 180-4); every report identifies a file by this digest of its content.
package enum SHA256Digest {
  /// The digest of bytes as 64 lowercase hexadecimal digits; O(*n*).
  package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    Hexadecimal.lowercase(self.bytes(of: bytes))
  }

  /// The digest of bytes as 32 bytes; O(*n*).
  package static func bytes(of bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.withContiguousStorageIfAvailable { digestBytes(of: UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { digestBytes(of: $0) }
  }

  private static func digestBytes(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var context = plb_sha256()
    plb_sha256_begin(&context)
    plb_sha256_update(&context, bytes.baseAddress, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      plb_sha256_finish(&context, buffer.baseAddress)
      count = 32
    }
  }
}

/// The SHA-256 of bytes that come in pieces.
package struct SHA256Stream {
  private var context = plb_sha256()

  /// Begins without bytes.
  package init() { plb_sha256_begin(&context) }

  /// Adds the bytes that follow; O(*n*).
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    plb_sha256_update(&context, bytes.baseAddress, bytes.count)
  }

  /// The digest of all bytes as 64 lowercase hexadecimal digits; nothing can be added then.
  package mutating func finish() -> String {
    let digest = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      plb_sha256_finish(&context, buffer.baseAddress)
      count = 32
    }
    return Hexadecimal.lowercase(digest)
  }
}

/// MD5 (RFC 1321), by which XMP identifies split packets; it is not used for security.
package enum MD5Digest {
  /// The digest of bytes as 32 uppercase hexadecimal digits, as XMP writes it; O(*n*).
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    Hexadecimal.uppercase(digest(of: bytes))
  }

  private static func digest(of bytes: [UInt8]) -> [UInt8] {
    var context = plb_md5()
    plb_md5_begin(&context)
    plb_md5_update(&context, bytes, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      plb_md5_finish(&context, buffer.baseAddress)
      count = 16
    }
  }
}

/// The CRC-32 of MCAP; ZIP, PNG and gzip use the same checksum, but from zlib.
///
/// - Source: IEEE 802.3, polynomial 0x04C11DB7, bits reversed, register and result inverted.
package struct CRC32: Sendable, Hashable {
  /// The checksum of the bytes so far; 0 for none.
  package private(set) var value: UInt32 = 0

  /// The checksum of no bytes.
  package init() {}

  /// The checksum of bytes; O(*n*), some bytes in each cycle of the processor.
  package init(of bytes: ArraySlice<UInt8>) { update(bytes) }

  /// Updates the checksum with the bytes that follow.
  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { buffer in
      value = plumbline_crc32(value, buffer.baseAddress, buffer.count)
    }
  }
}

/// The CRC-32C of the pages of an E57 file.
///
/// - Source: G. Castagnoli et al., *Optimization of cyclic redundancy-check codes with 24 and 32
///   parity bits*, 1993; RFC 3720, 12.1: polynomial 0x1EDC6F41, bits reversed, register and result
///   inverted.
package enum CRC32C {
  /// The checksum of bytes; 0 for none; O(*n*).
  package static func value(of bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { plumbline_crc32c(0, $0.baseAddress, $0.count) }
  }
}
