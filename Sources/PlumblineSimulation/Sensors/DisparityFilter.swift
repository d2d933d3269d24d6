internal import PlumblineModel

/// What a phone does to a map before it stores it in a photo: fills every hole, then smooths.
///
/// Apple does not publish its filter. This one has the same consequences: no missing pixels,
/// values invented from the farther side of a hole, noise reduced within surfaces.
enum DisparityFilter {
  static func filtered(_ disparity: Raster<Float>, jumpRatio: Float) -> Raster<Float> {
    let filled = filled(disparity)
    return Raster(size: filled.size) { x, y in
      let center = filled[x, y]
      guard center.isFinite else { return center }
      var sum: Float = 0
      var count: Float = 0
      for row in max(y - 1, 0)...min(y + 1, filled.height - 1) {
        for column in max(x - 1, 0)...min(x + 1, filled.width - 1) {
          let value = filled[column, row]
          guard value * jumpRatio > center && value < center * jumpRatio else { continue }
          sum += value
          count += 1
        }
      }
      return count > 0 ? sum / count : center
    }
  }

  /// Each hole takes the smaller disparity, thus the farther surface, of its row's two ends.
  private static func filled(_ disparity: Raster<Float>) -> Raster<Float> {
    var result = disparity.packed
    for y in 0..<result.height {
      var x = 0
      while x < result.width {
        guard !result[x, y].isFinite else {
          x += 1
          continue
        }
        var end = x
        while end < result.width, !result[end, y].isFinite { end += 1 }
        // An end that lies outside the image is replaced by the row above, which is filled.
        for column in x..<end {
          let above = y > 0 ? result[column, y - 1] : Float.infinity
          let left = x > 0 ? result[x - 1, y] : above
          let right = end < result.width ? result[end, y] : above
          let value = min(left, right)
          result[column, y] = value < .infinity ? value : DepthMap.missing
        }
        x = end
      }
    }
    return result
  }
}
