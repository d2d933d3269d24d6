import PlumblineIO
package import PlumblineModel

/// Writes lossless JPEG (SOF3): one component of 2 to 16 bits, with every sample preserved.
///
/// It uses the one of T.81's seven predictors whose differences cost least, with a Huffman table
/// made for them. The same samples give the same bytes. Few programs support such files: ExifTool
/// names them, FFmpeg and this project decode them, browsers and the common libjpeg do not.
///
/// - Source: ITU-T T.81, annex H (prediction), annex C (codes) and section K.2 (code lengths).
package struct LosslessJPEGEncoder: Sendable {
  /// The maximum side of a JPEG in pixels.
  package static let maximumSide = 65_535

  /// The predictor, 1 to 7 (T.81 table H.1); `nil` to choose.
  package var predictor: Int?

  /// Creates an encoder that chooses its predictor.
  ///
  /// - Precondition: `predictor` is from 1 to 7 where it is given.
  package init(predictor: Int? = nil) {
    precondition(predictor.map { (1...7).contains($0) } ?? true, "no such predictor")
    self.predictor = predictor
  }

  /// A complete file without metadata.
  ///
  /// - Parameter samples: Samples of 8 bits, or of their stated bit depth; bits above it are
  ///   dropped.
  /// - Returns: Its bytes.
  /// - Precondition: Width and height are from 1 to 65,535, and the bit depth is from 2 to 16.
  ///   O(*n*).
  package func encoded(_ samples: StoredSamples) -> [UInt8] {
    switch samples {
    case .uint8(let raster): return encoded(raster.map { UInt16($0) }, precision: 8)
    case .uint16(let raster, let bitDepth):
      precondition((2...16).contains(bitDepth), "\(bitDepth) bits in a lossless JPEG")
      let mask = UInt16(truncatingIfNeeded: (1 << bitDepth) - 1)
      return encoded(raster.map { $0 & mask }, precision: bitDepth)
    }
  }

  private func encoded(_ raster: Raster<UInt16>, precision: Int) -> [UInt8] {
    let sides = 1...Self.maximumSide
    precondition(
      sides.contains(raster.width) && sides.contains(raster.height),
      "JPEG cannot hold \(raster.size)")
    let samples = raster.samples
    return samples.withUnsafeBufferPointer { buffer in
      let predictor = self.predictor ?? Self.bestPredictor(buffer, raster.size, precision)
      var differences = LosslessDifferences(buffer, raster.size, precision, predictor)
      let table = LosslessHuffmanCodes(counts: differences.magnitudeCounts(everyRow: 1))
      var bytes: [UInt8] = [0xFF, 0xD8]
      bytes += JPEGSegments.segment(
        0xC3,
        [UInt8(precision)] + bigEndian(UInt16(raster.height)) + bigEndian(UInt16(raster.width))
          + [1, 1, 0x11, 0])
      bytes += JPEGSegments.segment(0xC4, [0] + table.lengthCounts + table.symbols)
      bytes += JPEGSegments.segment(0xDA, [1, 1, 0, UInt8(predictor), 0, 0])
      bytes += differences.coded(by: table)
      return bytes + [0xFF, 0xD9]
    }
  }

  /// The predictor whose differences take the fewest bits, estimated from every eighth row.
  private static func bestPredictor(
    _ samples: UnsafeBufferPointer<UInt16>, _ size: RasterSize, _ precision: Int
  ) -> Int {
    let step = size.height >= 64 ? 8 : 1
    var best = (predictor: 1, bits: Int.max)
    for predictor in [1, 2, 4, 5, 6, 7] {
      var differences = LosslessDifferences(samples, size, precision, predictor)
      let counts = differences.magnitudeCounts(everyRow: step)
      let table = LosslessHuffmanCodes(counts: counts)
      let bits = counts.indices.reduce(0) { sum, magnitude in
        let extra = magnitude == 16 ? 0 : magnitude
        return sum + counts[magnitude] * (Int(table.codes[magnitude].length) + extra)
      }
      if bits < best.bits { best = (predictor, bits) }
    }
    return best.predictor
  }
}

/// The optimal Huffman code for magnitudes of differences, limited to 16 bits.
///
/// - Source: D. A. Huffman, *A method for the construction of minimum-redundancy codes*,
///   Proceedings of the IRE, 1952; ITU-T T.81, annex C for the order of codes, which leaves the
///   code of all ones out.
struct LosslessHuffmanCodes {
  /// One code, in the low bits.
  struct Code {
    var bits: UInt16
    var length: UInt8
  }

  /// The code of each magnitude, 0 to 16; with length 0 if the magnitude does not occur.
  let codes: [Code]
  /// The number of codes of each length, 1 to 16.
  let lengthCounts: [UInt8]
  /// The magnitudes in the order of their codes.
  let symbols: [UInt8]

  /// Creates the code for the given frequencies of magnitudes, at least one of which must be above
  /// 0.
  init(counts: [Int]) {
    var weights = counts.map { 2 * $0 }
    var lengths = Self.lengths(weights)
    // Flatter weights cost almost nothing; only a 12-megapixel map can need them.
    while lengths.contains(where: { $0 > 16 }) {
      weights = weights.map { $0 == 0 ? 0 : $0 / 2 + 1 }
      lengths = Self.lengths(weights)
    }
    var codes = [Code](repeating: Code(bits: 0, length: 0), count: counts.count)
    var lengthCounts = [UInt8](repeating: 0, count: 16)
    var symbols: [UInt8] = []
    var next = 0
    for length in 1...16 {
      for symbol in counts.indices where lengths[symbol] == length {
        codes[symbol] = Code(bits: UInt16(next), length: UInt8(length))
        lengthCounts[length - 1] += 1
        symbols.append(UInt8(symbol))
        next += 1
      }
      next <<= 1
    }
    self.codes = codes
    self.lengthCounts = lengthCounts
    self.symbols = symbols
  }

  /// The length of each code; the last one belongs to an unused symbol of weight 1, which gets the
  /// code of all ones.
  private static func lengths(_ weights: [Int]) -> [Int] {
    var lengths = [Int](repeating: 0, count: weights.count + 1)
    var trees: [(weight: Int, symbols: [Int])] = [(1, [weights.count])]
    for (symbol, weight) in weights.enumerated() where weight > 0 {
      trees.append((weight, [symbol]))
    }
    while trees.count > 1 {
      // With 17 symbols, sorting each time costs nothing. Ties are broken by the first symbol, so
      // the result is deterministic.
      trees.sort { ($0.weight, $0.symbols[0]) > ($1.weight, $1.symbols[0]) }
      guard let least = trees.popLast(), let second = trees.popLast() else { break }
      for symbol in least.symbols + second.symbols { lengths[symbol] += 1 }
      trees.append((least.weight + second.weight, least.symbols + second.symbols))
    }
    return lengths
  }
}
