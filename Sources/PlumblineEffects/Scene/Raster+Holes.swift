internal import PlumblineModel

extension Raster<Float> {
  /// The map without holes: each missing pixel gets the least of the nearest values to its left,
  /// right, top and bottom, so that what lies behind grows into holes and what lies before does not.
  ///
  /// What is not finite and above 0 counts as a hole. It is `nil` when nothing was measured. O(*n*).
  func holesFilledFromBehind() -> Raster<Float>? {
    var map = self.map { $0 > 0 && $0 < .infinity ? $0 : Float.nan }
    guard map.samples.contains(where: { !$0.isNaN }) else { return nil }
    // A hole that meets nothing in four directions does once its neighbors are filled.
    while map.samples.contains(where: \.isNaN) {
      var filled = map.samples
      let (width, height) = (map.width, map.height)
      map.samples.withUnsafeBufferPointer { source in
        filled.withUnsafeMutableBufferPointer { result in
          func scan(_ start: Int, _ step: Int, _ count: Int) {
            var last = Float.nan
            var place = start
            for _ in 0..<count {
              if source[place].isNaN {
                // A comparison with NaN is false: the first value found is taken.
                if !(result[place] <= last) && !last.isNaN { result[place] = last }
              } else {
                last = source[place]
              }
              place += step
            }
          }
          for y in 0..<height {
            scan(y * width, 1, width)
            scan(y * width + width - 1, -1, width)
          }
          for x in 0..<width {
            scan(x, width, height)
            scan((height - 1) * width + x, -width, height)
          }
        }
      }
      map.samples = filled
    }
    return map
  }
}
