public import PlumblineIO
public import PlumblineModel

/// A decoded PNG image, without its transparency.
///
/// Source: ISO/IEC 15948 (PNG, third edition).
public enum PNGImage: Sendable, Equatable {
  /// Samples of 8 or 16 bits.
  case gray(StoredSamples)
  /// Color of 8 bits a channel.
  case color(Raster<RGB8>)

  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Whether bytes start as every PNG file does.
  public static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: signature)
  }

  /// Decodes a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; indices are offsets for errors.
  ///   - maximumPixels: The most pixels; `limits.auxiliaryPixels` when `nil`.
  ///   - limits: What may be spent.
  /// - Throws: `.malformed` for damage anywhere: a wrong checksum, too few or too many pixels, no
  ///   end chunk; `.unsupported` for palettes, interlacing, 1 to 4 bits and 16-bit color;
  ///   `.limitExceeded` before anything is allocated. O(*n*).
  public init(
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

  /// The samples as a depth image stores them: gray, or color whose channels are all equal.
  ///
  /// - Throws: `.unsupported` for real color, which is no depth. O(*n*).
  public func storedSamples() throws(CaptureReadingError) -> StoredSamples {
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
