public import PlumblineModel

extension BoardSheet {
  /// The number of pixels of the sheet at a resolution; `nil` when it is over a limit.
  ///
  /// - Parameters:
  ///   - dotsPerInch: Pixels for each 25.4 mm.
  ///   - limit: The most pixels; an A3 sheet at 600 dpi has 70 million.
  public func rasterSize(dotsPerInch: Double, limit: Int = 128 << 20) -> RasterSize? {
    let scale = dotsPerInch / 25.4
    let width = (paper.widthMillimeters * scale).rounded()
    let height = (paper.heightMillimeters * scale).rounded()
    guard width >= 1, height >= 1, width * height <= Double(limit) else { return nil }
    return RasterSize(width: Int(width), height: Int(height))
  }

  /// The sheet in gray, 0 black and 255 white; each pixel shows the share of it that is black, so
  /// that sides between pixels stay where they are.
  ///
  /// - Returns: `nil` when there would be more pixels than ``rasterSize(dotsPerInch:limit:)`` allows.
  /// Cost: O(*pixels*).
  public func raster(dotsPerInch: Double) -> Raster<UInt8>? {
    guard let size = rasterSize(dotsPerInch: dotsPerInch) else { return nil }
    let scale = dotsPerInch / 25.4
    // Rectangles touch without overlap: their shares of a pixel add up.
    var black = [Float](repeating: 0, count: size.pixelCount)
    for rectangle in rectangles {
      let columns = Self.shares(rectangle.x * scale, rectangle.width * scale, limit: size.width)
      let rows = Self.shares(rectangle.y * scale, rectangle.height * scale, limit: size.height)
      for (y, high) in zip(rows.first..., rows.shares) {
        let start = y * size.width + columns.first
        for (x, wide) in columns.shares.enumerated() { black[start + x] += high * wide }
      }
    }
    return Raster(size: size, samples: black.map { UInt8((255 * (1 - min($0, 1))).rounded()) })
  }

  /// How much of each pixel a stretch covers.
  private static func shares(
    _ start: Double, _ length: Double, limit: Int
  ) -> (first: Int, shares: [Float]) {
    let (start, end) = (max(0, start), min(Double(limit), start + length))
    guard end > start else { return (0, []) }
    let (first, last) = (Int(start), min(limit - 1, Int(end)))
    let shares = (first...last).map { pixel in
      Float(max(0, min(end, Double(pixel + 1)) - max(start, Double(pixel))))
    }
    return (first, shares)
  }
}
