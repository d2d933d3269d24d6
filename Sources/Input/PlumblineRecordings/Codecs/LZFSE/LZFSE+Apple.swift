import PlumblineIO

#if canImport(Compression)
  import Compression

  extension LZFSE {
    /// Decompression by the system; untried, since no Apple device was at hand.
    static func decodedBySystem(
      _ bytes: ArraySlice<UInt8>, count: Int
    ) throws(CaptureReadingError) -> [UInt8] {
      // One byte more shows whether there is too much; no bytes at all is no error to the system.
      let result = [UInt8](unsafeUninitializedCapacity: count + 1) { output, written in
        written = bytes.withUnsafeBufferPointer { input in
          guard let source = input.baseAddress, let target = output.baseAddress else { return 0 }
          return compression_decode_buffer(
            target, count + 1, source, input.count, nil, COMPRESSION_LZFSE)
        }
      }
      guard result.count == count else {
        throw CaptureReadingError(
          .malformed, path: ["LZFSE"], offset: bytes.startIndex,
          expected: "\(count) decompressed bytes", found: "\(result.count)")
      }
      return result
    }
  }
#endif
