package import PlumblineModel

extension Raster where Sample == RGB8 {
  /// The image at another size: the mean of the covered area along an axis that shrinks, linear
  /// interpolation along one that grows; pixel centers are matched.
  ///
  /// O(*n*).
  /// - Precondition: Both sizes have pixels.
  package func scaled(to target: RasterSize) -> Raster<RGB8> {
    if target == size { return packed }
    let columns = AxisWeights(from: width, to: target.width)
    let rows = AxisWeights(from: height, to: target.height)
    var lines = [SIMD3<Float>](repeating: .zero, count: target.width * height)
    for y in 0..<height {
      for x in 0..<target.width {
        var sum = SIMD3<Float>.zero
        for (offset, weight) in columns.weights[x].enumerated() {
          let pixel = samples[y * rowStride + columns.first[x] + offset]
          sum += SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue)) * weight
        }
        lines[y * target.width + x] = sum
      }
    }
    return Raster(size: target) { x, y in
      var sum = SIMD3<Float>.zero
      for (offset, weight) in rows.weights[y].enumerated() {
        sum += lines[(rows.first[y] + offset) * target.width + x] * weight
      }
      let codes = (sum + 0.5).rounded(.down).clamped(
        lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
      return RGB8(red: UInt8(codes.x), green: UInt8(codes.y), blue: UInt8(codes.z))
    }
  }
}

/// What each pixel of a scaled axis takes from which pixels; the weights of each sum to 1.
struct AxisWeights {
  var first: [Int] = []
  var weights: [[Float]] = []

  init(from source: Int, to target: Int) {
    let step = Double(source) / Double(target)
    for index in 0..<target {
      if step >= 1 {
        let start = Double(index) * step
        let end = min(start + step, Double(source))
        let low = min(Int(start), source - 1)
        let high = max(low, min(Int(end.rounded(.up)) - 1, source - 1))
        first.append(low)
        weights.append(
          (low...high).map { pixel in
            Float((min(end, Double(pixel + 1)) - max(start, Double(pixel))) / (end - start))
          })
      } else {
        let place = min(max((Double(index) + 0.5) * step - 0.5, 0), Double(source - 1))
        let low = min(Int(place), max(source - 2, 0))
        let share = Float(place - Double(low))
        first.append(low)
        weights.append(source > 1 ? [1 - share, share] : [1])
      }
    }
  }
}
