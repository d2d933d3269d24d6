public import PlumblineModel

/// A picture that is written as HEVC without any compression, so that decoding gives it back bit
/// for bit.
///
/// Every block of 16×16 samples is a slice of its own that holds the samples as they are
/// (`pcm_flag` of ITU-T H.265 §7.3.8.5); each starts from fresh contexts, which keeps the
/// arithmetic coder to two steps.
public struct RawHEVCPicture: Sendable {
  /// Luma codes; the size need not be a multiple of 16.
  public var luma: Raster<UInt16>
  /// Blue and red chroma codes at half size, rounded up; `nil` for monochrome.
  public var chroma: (blue: Raster<UInt16>, red: Raster<UInt16>)?
  /// Bits of each code, 8 to 16.
  public var bitDepth: Int
  /// H.273 primaries, transfer and matrix, and the range, when the stream shall state them.
  public var color: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?

  /// Creates a picture from its planes.
  public init(
    luma: Raster<UInt16>, chroma: (blue: Raster<UInt16>, red: Raster<UInt16>)? = nil,
    bitDepth: Int = 8
  ) {
    self.luma = luma
    self.chroma = chroma
    self.bitDepth = bitDepth
  }

  /// The payload of `hvcC`.
  public var configuration: [UInt8] {
    var bytes: [UInt8] = [1, 4, 0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, 0xF0, 0, 0xFC]
    bytes += [0xFC | (chroma == nil ? 0 : 1), 0xF8 | UInt8(bitDepth - 8)]
    bytes += [0xF8 | UInt8(bitDepth - 8), 0, 0, 0x0F, 3]
    for (type, unit) in [(32, videoParameters), (33, sequenceParameters), (34, pictureParameters)] {
      bytes += [UInt8(0x80 | type), 0, 1] + bigEndian(unit.count, bytes: 2) + unit
    }
    return bytes
  }

  /// The item's data: each slice after its length in four bytes.
  public var data: [UInt8] {
    let columns = (luma.width + 15) / 16
    let rows = (luma.height + 15) / 16
    var bytes: [UInt8] = []
    for index in 0..<columns * rows {
      let unit = slice(index, of: columns * rows, column: index % columns, row: index / columns)
      bytes += bigEndian(unit.count, bytes: 4) + unit
    }
    return bytes
  }

  private func writeProfile(_ bits: inout HEVCBitWriter) {
    bits.write(4, bits: 8)
    bits.write(1 << 27, bits: 32)
    bits.write(0b1001, bits: 4)
    bits.write(0, bits: 44)
    bits.write(90, bits: 8)
  }

  private var videoParameters: [UInt8] {
    var bits = HEVCBitWriter()
    bits.write(0b11, bits: 6)
    bits.write(0, bits: 9)
    bits.write(1, bits: 1)
    bits.write(0xFFFF, bits: 16)
    writeProfile(&bits)
    bits.write(0, bits: 1)
    bits.writeGolomb(0, 0, 0)
    bits.write(0, bits: 6)
    bits.writeGolomb(0)
    bits.write(0, bits: 2)
    bits.writeTrailingBits()
    return unit(type: 32, bits.bytes)
  }

  private var sequenceParameters: [UInt8] {
    let (width, height) = ((luma.width + 15) / 16 * 16, (luma.height + 15) / 16 * 16)
    let step = chroma == nil ? 1 : 2
    var bits = HEVCBitWriter()
    bits.write(1, bits: 8)
    writeProfile(&bits)
    bits.writeGolomb(0, chroma == nil ? 0 : 1, width, height)
    bits.write(1, bits: 1)
    bits.writeGolomb(0, (width - luma.width) / step, 0, (height - luma.height) / step)
    bits.writeGolomb(bitDepth - 8, bitDepth - 8, 0)
    bits.write(0, bits: 1)
    bits.writeGolomb(0, 0, 0)
    // Blocks of 16 samples throughout, transforms of 4 to 16.
    bits.writeGolomb(1, 0, 0, 2, 0, 0)
    bits.write(0b0001, bits: 4)
    bits.write(bitDepth - 1, bits: 4)
    bits.write(bitDepth - 1, bits: 4)
    bits.writeGolomb(1, 0)
    bits.write(1, bits: 1)
    bits.writeGolomb(0)
    bits.write(0, bits: 3)
    bits.write(color == nil ? 0 : 1, bits: 1)
    if let color {
      bits.write(0b001_101, bits: 6)
      bits.write(color.isFullRange ? 0b11 : 0b01, bits: 2)
      for code in [color.primaries, color.transfer, color.matrix] { bits.write(code, bits: 8) }
      bits.write(0, bits: 7)
    }
    bits.write(0, bits: 1)
    bits.writeTrailingBits()
    return unit(type: 33, bits.bytes)
  }

