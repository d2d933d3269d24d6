package import PlumblineModel

/// A small writer of lossless JPEG (SOF3), so that the reader can be tested without a peer.
///
/// All 17 magnitudes get codes of 5 bits: simple, not small.
package struct PlainLosslessJPEGEncoder {
  /// Bits per sample, 2 to 16.
  package var precision: Int
  /// The predictor, 1 to 7 (ITU-T T.81 table H.1).
  package var predictor = 1
  /// The low bits that are dropped.
  package var pointTransform = 0
  /// Rows between restart markers; 0 for none.
  package var rowsPerRestart = 0

  /// Creates an encoder for samples of a precision.
  package init(precision: Int) {
    self.precision = precision
  }

  /// A complete file; samples must be below 2^precision.
  package func encoded(_ raster: Raster<UInt16>) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    let size = [raster.height, raster.width].flatMap(Self.bigEndian)
    bytes += [0xFF, 0xC3, 0, 11, UInt8(precision)] + size + [1, 1, 0x11, 0]
    bytes += [0xFF, 0xC4, 0, 36, 0] + (1...16).map { $0 == 5 ? 17 : 0 } + Array(0...16)
    if rowsPerRestart > 0 {
      bytes += [0xFF, 0xDD, 0, 4] + Self.bigEndian(rowsPerRestart * raster.width)
    }
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, UInt8(predictor), 0, UInt8(pointTransform)]
    var bits = EntropyBitWriter()
    for y in 0..<raster.height {
      if rowsPerRestart > 0, y > 0, y % rowsPerRestart == 0 {
        bits.pad()
        bits.bytes += [0xFF, 0xD0 + UInt8((y / rowsPerRestart - 1) % 8)]
      }
      for x in 0..<raster.width {
        let value = Int(raster[x, y]) >> pointTransform
        bits.append(difference: value - prediction(raster, x, y))
      }
    }
    bits.pad()
    return bytes + bits.bytes + [0xFF, 0xD9]
  }

  private func prediction(_ raster: Raster<UInt16>, _ x: Int, _ y: Int) -> Int {
    func sample(_ x: Int, _ y: Int) -> Int { Int(raster[x, y]) >> pointTransform }
    let startsInterval = rowsPerRestart > 0 ? y % rowsPerRestart == 0 : y == 0
    if startsInterval {
      return x == 0 ? 1 << (precision - pointTransform - 1) : sample(x - 1, y)
    }
    if x == 0 { return sample(0, y - 1) }
    let (a, b, c) = (sample(x - 1, y), sample(x, y - 1), sample(x - 1, y - 1))
    return [a, b, c, a + b - c, a + (b - c) >> 1, b + (a - c) >> 1, (a + b) >> 1][predictor - 1]
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
  }
}

/// Writes bits with JPEG's stuffed zeros.
private struct EntropyBitWriter {
  var bytes: [UInt8] = []
  private var buffer = 0
  private var count = 0

  mutating func append(difference: Int) {
    // Modulo 2^16, as −32767 to 32768 (T.81 §H.1.2.2).
    var wrapped = difference & 0xFFFF
    if wrapped > 32_768 { wrapped -= 65_536 }
    var magnitude = 0
    while abs(wrapped) >> magnitude != 0 { magnitude += 1 }
    append(magnitude, bits: 5)
    if magnitude == 0 || magnitude == 16 { return }
    append(wrapped > 0 ? wrapped : wrapped + (1 << magnitude) - 1, bits: magnitude)
  }

  mutating func pad() {
    if count > 0 { append((1 << (8 - count)) - 1, bits: 8 - count) }
  }

  private mutating func append(_ value: Int, bits: Int) {
    for shift in stride(from: bits - 1, through: 0, by: -1) {
      buffer = buffer << 1 | (value >> shift & 1)
      count += 1
      guard count == 8 else { continue }
      bytes.append(UInt8(buffer & 0xFF))
      if buffer & 0xFF == 0xFF { bytes.append(0) }
      buffer = 0
      count = 0
    }
  }
}
