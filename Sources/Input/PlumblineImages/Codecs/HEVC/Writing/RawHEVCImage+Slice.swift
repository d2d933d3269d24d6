import PlumblineModel

extension RawHEVCImage {
  /// The only slice: a header, then for each block two arithmetic-coder steps and its samples.
  package var slice: [UInt8] {
    let side = Self.blockSide
    let (columns, rows) = (codedSize.width / side, codedSize.height / side)
    let samples = side * side + (chroma == nil ? 0 : side * side / 2)
    var header = HEVCBitWriter()
    // First slice, no earlier output, parameters 0, intra, no change of quantizer.
    header.write(0b10, bits: 2)
    header.writeGolomb(0, 2, 0)
    header.writeTrailingBits()
    var bytes = header.bytes
    bytes.reserveCapacity(columns * rows * (samples * bitDepth / 8 + 2) + 64)
    for index in 0..<columns * rows {
      bytes += Self.start(ofBlock: index)
      let (x, y) = (index % columns, index / columns)
      append(luma, side, x, y, to: &bytes)
      if let chroma {
        append(chroma.blue, side / 2, x, y, to: &bytes)
        append(chroma.red, side / 2, x, y, to: &bytes)
      }
    }
    // The end of the slice: range 510 less 2, taken; its last bit is the unit's stop bit.
    return bytes + Self.endOfArithmetic(low: 508)
  }

  /// Codes "the slice continues", "an undivided block" and "raw samples follow", padded to whole
  /// bytes.
  ///
  /// After raw samples the coder restarts with range 510, while the context of the block division
  /// adapts from block to block. Only the last step reduces the range below 256.
  private static func start(ofBlock index: Int) -> [UInt8] {
    // An undivided block costs the range that the context assigns to a divided one, which shrinks
    // each time.
    let state = min(index, leastProbableRanges.count - 1)
    let range = (index == 0 ? 510 : 508) - leastProbableRanges[state]
    return endOfArithmetic(low: range - 2)
  }

  /// The range of the improbable symbol by state when the range is 448 or more; state 62 stays.
  ///
  /// `part_mode` of intra slices starts at state 0 for quantizer 26, with "undivided" probable.
  /// - Source: ITU-T H.265 table 9-52 (last column), table 9-11 (initial value 184), §9.3.2.2.
  private static var leastProbableRanges: [Int] {
    [
      240, 227, 216, 205, 195, 185, 175, 166, 158, 150, 142, 135, 128, 122, 116, 110, 104, 99, 94,
      89, 85, 80, 76, 72, 69, 65, 62, 59, 56, 53, 50, 48, 45, 43, 41, 39, 37, 35, 33, 31, 30, 28,
      27, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 14, 13, 12, 12, 11, 11, 10, 9,
    ]
  }

  /// Ends arithmetic coding after a terminating bin (ITU-T H.265 §9.3.4.5 and §9.3.4.6), and pads
  /// the last byte.
  private static func endOfArithmetic(low start: Int) -> [UInt8] {
    var bits = HEVCBitWriter()
    var low = start
    var outstanding = 0
    var isFirst = true
    func put(_ bit: Int) {
      if !isFirst { bits.write(bit, bits: 1) }
      isFirst = false
      for _ in 0..<outstanding { bits.write(1 - bit, bits: 1) }
      outstanding = 0
    }
    // The range is 2 now; seven doublings bring it back to 256.
    for _ in 0..<7 {
      if low < 256 {
        put(0)
      } else if low >= 512 {
        low -= 512
        put(1)
      } else {
        low -= 256
        outstanding += 1
      }
      low <<= 1
    }
    put(low >> 9 & 1)
    bits.write(low >> 7 & 3 | 1, bits: 2)
    return bits.bytes
  }

  /// Appends a block's samples; samples beyond the image repeat its last column and row.
  private func append(
    _ plane: Raster<Sample>, _ side: Int, _ column: Int, _ row: Int, to bytes: inout [UInt8]
  ) {
    let columns = min(side, plane.width - column * side)
    for y in row * side..<(row + 1) * side {
      let line = plane.row(min(y, plane.height - 1))
      // Chroma of an image whose last block has luma only in its first columns.
      let first = min(column * side, plane.width - 1)
      let samples = line[line.startIndex + first..<line.startIndex + first + max(columns, 1)]
      if bitDepth == 8 {
        if let whole = samples as? ArraySlice<UInt8> {
          bytes += whole
        } else {
          for sample in samples { bytes.append(UInt8(truncatingIfNeeded: sample)) }
        }
        let last = bytes[bytes.count - 1]
        for _ in max(columns, 1)..<side { bytes.append(last) }
      } else {
        appendPacked(samples, side, to: &bytes)
      }
    }
  }

  /// Appends a row of samples of more than 8 bits; a row of 16 or 32 always fills whole bytes.
  private func appendPacked(_ samples: ArraySlice<Sample>, _ side: Int, to bytes: inout [UInt8]) {
    var (pending, count): (UInt64, Int) = (0, 0)
    let last = samples[samples.endIndex - 1]
    for index in 0..<side {
      let sample = index < samples.count ? samples[samples.startIndex + index] : last
      pending = pending << UInt64(bitDepth) | UInt64(truncatingIfNeeded: sample)
      count += bitDepth
      while count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(count)))
      }
    }
  }
}
