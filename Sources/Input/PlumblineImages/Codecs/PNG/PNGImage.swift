package import PlumblineIO
package import PlumblineModel

/// A decoded PNG image without alpha.
///
/// Source: ISO/IEC 15948 (PNG, third edition).
package enum PNGImage: Sendable, Equatable {
  /// Samples of 8 or 16 bits.
  case gray(StoredSamples)
  /// Color of 8 bits a channel.
  case color(Raster<RGB8>)

  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Whether bytes start with the signature of a PNG file.
  package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: signature)
  }

  /// Decodes a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; indices are offsets for errors.
  ///   - maximumPixels: The maximum number of pixels; `limits.auxiliaryPixels` when `nil`.
  ///   - limits: The limits for reading.
  /// - Throws: `.malformed` for damage anywhere: a wrong checksum, too few or too many pixels, no
  ///   end chunk; `.unsupported` for palettes, interlacing, 1 to 4 bits and 16-bit color;
  ///   `.limitExceeded` before anything is allocated. O(*n*).
  package init(
    _ bytes: ArraySlice<UInt8>, maximumPixels: Int? = nil, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let chunks = try PNGChunks(
      bytes, maximumPixels: maximumPixels ?? limits.auxiliaryPixels, limits: limits)
    let header = chunks.header
    // At most 128 million pixels of 4 bytes: no overflow.
    let count = header.size.height * (header.bytesPerRow + 1)
    try limits.require(count, atMost: limits.decodedBytes, "decoded bytes", path: ["PNG"])
    var rows = try ZlibStream.inflated(chunks.imageData, exactly: count, path: ["PNG", "IDAT"])
    try PNGFilter.undo(&rows, header: header, offset: bytes.startIndex)
    self = Self.pixels(of: rows, header: header)
  }

  /// The samples of a depth image: gray, or color with equal channels.
  ///
  /// - Throws: `.unsupported` for actual color, which is not depth. O(*n*).
  package func storedSamples() throws(CaptureReadingError) -> StoredSamples {
    switch self {
    case .gray(let samples):
      return samples
    case .color(let raster):
      guard raster.samples.allSatisfy({ $0.red == $0.green && $0.green == $0.blue }) else {
        throw CaptureReadingError(
          .unsupported, path: ["PNG"], expected: "a gray image", found: "color")
      }
      return .uint8(raster.map(\.red))
    }
  }

  private static func pixels(of rows: [UInt8], header: PNGHeader) -> PNGImage {
    let stride = header.bytesPerRow + 1
    let step = header.bytesPerPixel
    func index(_ x: Int, _ y: Int) -> Int { y * stride + 1 + x * step }
    switch (header.colorType, header.bitDepth) {
    case (.rgb, _), (.rgba, _):
      return .color(
        Raster(size: header.size) { x, y in
          let i = index(x, y)
          return RGB8(red: rows[i], green: rows[i + 1], blue: rows[i + 2])
        })
    case (_, 16):
      let raster = Raster<UInt16>(size: header.size) { x, y in
        let i = index(x, y)
        return UInt16(rows[i]) << 8 | UInt16(rows[i + 1])
      }
      return .gray(.uint16(raster, bitDepth: 16))
    default:
      return .gray(.uint8(Raster(size: header.size) { x, y in rows[index(x, y)] }))
    }
  }
}

extension PNGImage {
  /// Whether the image has color.
  package var isColor: Bool { if case .color = self { true } else { false } }

  /// The codes of a 16-bit gray image, as in depth maps; `meaning` is for the error message.
  ///
  /// - Throws: `.unsupported` for color and 8 bits.
  package func gray16(
    _ meaning: String = ""
  ) throws(CaptureReadingError) -> (codes: Raster<UInt16>, bitDepth: Int) {
    guard case .gray(.uint16(let codes, let bitDepth)) = self else {
      throw CaptureReadingError(
        .unsupported, path: ["PNG"], offset: 0, expected: "gray of 16 bits" + meaning,
        found: isColor ? "color" : "gray of 8 bits")
    }
    return (codes, bitDepth)
  }

  /// The pixels as color; gray becomes equal channels, and 16 bits are reduced to the upper eight.
  package var colorRaster: Raster<RGB8> {
    switch self {
    case .color(let raster): raster
    case .gray(.uint8(let raster)): raster.map { RGB8(red: $0, green: $0, blue: $0) }
    case .gray(.uint16(let raster, _)):
      raster.map { sample in
        let code = UInt8(truncatingIfNeeded: sample >> 8)
        return RGB8(red: code, green: code, blue: code)
      }
    }
  }
}

/// The five row filters of PNG (ISO/IEC 15948 §9).
enum PNGFilter: UInt8 {
  case none = 0
  case sub = 1
  case up = 2
  case average = 3
  case paeth = 4

  /// Undoes the filter of every row in place.
  ///
  /// - Parameters:
  ///   - rows: The filter byte and the bytes of each row.
  ///   - header: The header, which gives the length of rows and pixels.
  ///   - offset: The file offset for errors.
  /// - Throws: `.malformed` for a filter that does not exist. O(*n*).
  static func undo(
    _ rows: inout [UInt8], header: PNGHeader, offset: Int
  ) throws(CaptureReadingError) {
    let length = header.bytesPerRow
    let step = header.bytesPerPixel
    // The row above the first one counts as zeros.
    var above = [UInt8](repeating: 0, count: length)
    for y in 0..<header.size.height {
      let start = y * (length + 1) + 1
      guard let filter = PNGFilter(rawValue: rows[start - 1]) else {
        throw CaptureReadingError(
          .malformed, path: ["PNG", "row \(y)"], offset: offset, expected: "a filter from 0 to 4",
          found: "\(rows[start - 1])")
      }
      let row = start..<start + length
      // A separate closure for each filter keeps the selection out of the loop over bytes.
      switch filter {
      case .none: break
      case .sub: add(to: &rows, row, above, step) { a, _, _ in a }
      case .up: add(to: &rows, row, above, step) { _, b, _ in b }
      case .average:
        add(to: &rows, row, above, step) { a, b, _ in
          UInt8(truncatingIfNeeded: (UInt16(a) + UInt16(b)) / 2)
        }
      case .paeth: add(to: &rows, row, above, step, paeth)
      }
      above.replaceSubrange(0..<length, with: rows[row])
    }
  }

  /// Adds to each byte of a row the `prediction` from its left, upper and upper-left bytes.
  @inline(__always)
  private static func add(
    to rows: inout [UInt8], _ row: Range<Int>, _ above: [UInt8], _ step: Int,
    _ prediction: (UInt8, UInt8, UInt8) -> UInt8
  ) {
    for i in 0..<min(step, row.count) { rows[row.lowerBound + i] &+= prediction(0, above[i], 0) }
    guard step < row.count else { return }
    for i in step..<row.count {
      let left = rows[row.lowerBound + i - step]
      rows[row.lowerBound + i] &+= prediction(left, above[i], above[i - step])
    }
  }

  /// The neighbor nearest to left + above − upper left (ISO/IEC 15948 §9.4).
  @inline(__always)
  private static func paeth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    let estimate = Int(a) + Int(b) - Int(c)
    let toLeft = abs(estimate - Int(a))
    let toAbove = abs(estimate - Int(b))
    let toAboveLeft = abs(estimate - Int(c))
    if toLeft <= toAbove && toLeft <= toAboveLeft { return a }
    return toAbove <= toAboveLeft ? b : c
  }
}
