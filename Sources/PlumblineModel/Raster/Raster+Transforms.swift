extension Raster {
  /// The pixels of a rectangle, without padding; O(*n*) of the rectangle.
  ///
  /// - Precondition: The rectangle lies inside.
  public func cropped(to rectangle: PixelRectangle) -> Raster {
    precondition(rectangle.isInside(size), "\(rectangle) is not inside \(size)")
    return Raster(size: rectangle.size) { x, y in
      self.samples[(y + rectangle.y) * self.rowStride + x + rectangle.x]
    }
  }

  /// The pixels turned and mirrored to be upright, without padding; O(*n*).
  public func oriented(by orientation: ImageOrientation) -> Raster {
    if orientation == .up { return packed }
    let inverse = orientation.inverse
    let upright = orientation.uprightSize(of: size)
    let axes = inverse.uprightFromStoredAxes
    let origin = inverse.upright(.zero, in: upright)
    let step = SIMD2(Int(axes.x.x), Int(axes.x.y))
    let next = SIMD2(Int(axes.y.x), Int(axes.y.y))
    return Raster(size: upright) { x, y in
      let column = Int(origin.x) + step.x * x + next.x * y
      let row = Int(origin.y) + step.y * x + next.y * y
      return self.samples[row * self.rowStride + column]
    }
  }

  /// The raster at another size, each pixel taken from the nearest one; O(*n*) of the result.
  ///
  /// Nearest is the only rule that never mixes a depth with a hole or across an edge. Pixel
  /// centers are matched: destination *u* reads source `(u + ½)·s` rounded down.
  /// - Precondition: Both sizes have pixels.
  public func scaledNearest(to target: RasterSize) -> Raster {
    precondition(size.pixelCount > 0 || target.pixelCount == 0, "nothing to scale in \(size)")
    let columns = (0..<target.width).map { ($0 * 2 + 1) * width / (2 * target.width) }
    return Raster(size: target) { x, y in
      let row = (y * 2 + 1) * self.height / (2 * target.height)
      return self.samples[row * self.rowStride + columns[x]]
    }
  }
}
