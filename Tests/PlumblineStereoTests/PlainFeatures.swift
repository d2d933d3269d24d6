import PlumblineModel

/// The kernels of features as their definitions read, pixel by pixel in double precision.
struct PlainFeatures {
  let image: Raster<UInt8>

  init(_ image: Raster<UInt8>) { self.image = image }

  private func level(_ x: Int, _ y: Int) -> Int { Int(image[x, y]) }

  private func isInside(_ x: Int, _ y: Int, border: Int) -> Bool {
    x >= border && y >= border && x < image.width - border && y < image.height - border
  }

  private func map<Value>(
    border: Int, outside: Value, _ body: (_ x: Int, _ y: Int) -> Value
  ) -> [Value] {
    (0..<image.size.pixelCount).map { index in
      let (x, y) = (index % image.width, index / image.width)
      return isInside(x, y, border: border) ? body(x, y) : outside
    }
  }

  func boxSums(radius: Int) -> [UInt32] {
    map(border: radius, outside: 0) { x, y in
      var sum = 0
      for v in -radius...radius { for u in -radius...radius { sum += level(x + u, y + v) } }
      return UInt32(sum)
    }
  }

  /// The smaller eigenvalue, as the root of the characteristic polynomial.
  func strength(radius: Int) -> [Double] {
    map(border: radius + 1, outside: 0) { x, y in
      var (xx, xy, yy) = (0, 0, 0)
      for row in y - radius...y + radius {
        for column in x - radius...x + radius {
          let gx = level(column + 1, row) - level(column - 1, row)
          let gy = level(column, row + 1) - level(column, row - 1)
          (xx, xy, yy) = (xx + gx * gx, xy + gx * gy, yy + gy * gy)
        }
      }
      // Central differences of two pixels: a quarter of each product.
      let pixels = Double((2 * radius + 1) * (2 * radius + 1)) * 4
      let (trace, determinant) = (Double(xx + yy), Double(xx * yy - xy * xy))
      let larger = trace / 2 + (trace * trace / 4 - determinant).squareRoot()
      return larger > 0 ? determinant / larger / pixels : 0
    }
  }

  static func distance(_ a: SIMD4<UInt64>, _ b: SIMD4<UInt64>) -> Int {
    var count = 0
    for bit in 0..<256 {
      let words: UInt64 = a[bit / 64] ^ b[bit / 64]
      if words >> UInt64(bit % 64) & 1 == 1 { count += 1 }
    }
    return count
  }

  /// Bilinear samples around a position, `reach` to each side; `nil` where one leaves the image.
  private func window(_ place: SIMD2<Double>, reach: Int) -> [[Double]]? {
    let (left, top) = (place.x - Double(reach), place.y - Double(reach))
    guard left >= 0, top >= 0, place.x + Double(reach + 1) < Double(image.width),
      place.y + Double(reach + 1) < Double(image.height)
    else { return nil }
    return (0...2 * reach).map { row in
      (0...2 * reach).map { column in
        let (x, y) = (Int(left) + column, Int(top) + row)
        let (u, v) = (left - left.rounded(.down), top - top.rounded(.down))
        let corners = [level(x, y), level(x + 1, y), level(x, y + 1), level(x + 1, y + 1)]
          .map { Double($0) }
        let upper: Double = corners[0] * (1 - u) + corners[1] * u
        let lower: Double = corners[2] * (1 - u) + corners[3] * u
        return upper * (1 - v) + lower * v
      }
    }
  }

  /// Gauss and Newton's method on windows whose mean and contrast are taken out; at most 12 windows
  /// are evaluated, one more after a step below 0.001 pixels.
  func refine(
    _ place: inout SIMD2<Double>, in right: Raster<UInt8>, like source: SIMD2<Double>, radius: Int
  ) -> Double {
    let other = PlainFeatures(right)
    let inner = (1...2 * radius + 1).flatMap { row in
      (1...2 * radius + 1).map { column in (row, column) }
    }
    func centered(_ window: [[Double]]) -> (values: [Double], variance: Double) {
      let values = inner.map { window[$0.0][$0.1] }
      let mean = values.reduce(0, +) / Double(values.count)
      let rest = values.map { $0 - mean }
      return (rest, rest.reduce(0) { $0 + $1 * $1 })
    }
    guard let own = window(source, reach: radius + 1).map(centered),
      own.variance > Double(inner.count)
    else { return -2 }
    var found = place
    var isLast = false
    for round in 0..<12 {
      guard let window = other.window(found, reach: radius + 1) else { return -2 }
      let their = centered(window)
      guard their.variance > Double(inner.count) else { return -2 }
      let product = zip(own.values, their.values).reduce(0) { $0 + $1.0 * $1.1 }
      if isLast || round == 11 {
        place = found
        return product / (own.variance * their.variance).squareRoot()
      }
      let gain = (their.variance / own.variance).squareRoot()
      var (xx, xy, yy) = (0.0, 0.0, 0.0)
      var right = SIMD2<Double>.zero
      for (index, at) in inner.enumerated() {
        let gx = (window[at.0][at.1 + 1] - window[at.0][at.1 - 1]) / 2
        let gy = (window[at.0 + 1][at.1] - window[at.0 - 1][at.1]) / 2
        let residual = gain * own.values[index] - their.values[index]
        (xx, xy, yy) = (xx + gx * gx, xy + gx * gy, yy + gy * gy)
        right += SIMD2(gx, gy) * residual
      }
      let determinant = xx * yy - xy * xy
      guard determinant > 1e-6 * (xx + yy) * (xx + yy) else { return -2 }
      let step = SIMD2(yy * right.x - xy * right.y, xx * right.y - xy * right.x) / determinant
      let length = (step * step).sum()
      guard length <= 4 else { return -2 }
      found += step
      isLast = length < 1e-6
    }
    return -2
  }
}
