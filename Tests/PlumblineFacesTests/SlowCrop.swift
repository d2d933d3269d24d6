import PlumblineFaces
import PlumblineModel

/// Crops sampled in plain Swift, number by number as their definition says.
enum SlowCrop {
  /// The result of ``CropSampler/tensor(of:in:)`` without averaging.
  static func sampled(
    _ crop: FaceCrop, in image: Raster<RGB8>, _ sampler: CropSampler
  ) -> [Float] {
    let side = sampler.inputSide
    let step = crop.sidePixels / Float(side)
    let first = crop.pointInImage(SIMD2(repeating: 0.5 / Float(side)))
    var values: [Float] = []
    values.reserveCapacity(3 * side * side)
    for row in 0..<side {
      let start = first + Float(row) * (crop.down * step)
      for column in 0..<side {
        let place = start + Float(column) * (crop.right * step)
        let x = min(max(place.x, -1), Float(image.width))
        let y = min(max(place.y, -1), Float(image.height))
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        func level(_ dx: Int, _ dy: Int) -> SIMD3<Float> {
          var (u, v) = (Int(left) + dx, Int(top) + dy)
          if sampler.outside == .black, !image.contains(x: u, y: v) { return .zero }
          u = min(max(u, 0), image.width - 1)
          v = min(max(v, 0), image.height - 1)
          let pixel = image[u, v]
          return [Float(pixel.red), Float(pixel.green), Float(pixel.blue)]
        }
        let upper = level(0, 0) + (level(1, 0) - level(0, 0)) * (x - left)
        let lower = level(0, 1) + (level(1, 1) - level(0, 1)) * (x - left)
        let value = (upper + (lower - upper) * (y - top)) * sampler.factor + sampler.offset
        values += [value.x, value.y, value.z]
      }
    }
    return values
  }

  /// Means of squares of the upright box around a crop, of all their columns and of two lines.
  static func reduced(
    _ crop: FaceCrop, in image: Raster<RGB8>, by factor: Int
  ) -> (image: Raster<RGB8>, crop: FaceCrop) {
    let reach =
      crop.sidePixels / 2 * (abs(crop.right.x) + abs(crop.right.y)) + Float(2 * factor)
    func start(_ center: Float) -> Int { Int(max(0, center - reach)) }
    func count(_ center: Float, _ length: Int) -> Int {
      (Int(min(Float(length), center + reach).rounded(.up)) - start(center)) / factor
    }
    let (left, top) = (start(crop.center.x), start(crop.center.y))
    // Two lines of each square, evenly.
    let step = (factor + 1) / 2
    let firstLine = (factor - 1 - step) / 2
    let lines = [firstLine, firstLine + step]
    let size = RasterSize(
      width: count(crop.center.x, image.width), height: count(crop.center.y, image.height))
    let small = Raster<RGB8>(size: size) { x, y in
      var sum = SIMD3<Int>.zero
      for line in lines {
        for column in 0..<factor {
          let pixel = image[left + x * factor + column, top + y * factor + line]
          sum &+= SIMD3(Int(pixel.red), Int(pixel.green), Int(pixel.blue))
        }
      }
      let area = factor * lines.count
      func mean(_ sum: Int) -> UInt8 { UInt8((sum + area / 2) / area) }
      return RGB8(red: mean(sum.x), green: mean(sum.y), blue: mean(sum.z))
    }
    let middle = Float(lines[0] + lines[1]) / 2
    let first = SIMD2(Float(left) + Float(factor - 1) / 2, Float(top) + middle)
    return (
      small,
      FaceCrop(
        center: (crop.center - first) / Float(factor), sidePixels: crop.sidePixels / Float(factor),
        rotationRadians: crop.rotationRadians)
    )
  }
}
