import CKernels
package import PlumblineIO

/// The bit patterns of a map's numbers as integers, to which every encoding applies.
package protocol StreamCode: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {
  /// Encodes a map as `rice`; see `depth_codec_kernels.h`.
  static func encodeRice(
    _ samples: UnsafePointer<Self>, _ width: Int, _ height: Int, _ hole: Self,
    _ row: UnsafeMutablePointer<Self>, _ bytes: UnsafeMutablePointer<UInt8>
  ) -> Int
  /// Decodes a map from `rice`; see `depth_codec_kernels.h`.
  static func decodeRice(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ width: Int, _ height: Int,
    _ row: UnsafeMutablePointer<Self>, _ samples: UnsafeMutablePointer<Self>
  ) -> Bool
}

extension UInt8: StreamCode {
  package static func encodeRice(
    _ samples: UnsafePointer<Self>, _ width: Int, _ height: Int, _ hole: Self,
    _ row: UnsafeMutablePointer<Self>, _ bytes: UnsafeMutablePointer<UInt8>
  ) -> Int { plb_rice_encode8(samples, width, height, hole, row, bytes) }

  package static func decodeRice(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ width: Int, _ height: Int,
    _ row: UnsafeMutablePointer<Self>, _ samples: UnsafeMutablePointer<Self>
  ) -> Bool { plb_rice_decode8(bytes, count, width, height, row, samples) }
}

extension UInt16: StreamCode {
  package static func encodeRice(
    _ samples: UnsafePointer<Self>, _ width: Int, _ height: Int, _ hole: Self,
    _ row: UnsafeMutablePointer<Self>, _ bytes: UnsafeMutablePointer<UInt8>
  ) -> Int { plb_rice_encode16(samples, width, height, hole, row, bytes) }

  package static func decodeRice(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ width: Int, _ height: Int,
    _ row: UnsafeMutablePointer<Self>, _ samples: UnsafeMutablePointer<Self>
  ) -> Bool { plb_rice_decode16(bytes, count, width, height, row, samples) }
}

extension UInt32: StreamCode {
  package static func encodeRice(
    _ samples: UnsafePointer<Self>, _ width: Int, _ height: Int, _ hole: Self,
    _ row: UnsafeMutablePointer<Self>, _ bytes: UnsafeMutablePointer<UInt8>
  ) -> Int { plb_rice_encode32(samples, width, height, hole, row, bytes) }

  package static func decodeRice(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ width: Int, _ height: Int,
    _ row: UnsafeMutablePointer<Self>, _ samples: UnsafeMutablePointer<Self>
  ) -> Bool { plb_rice_decode32(bytes, count, width, height, row, samples) }
}

extension StreamMapEncoding {
  /// Encodes the numbers of a map, row by row without padding; O(*n*).
  ///
  /// - Parameters:
  ///   - codes: `width` · `height` bit patterns.
  ///   - width: The number of columns, at least 1.
  ///   - height: The number of rows, at least 1.
  ///   - hole: The bit pattern of most missing pixels; the result is correct for any value.
  /// - Returns: The bytes of the part.
  package func bytes<Code: StreamCode>(
    _ codes: [Code], width: Int, height: Int, hole: Code
  ) -> [UInt8] {
    precondition(codes.count == width * height && width > 0, "\(codes.count) numbers")
    switch self {
    case .raw:
      if Code(1).littleEndian == 1 { return codes.withUnsafeBytes { [UInt8]($0) } }
      var bytes: [UInt8] = []
      for code in codes { bytes.appendLittleEndian(code) }
      return bytes
    case .rice:
      let capacity = plb_rice_capacity(width, height, MemoryLayout<Code>.size)
      precondition(capacity > 0, "a map of \(width) × \(height)")
      return codes.withUnsafeBufferPointer { codes in
        withUnsafeTemporaryAllocation(of: Code.self, capacity: 2 * width) { row in
          [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
            guard let codes = codes.baseAddress, let row = row.baseAddress,
              let bytes = bytes.baseAddress
            else { return }
            count = Code.encodeRice(codes, width, height, hole, row, bytes)
          }
        }
      }
    }
  }

  /// Decodes the numbers of a map; O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the part.
  ///   - width: The number of columns.
  ///   - height: The number of rows; both were already checked against the limits.
  /// - Returns: `width` · `height` bit patterns.
  /// - Throws: `.malformed` for bytes that are not such a map, usually before memory is allocated.
  package func codes<Code: StreamCode>(
    _ bytes: ArraySlice<UInt8>, width: Int, height: Int
  ) throws(CaptureReadingError) -> [Code] {
    let count = width * height
    func malformed(_ expected: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, offset: bytes.startIndex, expected: expected, found: "\(bytes.count) bytes")
    }
    switch self {
    case .raw:
      let size = MemoryLayout<Code>.size
      guard bytes.count == count * size else { throw malformed("\(count * size) bytes") }
      return bytes.withUnsafeBytes { source in
        [Code](unsafeUninitializedCapacity: count) { buffer, filled in
          UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
          for index in 0..<(Code(1).littleEndian == 1 ? 0 : count) {
            buffer[index] = Code(littleEndian: buffer[index])
          }
          filled = count
        }
      }
    case .rice:
      // A block of 16 pixels has at least two bits.
      let blocks = (width + 15) / 16 * height
      guard bytes.count >= MemoryLayout<Code>.size, bytes.count >= blocks / 4 else {
        throw malformed("at least \(blocks / 4) bytes for \(width) × \(height)")
      }
      var isSound = false
      let codes = bytes.withUnsafeBufferPointer { bytes in
        withUnsafeTemporaryAllocation(of: Code.self, capacity: 2 * width) { row in
          [Code](unsafeUninitializedCapacity: count) { codes, filled in
            guard let codes = codes.baseAddress, let row = row.baseAddress,
              let start = bytes.baseAddress
            else { return }
            isSound = Code.decodeRice(start, bytes.count, width, height, row, codes)
            filled = isSound ? count : 0
          }
        }
      }
      guard isSound else { throw malformed("the Rice codes of \(width) × \(height) numbers") }
      return codes
    }
  }
}

/// The number type of a map in a message.
enum StreamSamples: String, CaseIterable {
  case uint8
  case uint16
  case float16
  case float32

  /// The size of one number in bytes.
  var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .float32: 4
    }
  }

  /// The name that producers use for this type.
  func storedType(kind: String) -> String {
    switch (self, kind) {
    case (.uint8, _): "u8"
    case (.uint16, _): "u16"
    case (.float16, "disparity"): "hdis"
    case (.float16, _): "hdep"
    case (.float32, "disparity"): "fdis"
    case (.float32, _): "fdep"
    }
  }
}
