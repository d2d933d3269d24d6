import PlumblineIO
package import PlumblineModel

/// Writes PNG images: gray of 8 or 16 bits, or color of 8 bits, with or without transparent pixels.
///
/// One version of zlib gives the same bytes for the same pixels on every run. Each row uses the
/// filter (none, left or above) with the minimum sum of absolute differences, as ISO/IEC 15948
/// §12.7 recommends.
package struct PNGEncoder: Sendable {
  /// The compression level of zlib, 1 (fast) to 9 (small).
  package var level: Int

  /// The print resolution in pixels per meter in both directions (`pHYs`); `nil` to omit it.
  package var pixelsPerMeter: UInt32?

  /// The texts in the file, in this order.
  package var texts: [PNGText]

  /// The ICC profile of an RGB image (`iCCP`); `nil` to omit it.
  package var iccProfile: [UInt8]?

  /// Creates an encoder.
  ///
  /// - Precondition: `level` is from 1 to 9.
  package init(
    level: Int = 6, pixelsPerMeter: UInt32? = nil, texts: [PNGText] = [],
    iccProfile: [UInt8]? = nil
  ) {
    precondition((1...9).contains(level), "a deflate level of \(level)")
    self.level = level
    self.pixelsPerMeter = pixelsPerMeter
    self.texts = texts
    self.iccProfile = iccProfile
  }

  /// Gray of 8 bits; the raster must not be empty.
  ///
  /// Cost: O(*n*).
  package func encoded(_ raster: Raster<UInt8>) -> [UInt8] {
    file(raster.size, bitDepth: 8, colorType: .gray, bytesPerPixel: 1) { y, row in
      row += raster.row(y)
    }
  }

  /// Gray of 16 bits, as for depth in mm; the raster must not be empty.
  ///
  /// Cost: O(*n*).
  package func encoded(_ raster: Raster<UInt16>) -> [UInt8] {
    file(raster.size, bitDepth: 16, colorType: .gray, bytesPerPixel: 2) { y, row in
      for sample in raster.row(y) {
        row.append(UInt8(truncatingIfNeeded: sample >> 8))
        row.append(UInt8(truncatingIfNeeded: sample))
      }
    }
  }

  /// Color of 8 bits a channel; the raster must not be empty.
  ///
  /// Cost: O(*n*).
  package func encoded(_ raster: Raster<RGB8>) -> [UInt8] {
    file(raster.size, bitDepth: 8, colorType: .rgb, bytesPerPixel: 3) { y, row in
      for pixel in raster.row(y) {
        row.append(pixel.red)
        row.append(pixel.green)
        row.append(pixel.blue)
      }
    }
  }

  /// Color of 8 bits a channel with alpha: 255 in `opacity` is opaque, 0 is transparent.
  ///
  /// Cost: O(*n*).
  ///
  /// - Precondition: Both have the same size and are not empty.
  package func encoded(_ raster: Raster<RGB8>, opacity: Raster<UInt8>) -> [UInt8] {
    precondition(raster.size == opacity.size, "\(raster.size) and \(opacity.size)")
    return file(raster.size, bitDepth: 8, colorType: .rgba, bytesPerPixel: 4) { y, row in
      for (pixel, opacity) in zip(raster.row(y), opacity.row(y)) {
        row.append(pixel.red)
        row.append(pixel.green)
        row.append(pixel.blue)
        row.append(opacity)
      }
    }
  }

  private func file(
    _ size: RasterSize, bitDepth: UInt8, colorType: PNGHeader.ColorType, bytesPerPixel: Int,
    appendRow: (_ y: Int, _ row: inout [UInt8]) -> Void
  ) -> [UInt8] {
    let sides = 1...Int(Int32.max)
    precondition(
      sides.contains(size.width) && sides.contains(size.height), "PNG cannot hold \(size)")
    let length = size.width * bytesPerPixel
    var filtered: [UInt8] = []
    filtered.reserveCapacity(size.height * (length + 1))
    var above = [UInt8](repeating: 0, count: length)
    var row: [UInt8] = []
    for y in 0..<size.height {
      row.removeAll(keepingCapacity: true)
      appendRow(y, &row)
      appendFiltered(row, above: above, step: bytesPerPixel, to: &filtered)
      swap(&row, &above)
    }
    var bytes = PNGImage.signature
    let header = [UInt32(size.width), UInt32(size.height)].flatMap(Self.bigEndian)
    Self.append("IHDR", header + [bitDepth, colorType.rawValue, 0, 0, 0], to: &bytes)
    if let iccProfile {
      // ISO/IEC 15948 §11.3.3.3: a name, method 0 for zlib, the profile.
      let name = Array("ICC".utf8) + [0, 0]
      Self.append("iCCP", name + ZlibStream.deflated(iccProfile, level: 9), to: &bytes)
    }
    if let pixelsPerMeter {
      // ISO/IEC 15948 §11.3.5.3: unit 1 is the meter.
      let density = Self.bigEndian(pixelsPerMeter)
      Self.append("pHYs", density + density + [1], to: &bytes)
    }
    for text in texts { Self.append("iTXt", text.chunk, to: &bytes) }
    Self.append("IDAT", ZlibStream.deflated(filtered, level: Int32(level)), to: &bytes)
    Self.append("IEND", [], to: &bytes)
    return bytes
  }

  private func appendFiltered(
    _ row: [UInt8], above: [UInt8], step: Int, to output: inout [UInt8]
  ) {
    var left = [UInt8](repeating: 0, count: row.count)
    if step < row.count { left.replaceSubrange(step..., with: row[..<(row.count - step)]) }
    // A difference counts as a signed byte, so that −1 has the same cost as 1.
    func cost(_ differences: [UInt8]) -> Int {
      differences.reduce(0) { $0 &+ Int(Int8(bitPattern: $1).magnitude) }
    }
    var best = (filter: PNGFilter.none, bytes: row, cost: cost(row))
    for (filter, neighbor) in [(PNGFilter.sub, left), (.up, above)] {
      let differences = zip(row, neighbor).map { $0 &- $1 }
      let cost = cost(differences)
      if cost < best.cost { best = (filter, differences, cost) }
    }
    output.append(best.filter.rawValue)
    output += best.bytes
  }

  private static func append(_ name: String, _ data: [UInt8], to bytes: inout [UInt8]) {
    let type = Array(name.utf8)
    bytes += bigEndian(UInt32(data.count)) + type + data
    bytes += bigEndian(ZlibStream.crc32(type[...], data[...]))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// A text inside a PNG image that describes it.
///
/// - Source: ISO/IEC 15948:2004 §11.3.4.5 (`iTXt`) and the keywords of its table 11.
package struct PNGText: Hashable, Sendable {
  /// The keyword of the text, such as `Title`, `Description` or `Software`.
  package var keyword: String
  /// The text.
  package var text: String

  /// Creates a text.
  ///
  /// - Precondition: The keyword has 1 to 79 printable ASCII characters without a space at either
  ///   end; the text has no NUL.
  package init(_ keyword: String, _ text: String) {
    let letters = keyword.utf8
    precondition(
      (1...79).contains(letters.count) && letters.allSatisfy { 0x20...0x7E ~= $0 }
        && letters.first != 0x20 && letters.last != 0x20 && !text.utf8.contains(0),
      "no text of a PNG: \(keyword)")
    self.keyword = keyword
    self.text = text
  }

  /// The data of an `iTXt` chunk without compression and language.
  package var chunk: [UInt8] { Array(keyword.utf8) + [0, 0, 0, 0, 0] + Array(text.utf8) }
}
