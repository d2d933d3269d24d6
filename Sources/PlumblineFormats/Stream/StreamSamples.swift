/// The type of a map's numbers in a message.
enum StreamSamples: String, CaseIterable {
  case uint8
  case uint16
  case float16
  case float32

  /// The bytes of one number.
  var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .float32: 4
    }
  }

  /// What producers call depth of this type.
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

/// The bits of a map's numbers as whole numbers, which is how every encoding sees them.
protocol StreamCode: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {}

extension UInt8: StreamCode {}
extension UInt16: StreamCode {}
extension UInt32: StreamCode {}

extension StreamMapEncoding {
  /// Appends the numbers of a map, row by row without padding.
  func append<Code: StreamCode>(_ codes: [Code], width: Int, to bytes: inout [UInt8]) {
    switch self {
    case .raw:
      if Code(littleEndian: 1) == 1 {
        codes.withUnsafeBytes { bytes.append(contentsOf: $0) }
      } else {
        for code in codes { bytes.appendLittleEndian(code) }
      }
    }
  }

  /// The numbers of a map.
  ///
  /// - Parameters:
  ///   - bytes: Those of the part.
  ///   - count: Columns times rows, held against the limits already.
  ///   - width: The columns.
  /// - Returns: As many numbers.
  /// - Throws: `.malformed` for bytes that are not `count` numbers.
  func codes<Code: StreamCode>(
    _ bytes: ArraySlice<UInt8>, count: Int, width: Int
  ) throws(CaptureReadingError) -> [Code] {
    switch self {
    case .raw:
      let size = MemoryLayout<Code>.size
      guard bytes.count == count * size else {
        throw CaptureReadingError(
          .malformed, offset: bytes.startIndex, expected: "\(count * size) bytes",
          found: "\(bytes.count)")
      }
      return bytes.withUnsafeBytes { source in
        [Code](unsafeUninitializedCapacity: count) { buffer, filled in
          UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
          if Code(littleEndian: 1) != 1 {
            for index in 0..<count { buffer[index] = Code(littleEndian: buffer[index]) }
          }
          filled = count
        }
      }
    }
  }
}
