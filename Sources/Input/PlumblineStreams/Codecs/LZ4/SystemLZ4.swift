#if canImport(CLZ4)
  import CLZ4

  /// LZ4 frames by the system's liblz4, which Linux has.
  enum SystemLZ4 {
    /// Compresses bytes into one frame; O(*n*).
    static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      let capacity = LZ4F_compressFrameBound(bytes.count, nil)
      return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        bytes.withUnsafeBytes { input in
          count = LZ4F_compressFrame(
            output.baseAddress, capacity, input.baseAddress, input.count, nil)
        }
        // With a buffer of the maximum size, only a lack of memory could make it fail.
        precondition(LZ4F_isError(count) == 0, "LZ4 cannot compress \(bytes.count) bytes")
      }
    }

    /// Decompresses frames; O(*n*).
    ///
    /// - Returns: `nil` for broken data and another number of bytes.
    static func decoded(_ bytes: ArraySlice<UInt8>, exactly count: Int) -> [UInt8]? {
      var context: OpaquePointer?
      guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0
      else { return nil }
      defer { LZ4F_freeDecompressionContext(context) }
      var isComplete = false
      let plain = [UInt8](unsafeUninitializedCapacity: count) { output, written in
        bytes.withUnsafeBytes { input in
          var read = 0
          while read < input.count, !isComplete {
            var produced = count - written
            var consumed = input.count - read
            let hint = LZ4F_decompress(
              context, output.baseAddress.map { $0 + written }, &produced,
              input.baseAddress.map { $0 + read }, &consumed, nil)
            if LZ4F_isError(hint) != 0 { return }
            written += produced
            read += consumed
            isComplete = hint == 0 && read == input.count
            if produced == 0 && consumed == 0 { return }
          }
        }
      }
      return isComplete && plain.count == count ? plain : nil
    }
  }
#endif
