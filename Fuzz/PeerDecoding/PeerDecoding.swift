// Decodes what comes on standard input by our own decoders, for `Scripts/fuzz-differential`, which
// holds the answers against those of foreign decoders.
//
// A question: one byte (which decoder), four bytes (the count, little-endian), the file.
// An answer: one byte (0 decoded, 1 refused), four bytes (the count), pixels or the error's text.

import Glibc
import PlumblineModel
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings

@main
enum PeerDecoding {
  static func main() {
    while let head = read(5) {
      guard let bytes = read(number(head[1...])) else { return }
      let answer: (UInt8, [UInt8])
      do throws(CaptureReadingError) {
        answer = (0, try decoded(bytes, by: head[0]))
      } catch {
        answer = (1, Array("\(error.reason): \(error)".utf8))
      }
      write([answer.0] + littleEndian(answer.1.count) + answer.1)
    }
  }

  private static func decoded(
    _ bytes: [UInt8], by decoder: UInt8
  ) throws(CaptureReadingError) -> [UInt8] {
    var limits = ReadingLimits()
    limits.auxiliaryPixels = 1 << 20
    switch decoder {
    case UInt8(ascii: "P"): return pixels(of: try PNGImage(bytes[...], limits: limits))
    case UInt8(ascii: "T"): return pixels(of: try TIFFImage(bytes[...], limits: limits))
    case UInt8(ascii: "L"): return try LZFSE.decoded(bytes[...], atMost: 1 << 18)
    case UInt8(ascii: "J"):
      let image = try JPEGFile(bytes[...], limits: limits).primary
      guard image.frame?.isLossless == true else {
        throw CaptureReadingError(.unsupported, expected: "a lossless JPEG", found: "another")
      }
      return pixels(of: try image.storedSamples(limits: limits))
    default: return try contents(of: try ZIPArchive(MemoryBytes(bytes), limits: limits))
    }
  }

  private static func pixels(of image: PNGImage) -> [UInt8] {
    switch image {
    case .gray(let samples): pixels(of: samples)
    case .color(let raster):
      sizes(of: raster.size) + raster.samples.flatMap { [$0.red, $0.green, $0.blue] }
    }
  }

  private static func pixels(of image: TIFFImage) -> [UInt8] {
    sizes(of: image.values.size)
      + image.values.floats.samples.flatMap { littleEndian(Int($0.bitPattern)) }
  }

  private static func pixels(of samples: StoredSamples) -> [UInt8] {
    switch samples {
    case .uint8(let raster): sizes(of: raster.size) + raster.samples
    case .uint16(let raster, _):
      sizes(of: raster.size)
        + raster.samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
  }

  private static func sizes(of size: RasterSize) -> [UInt8] {
    littleEndian(size.width) + littleEndian(size.height)
  }

  /// Each file: its name, its bytes, or that it is refused.
  private static func contents(of archive: ZIPArchive) throws(CaptureReadingError) -> [UInt8] {
    var output: [UInt8] = []
    for name in archive.fileNames {
      output += littleEndian(name.utf8.count) + Array(name.utf8)
      if let bytes = try? archive.bytes(of: name) {
        output += [0] + littleEndian(bytes.count) + bytes
      } else {
        output += [1] + littleEndian(0)
      }
    }
    return output
  }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let added = bytes.withUnsafeMutableBytes {
        Glibc.read(0, $0.baseAddress.map { $0 + filled }, count - filled)
      }
      guard added > 0 else { return nil }
      filled += added
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let added = bytes.withUnsafeBytes {
        Glibc.write(1, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      guard added > 0 else { exit(1) }
      written += added
    }
  }
}
