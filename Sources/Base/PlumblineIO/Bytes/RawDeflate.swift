import CZlib

/// Raw deflate data (RFC 1951), as ZIP stores it, coded by the system's zlib.
package enum RawDeflate {
  /// The result of inflating a stream.
  package struct Outcome {
    /// The number of compressed bytes that were consumed.
    package var consumed = 0
    /// The number of bytes that were produced.
    package var produced = 0
    /// Whether the end of the deflate stream was reached.
    package var hasEnded = false
    /// The error text of zlib.
    package var fault: String?
  }

  /// Inflates data that arrive in pieces, until they end or `limit` bytes are produced.
  ///
  /// - Parameters:
  ///   - limit: Inflating stops after this many bytes.
  ///   - nextPiece: Returns the next compressed bytes, or none when there are no more.
  ///   - output: Receives the inflated bytes, at most 64 kB at a time.
  /// - Returns: The counts of consumed and produced bytes, and how inflating ended.
  /// - Throws: Errors of `nextPiece`; an error of zlib is in ``Outcome/fault`` instead.
  package static func inflate(
    limit: Int, nextPiece: () throws(CaptureReadingError) -> ArraySlice<UInt8>,
    output: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(CaptureReadingError) -> Outcome {
    // zlib remembers the position of this structure, so it must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
    defer {
      buffer.deallocate()
      stream.deinitialize(count: 1)
      stream.deallocate()
    }
    var outcome = Outcome()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else {
      outcome.fault = "no memory"
      return outcome
    }
    defer { inflateEnd(stream) }
    while outcome.fault == nil, !outcome.hasEnded, outcome.produced < limit {
      let piece = try nextPiece()
      if piece.isEmpty { return outcome }
      piece.withUnsafeBufferPointer { input in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        var isStuck = false
        while !isStuck, outcome.fault == nil, !outcome.hasEnded, outcome.produced < limit {
          let space = min(buffer.count, limit - outcome.produced)
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(space)
          let before = stream.pointee.avail_in
          let status = CZlib.inflate(stream, Z_NO_FLUSH)
          let made = space - Int(stream.pointee.avail_out)
          outcome.consumed += Int(before - stream.pointee.avail_in)
          outcome.produced += made
          output(UnsafeBufferPointer(rebasing: buffer[..<made]))
          switch status {
          case Z_STREAM_END: outcome.hasEnded = true
          // With nothing left to read and room to write, the next piece must come.
          case Z_OK, Z_BUF_ERROR: isStuck = stream.pointee.avail_in == 0 && made < space
          default:
            outcome.fault =
              stream.pointee.msg.map { printable(String(cString: $0).utf8) }
              ?? "zlib's error \(status)"
          }
        }
      }
    }
    return outcome
  }

  /// Inflates data of known length; the caller has already checked the length against a limit.
  ///
  /// - Throws: `.malformed` when more or fewer bytes are produced, or when deflate cannot reach
  ///   `count` (its maximum ratio is 1,032:1), which is checked before anything is allocated.
  package static func inflated(
    _ bytes: ArraySlice<UInt8>, exactly count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    func malformed(_ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, expected: "\(count) bytes of deflated data", found: found)
    }
    guard count / 1_032 <= bytes.count else {
      throw malformed("only \(bytes.count) compressed bytes")
    }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var rest = bytes
    // One byte more than expected reveals data that are too long.
    let outcome = try inflate(limit: count + 1) { () throws(CaptureReadingError) in
      defer { rest = [] }
      return rest
    } output: {
      result += $0
    }
    if let fault = outcome.fault { throw malformed(fault) }
    guard outcome.hasEnded, result.count == count else {
      throw malformed(
        result.count > count ? "more" : "an end after \(result.count) bytes")
    }
    return result
  }

  /// Inflates the start of the data: at most `count` bytes, fewer where the input is truncated.
  package static func prefix(
    of bytes: ArraySlice<UInt8>, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    let outcome = try inflate(limit: count) { () throws(CaptureReadingError) in
      defer { rest = [] }
      return rest
    } output: {
      result += $0
    }
    if let fault = outcome.fault {
      throw CaptureReadingError(.malformed, expected: "deflated data", found: fault)
    }
    return result
  }

  /// Deflates bytes with a level from 1 (fast) to 9 (small).
  ///
  /// One version of zlib gives the same bytes on every run. O(*n*).
  package static func deflated(_ bytes: [UInt8], level: Int32) -> [UInt8] {
    // The zlib format wraps the same data in a header of two bytes and a checksum of four.
    Array(ZlibStream.deflated(bytes, level: level).dropFirst(2).dropLast(4))
  }
}
