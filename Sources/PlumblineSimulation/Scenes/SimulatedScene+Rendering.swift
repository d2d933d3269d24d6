public import PlumblineModel

extension SimulatedScene {
  /// The exact depth of each pixel center, in meters; NaN where nothing is seen.
  ///
  /// - Complexity: O(pixels · surfaces).
  public func depthMap(from camera: SimulatedCamera) -> DepthMap {
    DepthMap(
      meters: Raster(size: camera.size) { x, y in
        let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
        return Float(self.firstHit(of: ray)?.parameter ?? .nan)
      })
  }

  /// Which surface each pixel center sees: its index, or `UInt8.max` for none.
  public func surfaceMap(from camera: SimulatedCamera) -> Raster<UInt8> {
    Raster(size: camera.size) { x, y in
      let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
      return UInt8(clamping: self.firstHit(of: ray)?.surface ?? 255)
    }
  }

  /// The color image, sRGB.
  ///
  /// One ray for each pixel; where neighbors see different surfaces or a jump in depth, sixteen.
  /// - Complexity: O(pixels · surfaces).
  public func colorImage(from camera: SimulatedCamera) -> Raster<RGB8> {
    let size = camera.size
    var hits: [Hit?] = []
    hits.reserveCapacity(size.pixelCount)
    for y in 0..<size.height {
      for x in 0..<size.width {
        hits.append(firstHit(of: camera.ray(through: SIMD2(Double(x), Double(y)))))
      }
    }
    return Raster(size: size) { x, y in
      let center = SIMD2(Double(x), Double(y))
      let index = y * size.width + x
      let next = [x > 0 ? index - 1 : index, y > 0 ? index - size.width : index]
      let after = [
        x + 1 < size.width ? index + 1 : index, y + 1 < size.height ? index + size.width : index,
      ]
      guard (next + after).contains(where: { Self.isEdge(hits[index], hits[$0]) }) else {
        return Self.encoded(
          self.light(on: hits[index], along: camera.ray(through: center), from: camera))
      }
      var sum = SIMD3<Double>.zero
      for row in 0..<4 {
        for column in 0..<4 {
          let offset = SIMD2(Double(column), Double(row)) / 4 - 0.375
          let ray = camera.ray(through: center + offset)
          sum += self.light(on: self.firstHit(of: ray), along: ray, from: camera)
        }
      }
      return Self.encoded(sum / 16)
    }
  }

  private static func isEdge(_ a: Hit?, _ b: Hit?) -> Bool {
    guard let a, let b else { return (a == nil) != (b == nil) }
    return a.surface != b.surface || abs(a.parameter - b.parameter) > 0.01 * a.parameter
  }

  private static func encoded(_ light: SIMD3<Double>) -> RGB8 {
    RGB8(
      red: StandardRGB.code(light.x), green: StandardRGB.code(light.y),
      blue: StandardRGB.code(light.z))
  }
}