  private var pictureParameters: [UInt8] {
    var bits = HEVCBitWriter()
    bits.writeGolomb(0, 0)
    bits.write(0, bits: 7)
    bits.writeGolomb(0, 0, 0)
    bits.write(0, bits: 3)
    bits.writeGolomb(0, 0)
    // Up to the loop filters: nothing is used; they are controlled here and off.
    bits.write(0b0_0000_0010_1, bits: 10)
    bits.write(0, bits: 2)
    bits.writeGolomb(0)
    bits.write(0, bits: 2)
    bits.writeTrailingBits()
    return unit(type: 34, bits.bytes)
  }

  private func slice(_ index: Int, of count: Int, column: Int, row: Int) -> [UInt8] {
    var bits = HEVCBitWriter()
    bits.write(index == 0 ? 1 : 0, bits: 1)
    bits.write(0, bits: 1)
    bits.writeGolomb(0)
    if index > 0 {
      bits.write(index, bits: Int.bitWidth - (count - 1).leadingZeroBitCount)
    }
    bits.writeGolomb(2, 0)
    bits.writeTrailingBits()
    // One undivided block (range 510 − 240), then "raw samples follow" (less 2 and taken).
    endArithmetic(&bits, low: 268)
    bits.align()
    writeBlock(luma, 16, column, row, &bits)
    if let chroma {
      writeBlock(chroma.blue, 8, column, row, &bits)
      writeBlock(chroma.red, 8, column, row, &bits)
    }
    bits.align()
    // The end of the slice: range 510 less 2, taken; its last bit is the unit's stop bit.
    endArithmetic(&bits, low: 508)
    bits.align()
    return unit(type: 19, bits.bytes)
  }

  private func writeBlock(
    _ plane: Raster<UInt16>, _ side: Int, _ column: Int, _ row: Int, _ bits: inout HEVCBitWriter
  ) {
    for y in row * side..<(row + 1) * side {
      for x in column * side..<(column + 1) * side {
        let sample = plane[min(x, plane.width - 1), min(y, plane.height - 1)]
        bits.write(Int(sample), bits: bitDepth)
      }
    }
  }

  /// Ends arithmetic coding after a first terminating bin (ITU-T H.265 §9.3.4.5 and §9.3.4.6).
  private func endArithmetic(_ bits: inout HEVCBitWriter, low: Int) {
    var low = low
    var outstanding = 0
    var isFirst = true
    func put(_ bit: Int, _ bits: inout HEVCBitWriter) {
      if !isFirst { bits.write(bit, bits: 1) }
      isFirst = false
      for _ in 0..<outstanding { bits.write(1 - bit, bits: 1) }
      outstanding = 0
    }
    // The range is 2 now; seven doublings bring it back to 256.
    for _ in 0..<7 {
      if low < 256 {
        put(0, &bits)
      } else if low >= 512 {
        low -= 512
        put(1, &bits)
      } else {
        low -= 256
        outstanding += 1
      }
      low <<= 1
    }
    put(low >> 9 & 1, &bits)
    bits.write(low >> 7 & 3 | 1, bits: 2)
  }

  /// A unit with its header and with 3 put between two zeros and a small byte.
  private func unit(type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [type << 1, 1]
    var zeros = 0
    for byte in payload {
      if zeros >= 2 && byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return bytes
  }
}

/// A number as a fixed count of bytes, highest first.
func bigEndian(_ value: Int, bytes count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
