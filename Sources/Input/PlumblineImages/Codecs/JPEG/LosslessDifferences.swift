import PlumblineModel

/// The prediction differences of samples, row by row, and their coding.
///
/// - Source: ITU-T T.81, table H.1 and section H.1.2.2.
struct LosslessDifferences {
  private let samples: UnsafeBufferPointer<UInt16>
  private let size: RasterSize
  private let predictor: Int
  /// The prediction of the first sample.
  private let start: Int
  /// The differences of one row, modulo 2¹⁶ as −32768 to 32767; −32768 means 32768.
  private var row: [Int16]

  init(
    _ samples: UnsafeBufferPointer<UInt16>, _ size: RasterSize, _ precision: Int, _ predictor: Int
  ) {
    self.samples = samples
    self.size = size
    self.predictor = predictor
    start = 1 << (precision - 1)
    row = [Int16](repeating: 0, count: size.width)
  }

  /// The number of differences of each magnitude (0 to 16 bits) in every `step`-th row.
  mutating func magnitudeCounts(everyRow step: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: 17)
    counts.withUnsafeMutableBufferPointer { counts in
      for y in stride(from: 0, to: size.height, by: step) {
        fillRow(y)
        row.withUnsafeBufferPointer { row in
          for difference in row { counts[Self.magnitude(difference)] &+= 1 }
        }
      }
    }
    return counts
  }

  /// The compressed data, with byte stuffing and padding.
  mutating func coded(by table: LosslessHuffmanCodes) -> [UInt8] {
    var output: [UInt8] = []
    // Two bytes per sample suffice for most rows, and growing is cheap.
    output.reserveCapacity(size.pixelCount + 1024)
    var buffer: UInt64 = 0
    var bits: UInt64 = 0
    // A code of 16 bits and 15 further bits per sample, in which each byte may be stuffed.
    var scratch = [UInt8](repeating: 0, count: size.width * 8 + 16)
    for y in 0..<size.height {
      fillRow(y)
      let used = scratch.withUnsafeMutableBufferPointer { scratch in
        row.withUnsafeBufferPointer { row in
          table.codes.withUnsafeBufferPointer { codes in
            var used = 0
            for difference in row {
              let magnitude = Self.magnitude(difference)
              let code = codes[magnitude]
              buffer = buffer << UInt64(code.length) | UInt64(code.bits)
              bits &+= UInt64(code.length)
              if magnitude > 0, magnitude < 16 {
                let value = Int(difference)
                let extra = value > 0 ? value : value + (1 << magnitude) - 1
                buffer = buffer << UInt64(magnitude) | UInt64(truncatingIfNeeded: extra)
                bits &+= UInt64(magnitude)
              }
              while bits >= 8 {
                bits &-= 8
                let byte = UInt8(truncatingIfNeeded: buffer >> bits)
                scratch[used] = byte
                used &+= 1
                if byte == 0xFF {
                  scratch[used] = 0
                  used &+= 1
                }
              }
            }
            return used
          }
        }
      }
      output += scratch[..<used]
    }
    if bits > 0 {
      // The last byte is filled with ones (T.81 §F.1.2.3).
      let byte = UInt8(truncatingIfNeeded: buffer << (8 - bits)) | UInt8((1 << (8 - bits)) - 1)
      output += byte == 0xFF ? [0xFF, 0] : [byte]
    }
    return output
  }

  @inline(__always)
  private static func magnitude(_ difference: Int16) -> Int {
    // −32768 means 32768, which has 16 bits too.
    16 - difference.magnitude.leadingZeroBitCount
  }

  private mutating func fillRow(_ y: Int) {
    let width = size.width
    let (samples, start, predictor) = (samples, start, predictor)
    row.withUnsafeMutableBufferPointer { row in
      func put(_ x: Int, _ prediction: Int) {
        let value = Int(samples[y * width + x])
        row[x] = Int16(truncatingIfNeeded: value &- prediction)
      }
      if y == 0 {
        put(0, start)
        for x in 1..<max(width, 1) { put(x, Int(samples[x - 1])) }
        return
      }
      let current = y * width
      let above = current - width
      put(0, Int(samples[above]))
      for x in 1..<max(width, 1) {
        let a = Int(samples[current + x - 1])
        let b = Int(samples[above + x])
        let c = Int(samples[above + x - 1])
        let prediction =
          switch predictor {
          case 1: a
          case 2: b
          case 3: c
          case 4: a + b - c
          case 5: a + (b - c) >> 1
          case 6: b + (a - c) >> 1
          default: (a + b) >> 1
          }
        put(x, prediction)
      }
    }
  }
}
