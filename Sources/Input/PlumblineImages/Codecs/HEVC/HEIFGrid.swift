import PlumblineIO
import PlumblineModel

/// An image made of equal tiles (ISO/IEC 23008-12 §6.6.2.3), as phones store color.
struct HEIFGrid {
  /// The image's columns and rows, which may be fewer than the tiles cover.
  let size: RasterSize
  /// The tiles row by row.
  let tiles: [HEIFComposition.Tile]
  /// The color codes of the first tile's item.
  let firstTileColor: ColorCodes?

  /// Resolves a grid item.
  ///
  /// - Throws: `.malformed` when tiles are missing, differ or leave gaps, `.unsupported` for tiles
  ///   that are rotated or not coded images, `.limitExceeded`.
  init(
    of item: HEIFItemID, _ facts: HEIFImageFacts, in file: HEIFFile, maximumPixels: Int
  ) throws(CaptureReadingError) {
    let path = ["item \(item)", "grid"]
    let header = try Self.readHeader(try file.data(of: item), path)
    let pixels = try file.limits.pixelCount(
      width: header.width, height: header.height, atMost: maximumPixels, path: path)
    size = RasterSize(width: header.width, height: header.height)
    if let promised = try facts.promisedSize(in: path), promised != size {
      throw CaptureReadingError(
        .malformed, path: path + ["ispe"], expected: "\(size), the size of the grid",
        found: "\(promised)")
    }
    let inputs = file.items(referredToBy: item, as: "dimg")
    guard inputs.count == header.columns * header.rows else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "\(header.columns) × \(header.rows) tiles",
        found: "\(inputs.count)")
    }
    // Four times the image, but enough for small images with a few standard tiles.
    var budget = max(pixels * 4, file.limits.auxiliaryPixels)
    // The grid may name a tile twice, for example an empty one, but the total must not exceed the
    // file.
    var byteCount = 0
    let mostBytes = 2 * file.bytes.count + (4 << 20)
    var tiles: [HEIFComposition.Tile] = []
    var color: ColorCodes?
    for (index, input) in inputs.enumerated() {
      let (image, tileFacts) = try Self.tile(input, in: file, maximumPixels: budget, path)
      budget -= image.parameters.codedSize.pixelCount
      byteCount += image.codedBytes
      try file.limits.require(
        byteCount, atMost: mostBytes, "coded bytes in all tiles together", path: path)
      if index == 0 { color = tileFacts.color }
      if let first = tiles.first?.image.parameters, first != image.parameters {
        throw CaptureReadingError(
          .malformed, path: path + ["item \(input)"], expected: "tiles that are all alike",
          found: "\(image.size) beside \(first.size)")
      }
      tiles.append(
        HEIFComposition.Tile(
          itemID: input, x: index % header.columns * image.size.width,
          y: index / header.columns * image.size.height, image: image))
    }
    guard let tileSize = tiles.first?.image.size,
      tileSize.width * header.columns >= size.width, tileSize.height * header.rows >= size.height
    else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "tiles that cover \(size)",
        found: "\(header.columns) × \(header.rows) of \(tiles.first?.image.size.description ?? "")")
    }
    self.tiles = tiles.filter { $0.x < header.width && $0.y < header.height }
    firstTileColor = color
  }

  private static func tile(
    _ id: HEIFItemID, in file: HEIFFile, maximumPixels: Int, _ outer: [String]
  ) throws(CaptureReadingError) -> (HEVCStillImage, HEIFImageFacts) {
    let path = outer + ["item \(id)"]
    let facts = HEIFImageFacts(file.properties(of: id))
    guard let type = file.item(id)?.type, type == "hvc1" || type == "hev1",
      facts.transformations.isEmpty
    else {
      throw CaptureReadingError(
        .unsupported, path: path, expected: "an unturned tile of type hvc1",
        found: "\(file.item(id)?.type ?? "no item") with \(facts.transformations.count) steps")
    }
    return (
      try HEVCStillImage(item: id, facts, in: file, maximumPixels: maximumPixels, path), facts
    )
  }

  private static func readHeader(
    _ data: ArraySlice<UInt8>, _ path: [String]
  ) throws(CaptureReadingError) -> (columns: Int, rows: Int, width: Int, height: Int) {
    var reader = ByteReader(data, path: path)
    let version = try reader.readUInt8("a grid version")
    guard version == 0 else {
      throw CaptureReadingError(
        .unsupported, path: path, expected: "grid version 0", found: "\(version)")
    }
    let flags = try reader.readUInt8("grid flags")
    let rows = Int(try reader.readUInt8("a row count")) + 1
    let columns = Int(try reader.readUInt8("a column count")) + 1
    let fieldBytes = flags & 1 == 1 ? 4 : 2
    return (
      columns, rows, try reader.readOffset(byteCount: fieldBytes, "a width"),
      try reader.readOffset(byteCount: fieldBytes, "a height")
    )
  }
}
