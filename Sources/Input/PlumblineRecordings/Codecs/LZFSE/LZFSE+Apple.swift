import PlumblineIO

#if canImport(Compression)
  import Compression

  extension LZFSE {
    /// Decompresses with the system's library; not yet tested on an Apple device.
    static func decodedBySystem(
      _ bytes: ArraySlice<UInt8>, count: Int
    ) throws(CaptureReadingError) -> [UInt8] {
      // One extra byte reveals data that are too long. The system reports no error for empty
      // output.
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
