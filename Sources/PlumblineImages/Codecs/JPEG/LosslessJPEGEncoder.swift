import PlumblineIO
public import PlumblineModel

/// Writes lossless JPEG (SOF3): one component of 2 to 16 bits, every sample as it was.
///
/// The predictor is the one of T.81's seven whose differences cost least, and the Huffman table is
/// made for them. The same samples give the same bytes. Few programs read such files: ExifTool names
/// them, FFmpeg and this project decode them, browsers and the common libjpeg do not.
///
/// - Source: ITU-T T.81, annex H (prediction), annex C (codes) and section K.2 (code lengths).
public struct LosslessJPEGEncoder: Sendable {
  /// The longest side of a JPEG, in pixels.
  public static let maximumSide = 65_535

  /// The predictor, 1 to 7 (T.81 table H.1); `nil` to choose.
  public var predictor: Int?

  /// Creates an encoder that chooses its predictor.
  ///
  /// - Precondition: `predictor` is from 1 to 7 where it is given.
  public init(predictor: Int? = nil) {
    precondition(predictor.map { (1...7).contains($0) } ?? true, "no such predictor")
    self.predictor = predictor
  }

  /// A complete file without metadata.
  ///
  /// - Parameter samples: Samples of 8 bits, or of as many as they say; bits above these are dropped.
  /// - Returns: Its bytes.
  /// - Precondition: Width and height are from 1 to 65,535, and a bit depth from 2 to 16. O(*n*).
  public func encoded(_ samples: StoredSamples) -> [UInt8] {
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
