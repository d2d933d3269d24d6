import PlumblineIO

/// Writes units of HEVC streams.
enum HEVCUnitWriting {
  /// The types of units that stills need (ITU-T H.265 table 7-1).
  enum UnitType: UInt8 {
    /// A slice of an image that needs no earlier image.
    case slice = 19
    case videoParameters = 32
    case sequenceParameters = 33
    case imageParameters = 34
    case prefixMessage = 39
  }

  /// A unit with its header and emulation prevention bytes.
  static func unit(_ type: UnitType, _ payload: [UInt8]) -> [UInt8] {
    [type.rawValue << 1, 1] + addingEmulationPrevention(payload)
  }

  /// Inserts a 3 between two zeros and a byte of up to 3 (ITU-T H.265 §7.4.2); O(*n*).
  static func addingEmulationPrevention(_ payload: [UInt8]) -> [UInt8] {
    // At most every third byte gets one inserted before it.
    [UInt8](unsafeUninitializedCapacity: payload.count + payload.count / 2 + 1) { output, count in
      payload.withUnsafeBufferPointer { input in
        var zeros = 0
        for byte in input {
          if zeros >= 2 && byte <= 3 {
            output[count] = 3
            count &+= 1
            zeros = 0
          }
          output[count] = byte
          count &+= 1
          zeros = byte == 0 ? zeros &+ 1 : 0
        }
      }
    }
  }

  /// The payload of `hvcC` (ISO/IEC 14496-15 §8.3.3.1), with lengths of four bytes in the data.
  ///
  /// - Parameters:
  ///   - profile: The profile and level that the parameter sets state.
  ///   - bitDepth: Bits of a sample.
  ///   - isMonochrome: Whether there is luma only; else 4:2:0.
  ///   - parameterSets: Video, sequence and picture parameters, as whole units.
  /// - Returns: The payload.
  static func configuration(
    _ profile: HEVCProfile, bitDepth: Int, isMonochrome: Bool, parameterSets: [[UInt8]]
  ) -> [UInt8] {
    // No limit on segments, parallelism unknown, no frame rate: as iPhones write.
    var bytes: [UInt8] = [1] + profile.bytes + [0xF0, 0, 0xFC, 0xFC | (isMonochrome ? 0 : 1)]
    bytes += [0xF8 | UInt8(bitDepth - 8), 0xF8 | UInt8(bitDepth - 8), 0, 0, 0x0F]
    bytes.append(UInt8(parameterSets.count))
    for unit in parameterSets {
      bytes += [0x80 | unit[0] >> 1, 0, 1] + [UInt8](bigEndian: unit.count, bytes: 2) + unit
    }
    return bytes
  }
}

/// Packs bits, most significant first, as video headers do.
struct HEVCBitWriter {
  private(set) var bytes: [UInt8] = []
  private var filled = 8

  /// Whether the last byte is full.
  var isAligned: Bool { filled == 8 }

  /// Appends the lowest bits of a number.
  mutating func write(_ value: Int, bits: Int) {
    for shift in stride(from: bits - 1, through: 0, by: -1) {
      if filled == 8 {
        bytes.append(0)
        filled = 0
      }
      bytes[bytes.count - 1] |= UInt8(value >> shift & 1) << UInt8(7 - filled)
      filled += 1
    }
  }

  /// Appends whole bytes; a started byte is first padded with zeros.
  mutating func write(_ whole: [UInt8]) {
    align()
    bytes += whole
  }

  /// Appends an unsigned Exp-Golomb code.
  mutating func writeGolomb(_ values: Int...) {
    for value in values {
      let length = Int.bitWidth - (value + 1).leadingZeroBitCount
      write(0, bits: length - 1)
      write(value + 1, bits: length)
    }
  }

  /// Pads the last byte with zeros.
  mutating func align() { filled = 8 }

  /// Ends a unit: a one, then zeros up to a whole byte.
  mutating func writeTrailingBits() {
    write(1, bits: 1)
    align()
  }
}
