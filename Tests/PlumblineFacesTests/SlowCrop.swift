import PlumblineFaces
import PlumblineModel

/// Crops sampled in plain Swift, number by number as their definition says.
enum SlowCrop {
  /// What ``CropSampler/tensor(of:in:)`` gives without averaging.
  static func sampled(
    _ crop: FaceCrop, in picture: Raster<RGB8>, _ sampler: CropSampler
  ) -> [Float] {
    let side = sampler.inputSide
    let step = crop.sidePixels / Float(side)
    let first = crop.pointInPicture(SIMD2(repeating: 0.5 / Float(side)))
    var values: [Float] = []
    values.reserveCapacity(3 * side * side)
    for row in 0..<side {
      let start = first + Float(row) * (crop.down * step)
      for column in 0..<side {
        let place = start + Float(column) * (crop.right * step)
        let x = min(max(place.x, -1), Float(picture.width))
        let y = min(max(place.y, -1), Float(picture.height))
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        func level(_ dx: Int, _ dy: Int) -> SIMD3<Float> {
          var (u, v) = (Int(left) + dx, Int(top) + dy)
          if sampler.outside == .black, !picture.contains(x: u, y: v) { return .zero }
          u = min(max(u, 0), picture.width - 1)
          v = min(max(v, 0), picture.height - 1)
          let pixel = picture[u, v]
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
}
