import CZlib

/// The zlib format (RFC 1950), as PNG uses it, coded by the system's zlib.
package enum ZlibStream {
  /// Inflates data of known length.
  ///
  /// - Parameters:
  ///   - chunks: The compressed bytes, in pieces.
  ///   - count: The expected number of bytes; the caller has already checked it against a limit.
  ///   - path: The enclosing structures, for errors.
  /// - Returns: Exactly `count` bytes.
  /// - Throws: `.malformed` when more or fewer bytes are produced, when the checksum fails, or when
  ///   deflate cannot reach `count` (its maximum ratio is 1,032:1), which is checked before
  ///   anything is allocated.
  package static func inflated(
    _ chunks: [ArraySlice<UInt8>], exactly count: Int, path: [String]
  ) throws(CaptureReadingError) -> [UInt8] {
    let compressedCount = chunks.reduce(0) { $0 + $1.count }
    func malformed(_ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, path: path, offset: chunks.first?.startIndex,
        expected: "\(count) bytes of deflated data", found: found)
    }
    guard count / 1_032 <= compressedCount else {
      throw malformed("only \(compressedCount) compressed bytes")
    }
    var stream = z_stream()
    guard
      inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw malformed("no memory") }
    defer { inflateEnd(&stream) }
    var status = Z_OK
    // One byte more than expected reveals data that are too long.
    let bytes = [UInt8](unsafeUninitializedCapacity: count + 1) { output, written in
      for chunk in chunks where status == Z_OK && written <= count {
        chunk.withUnsafeBufferPointer { input in
          stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          stream.avail_in = UInt32(clamping: input.count)
          while status == Z_OK, stream.avail_in > 0, written <= count {
            let space = UInt32(clamping: count + 1 - written)
            stream.next_out = output.baseAddress.map { $0 + written }
            stream.avail_out = space
            status = inflate(&stream, Z_NO_FLUSH)
            written += Int(space - stream.avail_out)
          }
        }
      }
    }
    guard bytes.count == count, status == Z_STREAM_END else {
      let message = stream.msg.map { printable(String(cString: $0).utf8) }
      throw malformed(
        message ?? (bytes.count > count ? "more" : "an end after \(bytes.count) bytes"))
    }
    return bytes
  }

  /// Deflates bytes with a level from 1 (fast) to 9 (small).
  ///
  /// One version of zlib gives the same bytes on every run. O(*n*).
  package static func deflated(_ bytes: [UInt8], level: Int32) -> [UInt8] {
    let capacity = compressBound(UInt(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(capacity)) { output, count in
      var size = capacity
      let status = compress2(output.baseAddress, &size, bytes, UInt(bytes.count), level)
      // With a buffer of `compressBound` bytes only a lack of memory could make it fail.
      precondition(status == Z_OK, "zlib cannot deflate \(bytes.count) bytes: \(status)")
      count = Int(size)
    }
  }

  /// The CRC-32 of bytes in several pieces, as PNG's chunks carry it.
  package static func crc32(_ pieces: ArraySlice<UInt8>...) -> UInt32 {
    var crc: UInt = 0
    for piece in pieces {
      piece.withUnsafeBufferPointer { buffer in
        // zlib would reset the checksum for a null pointer, so empty pieces are skipped.
        guard let start = buffer.baseAddress, buffer.count > 0 else { return }
        crc = crc32_z(crc, start, buffer.count)
      }
    }
    return UInt32(truncatingIfNeeded: crc)
  }

  /// Continues a CRC-32 with the bytes that follow.
  package static func crc32(_ piece: ArraySlice<UInt8>, after checksum: UInt32) -> UInt32 {
    piece.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress, buffer.count > 0 else { return checksum }
      return UInt32(truncatingIfNeeded: crc32_z(UInt(checksum), start, buffer.count))
    }
  }
}

/// The gzip format (RFC 1952), as HTTP's `Content-Encoding` names it.
///
/// Other targets use it for files that a server has ready before any request.
package enum GzipStream {
  /// Packs bytes with a level from 1 (fast) to 9 (small).
  ///
  /// The header holds no name and no time, so one version of zlib gives the same bytes on every
  /// run. O(*n*).
  package static func deflated(_ bytes: [UInt8], level: Int32) -> [UInt8] {
    // Magic number, deflate, no flags, no time, no extra flags, unknown operating system.
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    packed += RawDeflate.deflated(bytes, level: level)
    packed.appendLittleEndian(ZlibStream.crc32(bytes[...]))
    packed.appendLittleEndian(UInt32(truncatingIfNeeded: bytes.count))
    return packed
  }
}
