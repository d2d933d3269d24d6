#if canImport(CZstd)
  import CZstd

  /// Zstandard by the system's libzstd, which Linux has.
  enum SystemZstandard {
    /// Compresses bytes into one frame; O(*n*).
    static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      let capacity = ZSTD_compressBound(bytes.count)
      return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        bytes.withUnsafeBytes { input in
          count = ZSTD_compress(output.baseAddress, capacity, input.baseAddress, input.count, 1)
        }
        precondition(ZSTD_isError(count) == 0, "Zstandard cannot compress \(bytes.count) bytes")
      }
    }

    /// Decompresses frames; O(*n*).
    ///
    /// - Returns: `nil` for broken data and another number of bytes.
    static func decoded(_ bytes: ArraySlice<UInt8>, exactly count: Int) -> [UInt8]? {
      var isComplete = false
      let plain = [UInt8](unsafeUninitializedCapacity: count) { output, written in
        bytes.withUnsafeBytes { input in
          let size = ZSTD_decompress(output.baseAddress, count, input.baseAddress, input.count)
          if ZSTD_isError(size) == 0 {
            written = size
            isComplete = size == count
          }
        }
      }
      return isComplete ? plain : nil
    }
  }
#endif
