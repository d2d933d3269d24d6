/// The Lempel-Ziv-Welch codes of TIFF: 9 to 12 bits, the first bit of a code in the highest.
///
/// - Source: Adobe, *TIFF Revision 6.0*, section 13: code 256 clears the table, 257 ends, and codes
///   grow by a bit one entry before they must.
enum TIFFLZWDecoder {
  /// As many bytes as the codes give up to `count`; O(*n*).
  ///
  /// A code that cannot be ends them.
  static func unpacked(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(min(count, 64 * bytes.count))
    // Each entry is a run of the output itself: where it starts, and how long it is.
    var starts = [Int](repeating: 0, count: 4096)
    var lengths = [Int](repeating: 0, count: 4096)
    var next = 258
    var width = 9
    var bits = 0
    var bitCount = 0
    var previous: (start: Int, length: Int)?
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFF_FFFF
      bitCount += 8
      guard bitCount >= width else { continue }
      bitCount -= width
      let code = bits >> bitCount & ((1 << width) - 1)
      if code == 257 { break }
      if code == 256 {
        next = 258
        width = 9
        previous = nil
        continue
      }
      let start = output.count
      if code < 256 {
        output.append(UInt8(code))
      } else if code < next {
        append(starts[code], lengths[code], to: &output)
      } else if code == next, let previous {
        append(previous.start, previous.length, to: &output)
        output.append(output[previous.start])
      } else {
        break
      }
      if let previous, next < 4096 {
        // The bytes of an entry stand in the output already: the last code's and the one after.
        starts[next] = previous.start
        lengths[next] = previous.length + 1
        next += 1
      }
      previous = (start, output.count - start)
      if next + 1 >= 1 << width, width < 12 { width += 1 }
      if output.count >= count { break }
    }
    return Array(output.prefix(count))
  }

  private static func append(_ start: Int, _ length: Int, to output: inout [UInt8]) {
    for index in start..<start + length { output.append(output[index]) }
  }
}
