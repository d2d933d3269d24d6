import PlumblineModel

/// The measured pixels of a depth map, row after row.
struct MeasuredPixels {
  /// The size of the map.
  let size: RasterSize
  /// `y · width + x` of each measured pixel, rising.
  let indices: [UInt32]
  /// Where the pixels of each row start in ``indices``, and at last their number.
  let rowStarts: [Int]

  /// Finds the measured pixels; O(*n*).
  ///
  /// - Precondition: The pixels can be counted in 32 bits.
  init(of depth: DepthMap) {
    let size = depth.size
    let stride = depth.meters.rowStride
    precondition(size.pixelCount <= Int(UInt32.max), "\(size) has too many pixels to count")
    var rowStarts = [0]
    rowStarts.reserveCapacity(size.height + 1)
    indices = depth.meters.samples.withUnsafeBufferPointer { meters in
      // One slot more than pixels: writing first and counting after needs no branch on the data.
      [UInt32](unsafeUninitializedCapacity: size.pixelCount + 1) { buffer, count in
        for y in 0..<size.height {
          for x in 0..<size.width {
            buffer[count] = UInt32(truncatingIfNeeded: y &* size.width &+ x)
            count &+= meters[y &* stride &+ x] > 0 ? 1 : 0
          }
          rowStarts.append(count)
        }
      }
    }
    self.size = size
    self.rowStarts = rowStarts
  }

  /// The points of the pixels.
  ///
  /// - Precondition: Rays and depth have the size of the map.
  func positions(depth: DepthMap, rays: RayMap) -> [PackedPoint] {
    depth.meters.packed.samples.withUnsafeBufferPointer { meters in
      rays.xOverZ.packed.samples.withUnsafeBufferPointer { xOverZ in
        rays.yOverZ.packed.samples.withUnsafeBufferPointer { yOverZ in
          [PackedPoint](unsafeUninitializedCapacity: indices.count) { buffer, count in
            for index in indices {
              let pixel = Int(index)
              let z = meters[pixel]
              buffer[count] = PackedPoint(x: xOverZ[pixel] * z, y: yOverZ[pixel] * z, z: z)
              count &+= 1
            }
          }
        }
      }
    }
  }

  /// The color of the nearest pixel, by centers, of a raster with the same field of view.
  ///
  /// - Precondition: The raster has pixels.
  func colors(from color: Raster<RGB8>) -> [RGB8] {
    precondition(color.size.pixelCount > 0 || indices.isEmpty, "no color in \(color.size)")
    // Both as offsets, so that a point costs one addition: ⌊(u + ½)·s⌋ in whole numbers.
    let columns = (0..<size.width).map { (2 * $0 + 1) * color.width / (2 * size.width) }
    return color.samples.withUnsafeBufferPointer { samples in
      [RGB8](unsafeUninitializedCapacity: indices.count) { buffer, count in
        for y in 0..<size.height {
          let source = (2 * y + 1) * color.height / (2 * size.height) * color.rowStride
          let first = y &* size.width
          for position in rowStarts[y]..<rowStarts[y + 1] {
            buffer[count] = samples[source &+ columns[Int(indices[position]) &- first]]
            count &+= 1
          }
        }
      }
    }
  }

  /// The σ of each pixel by a function of its depth, in meters.
  func sigmas(depth: DepthMap, curve: SigmaCurve) -> [Float] {
    depth.meters.packed.samples.withUnsafeBufferPointer { meters in
      [Float](unsafeUninitializedCapacity: indices.count) { buffer, count in
        for index in indices {
          buffer[count] = Float(curve.sigmaMeters(atDepth: Double(meters[Int(index)])))
          count &+= 1
        }
      }
    }
  }

  /// The value of each pixel in a raster of the map's size.
  func values(of raster: Raster<Float>) -> [Float] {
    raster.packed.samples.withUnsafeBufferPointer { samples in
      [Float](unsafeUninitializedCapacity: indices.count) { buffer, count in
        for index in indices {
          buffer[count] = samples[Int(index)]
          count &+= 1
        }
      }
    }
  }
}
