/// The codewords of a QR code: bytes with their header and padding, and what corrects errors in them.
enum QRCodewords {
  /// All codewords in the order in which they are placed: of each block the first, then the second, and so on,
  /// data before error correction (section 7.6).
  ///
  /// - Precondition: The bytes fit into the version.
  static func interleaved(_ bytes: [UInt8], _ version: QRCodeVersion) -> [UInt8] {
    let data = data(bytes, version)
    var blocks: [ArraySlice<UInt8>] = []
    var start = 0
    for count in version.dataCounts {
      blocks.append(data[start..<start + count])
      start += count
    }
    let generator = generator(degree: version.correctionCountPerBlock)
    let corrections = blocks.map { remainder(of: $0, by: generator) }
    var result: [UInt8] = []
    for index in 0..<(version.dataCounts.max() ?? 0) {
      for block in blocks where index < block.count {
        result.append(block[block.startIndex + index])
      }
    }
    for index in 0..<version.correctionCountPerBlock {
      result += corrections.map { $0[index] }
    }
    return result
  }

  /// The mode of bytes, their count, the bytes, the terminator, and padding (sections 7.4.5, 7.4.9, 7.4.10).
  private static func data(_ bytes: [UInt8], _ version: QRCodeVersion) -> [UInt8] {
    precondition(bytes.count <= version.byteCapacity, "more bytes than the version takes")
    // Mode 0100 puts the count's upper four bits beside it, and all that follows half a codeword further; a
    // terminator of 0000 fills the last half.
    var halves: [UInt8] = [0b0100]
    for shift in stride(from: version.countBits - 4, through: 0, by: -4) {
      halves.append(UInt8(bytes.count >> shift & 15))
    }
    for byte in bytes { halves += [byte >> 4, byte & 15] }
    halves.append(0)
    var result = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
    let padding: [UInt8] = [0b1110_1100, 0b0001_0001]
    for index in 0..<version.dataCount - result.count { result.append(padding[index % 2]) }
    return result
  }

  /// The product in the field of 256 elements modulo x⁸ + x⁴ + x³ + x² + 1 (section 7.5.2).
  static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var result: UInt8 = 0
    for bit in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7 == 1 ? 0x1D : 0)
      if b >> bit & 1 == 1 { result ^= a }
    }
    return result
  }

  /// The product of (x − 2ⁱ) for all i below the degree, without its leading 1 (Annex A).
  ///
  /// - Returns: Coefficients, the highest power first.
  private static func generator(degree: Int) -> [UInt8] {
    var result: [UInt8] = [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      result = zip(result + [0], [0] + result).map { $0 ^ product($1, root) }
      root = product(root, 2)
    }
    return Array(result.dropFirst())
  }

  /// The remainder of the data, times x to the generator's degree, divided by the generator.
  private static func remainder(of data: ArraySlice<UInt8>, by generator: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ result[0]
      result.removeFirst()
      result.append(0)
      for index in result.indices { result[index] ^= product(generator[index], factor) }
    }
    return result
  }
}
