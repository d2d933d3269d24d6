public import PlumblineModel

extension SimulatedScene {
  /// How much of each pixel shows some of the surfaces, 0 to 255: what a perfect matte holds.
  ///
  /// Four rays for each pixel, so edges have five levels.
  public func coverage(of indices: Range<Int>, from camera: SimulatedCamera) -> Raster<UInt8> {
    Raster(size: camera.size) { x, y in
      var count = 0
      for (column, row) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
        let ray = camera.ray(through: SIMD2(Double(x) + column, Double(y) + row))
        if let hit = self.firstHit(of: ray), indices.contains(hit.surface) { count += 1 }
      }
      return UInt8(count * 255 / 4)
    }
  }
}
