import PlumblineIO
import PlumblineModel

/// The strips or tiles that an image is cut into.
struct TIFFSegments {
  /// The columns and rows of one, whether or not all of them lie in the image.
  let segmentSize: RasterSize
  private let size: RasterSize
  private let isTiled: Bool
  private let offsets: [Int]
  private let byteCounts: [Int]
  private let path: [String]

  /// Reads where the segments lie.
  ///
  /// - Throws: `.malformed` when there are fewer than the image needs; `.limitExceeded` for tiles.
  init(
    _ tags: [UInt16: TIFFEntry], size: RasterSize, limits: ReadingLimits, path: [String],
    integer: (UInt16, Int?) throws(CaptureReadingError) -> Int
  ) throws(CaptureReadingError) {
    self.size = size
    self.path = path
    isTiled = tags[322] != nil
    if isTiled {
      let (width, height) = (try integer(322, nil), try integer(323, nil))
      _ = try limits.pixelCount(
        width: width, height: height, atMost: limits.auxiliaryPixels, path: path + ["tile"])
      segmentSize = RasterSize(width: width, height: height)
    } else {
      let rows = min(try integer(278, size.height), size.height)
      guard rows > 0 else {
        throw CaptureReadingError(
          .malformed, path: path + ["strip"], expected: "rows", found: "none")
      }
      segmentSize = RasterSize(width: size.width, height: rows)
    }
    let across = (size.width + segmentSize.width - 1) / segmentSize.width
    let down = (size.height + segmentSize.height - 1) / segmentSize.height
    if isTiled {
      // Tiles far larger than the image would cost their whole size each.
      _ = try limits.pixelCount(
        width: across * segmentSize.width, height: down * segmentSize.height,
        atMost: limits.auxiliaryPixels, path: path + ["tiles"])
    }
    let (places, lengths) = (tags[isTiled ? 324 : 273], tags[isTiled ? 325 : 279])
    guard let offsets = places?.integers, let byteCounts = lengths?.integers,
      offsets.count >= across * down, byteCounts.count >= across * down
    else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "\(across * down) offsets and lengths",
        found: "\(places?.count ?? 0) and \(lengths?.count ?? 0)")
    }
    self.offsets = offsets
    self.byteCounts = byteCounts
  }

  /// Unpacks all segments and puts their rows together.
  ///
  /// `unpacked` gives the bytes of one segment from packed bytes, count and path.
  ///
  /// - Throws: `.malformed` for a segment outside the file, and what `unpacked` throws.
  func assembled(
    _ block: TIFFBlock, type: NumberType,
    unpacked: (ArraySlice<UInt8>, Int, [String]) throws(CaptureReadingError) -> [UInt8]
  ) throws(CaptureReadingError) -> [UInt8] {
    let step = type.byteCount
    var image: [UInt8] = []
    let across = (size.width + segmentSize.width - 1) / segmentSize.width
    var index = 0
    for y in stride(from: 0, to: size.height, by: segmentSize.height) {
      let rows = min(segmentSize.height, size.height - y)
      var tiles: [[UInt8]] = []
      for _ in 0..<across {
        let path = path + ["\(isTiled ? "tile" : "strip") \(index)"]
        var reader = ByteReader(block.bytes, path: path)
        // The sum of two numbers of 32 bits fits.
        try reader.seek(to: block.bytes.startIndex + offsets[index])
        let packed = try reader.readBytes(byteCounts[index], as: "samples")
        // The last strip ends with the image, while tiles are always whole.
        let height = isTiled ? segmentSize.height : rows
        tiles.append(try unpacked(packed, segmentSize.width * height * step, path))
        index += 1
      }
      if tiles.count == 1, segmentSize.width == size.width {
        image += tiles[0].prefix(rows * size.width * step)
        continue
      }
      for row in 0..<rows {
        for (column, tile) in tiles.enumerated() {
          let width = min(segmentSize.width, size.width - column * segmentSize.width)
          let start = row * segmentSize.width * step
          image += tile[start..<start + width * step]
        }
      }
    }
    return image
  }
}
