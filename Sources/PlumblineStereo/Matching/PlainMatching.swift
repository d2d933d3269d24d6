import PlumblineModel

/// Semi-global matching as plainly as it can be written; slow.
struct PlainMatching {
  let matcher: StereoMatcher
  let pair: RectifiedPair
  var width: Int { pair.size.width }
  var height: Int { pair.size.height }
  var count: Int { matcher.disparities.count }
  static let outside = 80

  func match() -> StereoMatch {
    let left = census(pair.left), right = census(pair.right)
    var costs = [Int](repeating: Self.outside, count: width * height * count)
    for y in 0..<height {
      for x in 0..<width {
        for (k, d) in matcher.disparities.enumerated() where x - d >= 0 && x - d < width {
          costs[(y * width + x) * count + k] =
            3 * (left[y * width + x] ^ right[y * width + x - d]).nonzeroBitCount
        }
      }
    }
    return selection(from: sums(of: costs))
  }

  func census(_ picture: Raster<UInt8>) -> [UInt32] {
    (0..<width * height).map { index in
      let x = index % width, y = index / width
      var bits: UInt32 = 0
      for v in -2...2 {
        for u in -2...2 where u != 0 || v != 0 {
          let other = picture[min(max(x + u, 0), width - 1), min(max(y + v, 0), height - 1)]
          bits = bits << 1 | (other < picture[x, y] ? 1 : 0)
        }
      }
      return bits
    }
  }

  func sums(of costs: [Int]) -> [Int] {
    var sums = [Int](repeating: 0, count: costs.count)
    var steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]
    if matcher.paths == .four { steps = Array(steps[..<4]) }
    if matcher.paths == .five { steps = [(1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1)] }
    for (stepX, stepY) in steps {
      var path = [Int](repeating: 0, count: costs.count)
      for y in stepY < 0 ? Array((0..<height).reversed()) : Array(0..<height) {
        for x in stepX < 0 ? Array((0..<width).reversed()) : Array(0..<width) {
          let here = (y * width + x) * count
          let before = ((y - stepY) * width + x - stepX) * count
          let inside = pair.left.contains(x: x - stepX, y: y - stepY)
          let least = inside ? path[before..<before + count].min() ?? 0 : 0
          for k in 0..<count {
            var step = 0
            if inside {
              step = min(path[before + k], least + matcher.largeStepPenalty)
              if k > 0 { step = min(step, path[before + k - 1] + matcher.smallStepPenalty) }
              if k + 1 < count { step = min(step, path[before + k + 1] + matcher.smallStepPenalty) }
            }
            path[here + k] = costs[here + k] + step - least
            sums[here + k] += path[here + k]
          }
        }
      }
    }
    return sums
  }

  func selection(from sums: [Int]) -> StereoMatch {
    var removed = StereoMatch.Removals()
    var result = Raster<Float>(size: pair.size, repeating: .nan)
    var sigma = Raster<Float>(size: pair.size, repeating: .nan)
    let first = matcher.disparities.lowerBound
    for y in 0..<height {
      // The best pixel of the left picture for each of the right one.
      var rightBest = [Int](repeating: -1, count: width)
      for x in 0..<width {
        var least = Int.max
        for k in 0..<count {
          let source = x + first + k
          guard source >= 0, source < width else { continue }
          let sum = sums[(y * width + source) * count + k]
          if sum < least {
            least = sum
            rightBest[x] = k
          }
        }
      }
      for x in 0..<width {
        let curve = sums[(y * width + x) * count..<(y * width + x + 1) * count].map { Float($0) }
        var best = 0
        for k in 0..<count where curve[k] < curve[best] { best = k }
        let match = x - first - best
        guard match >= 0, match < width, pair.leftCoverage?[x, y] != 0,
          pair.rightCoverage?[match, y] != 0
        else {
          removed.uncovered += 1
          continue
        }
        let second = curve.indices.filter { abs($0 - best) > 1 }.map { curve[$0] }.min()
        if let second, second <= curve[best] * (1 + matcher.uniqueness) {
          removed.ambiguous += 1
          continue
        }
        if let tolerance = matcher.leftRightTolerancePixels,
          abs(rightBest[match] - best) > tolerance
        {
          removed.inconsistent += 1
          continue
        }
        var offset: Float = 0
        var slope: Float = 1
        if best > 0 && best + 1 < count {
          let down = curve[best - 1] - curve[best], up = curve[best + 1] - curve[best]
          slope = max(down, up, 1)
          offset = (down - up) / (2 * slope)
        }
        result[x, y] = Float(first + best) + offset
        sigma[x, y] = min(max(8 / slope, 0.1), Float(count))
      }
    }
    return StereoMatch(
      disparity: PixelDisparityMap(pixels: result), sigmaPixels: sigma, removed: removed)
  }
}
