package import PlumblineCorrection
package import PlumblineModel

/// One image and the depth map that should lie on it, at the size of the depth map.
package struct AlignmentFrame: Sendable {
  /// Brightness, 0 to 255, at the size of the depth map.
  package let luma: Raster<UInt8>
  /// The depth map, in meters.
  package let depth: DepthMap

  /// Brings an image to the size of its depth map; O(*n*) of the image.
  ///
  /// - Parameters:
  ///   - luma: Brightness, of the same field of view and orientation as the map.
  ///   - depth: The map, in meters; a relative map serves as well, since only its jumps count.
  package init(luma: Raster<UInt8>, depth: DepthMap) {
    self.luma = Self.resampled(luma.size, to: depth.size) {
      luma.samples[$1 &* luma.rowStride &+ $0]
    }
    self.depth = depth
  }

  /// Brings a color image to the size of its depth map; O(*n*) of the image.
  ///
  /// - Parameters:
  ///   - color: The image, of the same field of view and orientation as the map.
  ///   - depth: The map, in meters; a relative map serves as well, since only its jumps count.
  package init(color: Raster<RGB8>, depth: DepthMap) {
    luma = Self.resampled(color.size, to: depth.size) { x, y in
      let pixel = color.samples[y &* color.rowStride &+ x]
      // The weights of BT.601 in 256ths; their choice moves no edge.
      let sum = 77 &* UInt32(pixel.red) &+ 150 &* UInt32(pixel.green) &+ 29 &* UInt32(pixel.blue)
      return UInt8(truncatingIfNeeded: sum >> 8)
    }
    self.depth = depth
  }

  /// The mean over each pixel's own area, taken at a grid of positions inside it.
  @inline(__always)
  private static func resampled(
    _ size: RasterSize, to target: RasterSize, _ sample: (_ x: Int, _ y: Int) -> UInt8
  ) -> Raster<UInt8> {
    guard size.pixelCount > 0, target.pixelCount > 0 else {
      return Raster(size: target, repeating: 0)
    }
    if size == target { return Raster(size: target, sample) }
    // Two positions for each stored pixel, at most 8 each way: that is enough for 4032 to 640.
    func places(_ length: Int, _ count: Int) -> (indices: [Int], each: Int) {
      let each = min(8, max(2, (2 * length + count - 1) / count))
      return (
        (0..<count * each).map { min(length - 1, (2 * $0 + 1) * length / (2 * count * each)) }, each
      )
    }
    let (columns, across) = places(size.width, target.width)
    let (rows, down) = places(size.height, target.height)
    let area = UInt32(across * down)
    return columns.withUnsafeBufferPointer { columns in
      Raster(size: target) { x, y in
        var sum: UInt32 = area / 2
        for row in rows[y &* down..<(y &+ 1) &* down] {
          for column in x &* across..<(x &+ 1) &* across {
            sum &+= UInt32(sample(columns[column], row))
          }
        }
        return UInt8(truncatingIfNeeded: sum / area)
      }
    }
  }
}

extension AlignmentFrame {
  /// The image and the depths of one capture, the image turned as the map is stored; `nil` without
  /// an image or a map, and for shapes that differ by 1 %.
  ///
  /// A cropped map belongs to a part of the image that nothing here knows. Cost: O(*n*) of the image.
  ///
  /// - Parameters:
  ///   - capture: A capture whose color image was decoded, at any size of the same field of view.
  ///   - corrected: Its depths.
  package init?(_ capture: Capture, _ corrected: CorrectedDepth) {
    guard let color = capture.color, let record = capture.depth else { return nil }
    let turn = capture.colorOrientation.followed(by: record.orientation.inverse)
    let shape = turn.uprightSize(of: color.size)
    guard color.size.pixelCount > 0, corrected.depth.size.pixelCount > 0,
      abs(shape.aspectRatio / corrected.depth.size.aspectRatio - 1) < 0.01
    else { return nil }
    self.init(color: turn == .up ? color : color.oriented(by: turn), depth: corrected.depth)
  }
}
