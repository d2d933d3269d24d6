import PlumblineModel
import PlumblineStereo

/// Semi-global matching as plainly as it can be written: slow, with no check but those of rivals and of the
/// right image, without smoothing or tiles.
struct PlainMatching {
  let matcher: StereoMatcher
  let pair: RectifiedPair
  private var width: Int { pair.size.width }
  private var height: Int { pair.size.height }
  private var count: Int { matcher.disparities.count }

  /// Disparities by the least sum; NaN where the match lies outside, where nothing is preferred, where a
  /// rival costs hardly more, and where the match prefers another disparity.
  func disparities() -> [Float] {
    let sums = sums(of: costs())
    let chosen = (0..<width * height).map { choice(at: $0, sums) }
    guard let tolerance = matcher.leftRightTolerancePixels else { return chosen }
    return chosen.enumerated().map { index, disparity in
      guard !disparity.isNaN else { return disparity }
      let wholes = Set([disparity.rounded(.down), disparity.rounded(.up)].map { Int($0) })
      let objects = wholes.allSatisfy { whole in
        let match = index % width - whole
        guard (0..<width).contains(match),
          let preferred = preference(of: match, row: index / width, sums)
        else { return false }
        return abs(preferred - whole) > tolerance
      }
      return objects ? .nan : disparity
    }
  }

  private func choice(at index: Int, _ sums: [Int]) -> Float {
    let curve = sums[index * count..<(index + 1) * count].map { Float($0) }
    var best = 0
    for k in 0..<count where curve[k] < curve[best] { best = k }
    let whole = matcher.disparities.lowerBound + best
    guard (0..<width).contains(index % width - whole) else { return .nan }
    let down = best > 0 ? curve[best - 1] - curve[best] : 0
    let up = best + 1 < count ? curve[best + 1] - curve[best] : 0
    let larger = max(down, up)
    if larger == 0 && count > 1 { return .nan }
    // Sums below this whole number are rivals, unless they are next to the best.
    let limit = (curve[best] * (1 / (1 - matcher.uniqueness))).rounded(.up)
    if (0..<count).contains(where: { abs($0 - best) > 1 && curve[$0] < limit }) { return .nan }
    if best == 0 || best + 1 == count { return Float(whole) }
    let ratio = min(down, up) / larger
    let size = 0.5 - 0.425 * ratio - 0.075 * ratio * ratio
    return Float(whole) + (down > up ? size : -size)
  }

  /// The disparity at which a pixel of the right image costs least; the leftmost of equals.
  private func preference(of match: Int, row y: Int, _ sums: [Int]) -> Int? {
    var best: (sum: Int, whole: Int)?
    for x in 0..<width {
      let k = x - match - matcher.disparities.lowerBound
      guard (0..<count).contains(k) else { continue }
      let sum = sums[(y * width + x) * count + k]
      if sum < best?.sum ?? .max { best = (sum, x - match) }
    }
    return best?.whole
  }

  private func level(_ image: Raster<UInt8>, _ x: Int, _ y: Int) -> Int {
    Int(image[min(max(x, 0), width - 1), min(max(y, 0), height - 1)])
  }

  private func gradient(_ image: Raster<UInt8>, _ x: Int, _ y: Int) -> Int {
    let sum = [(-1, 1), (0, 2), (1, 1)].reduce(0) { sum, row in
      sum + row.1 * (level(image, x + 1, y + row.0) - level(image, x - 1, y + row.0))
    }
    return min(max(sum, -45), 45) + 45
  }

  private func bounds(_ values: [Int]) -> ClosedRange<Int> {
    let around = [(values[0] + values[1]) / 2, values[1], (values[1] + values[2]) / 2]
    return (around.min() ?? 0)...(around.max() ?? 0)
  }

  private func difference(_ a: [Int], _ b: [Int]) -> Int {
    func outside(_ value: Int, _ bounds: ClosedRange<Int>) -> Int {
      max(value - bounds.upperBound, bounds.lowerBound - value, 0)
    }
    return min(outside(a[1], bounds(b)), outside(b[1], bounds(a)))
  }

  /// What describes a pixel: which of its neighbors are darker, and three gradients and levels of its row.
  private struct Description {
    var isDarker: [Bool]
    var gradients: [Int]
    var levels: [Int]
  }

  private func descriptions(_ image: Raster<UInt8>) -> [Description] {
    (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      return Description(
        isDarker: (-3...3).flatMap { v in
          (-3...3).map { u in level(image, x + u, y + v) < level(image, x, y) }
        },
        gradients: (-1...1).map { gradient(image, x + $0, y) },
        levels: (-1...1).map { level(image, x + $0, y) })
    }
  }

  private func costs() -> [Int] {
    let (left, right) = (descriptions(pair.left), descriptions(pair.right))
    var pixel = [Int](repeating: 0, count: width * height * count)
    for y in 0..<height {
      for x in 0..<width {
        let ours = left[y * width + x]
        for (k, d) in matcher.disparities.enumerated() {
          // The pixel at the end stands for those outside.
          let theirs = right[y * width + min(max(x - d, 0), width - 1)]
          let sum = zip(ours.isDarker, theirs.isDarker).count { $0 != $1 }
          let slopes = difference(ours.gradients, theirs.gradients)
          let levels = difference(ours.levels, theirs.levels)
          pixel[(y * width + x) * count + k] = min(min(sum + 2 * slopes, 255) + levels / 2, 255)
        }
      }
    }
    return (0..<pixel.count).map { index in
      let (k, x, y) = (index % count, index / count % width, index / count / width)
      var sum = 0
      for v in -1...1 {
        for u in -1...1 {
          let (nearX, nearY) = (min(max(x + u, 0), width - 1), min(max(y + v, 0), height - 1))
          sum += pixel[(nearY * width + nearX) * count + k]
        }
      }
      return min((sum + 8) / 16, 111)
    }
  }

  private func sums(of costs: [Int]) -> [Int] {
    var sums = [Int](repeating: 0, count: costs.count)
    var steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]
    if matcher.paths == .four { steps = Array(steps[..<4]) }
    if matcher.paths == .five { steps = [(1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1)] }
    for (stepX, stepY) in steps {
      var path = [Int](repeating: 0, count: costs.count)
      for y in stepY < 0 ? Array((0..<height).reversed()) : Array(0..<height) {
        for x in stepX < 0 ? Array((0..<width).reversed()) : Array(0..<width) {
          let here = (y * width + x) * count
          guard pair.left.contains(x: x - stepX, y: y - stepY) else {
            for k in 0..<count { path[here + k] = costs[here + k] }
            continue
          }
          let before = ((y - stepY) * width + x - stepX) * count
          let least = path[before..<before + count].min() ?? 0
          let contrast = abs(Int(pair.left[x, y]) - Int(pair.left[x - stepX, y - stepY]))
          let shrunk =
            Float(matcher.largeStepPenalty)
            / (1 + Float(contrast) / matcher.largeStepLevelScale)
          let large = Int(max(shrunk, Float(matcher.smallStepPenalty) * 1.5))
          for k in 0..<count {
            var step = min(path[before + k], least + large)
            if k > 0 { step = min(step, path[before + k - 1] + matcher.smallStepPenalty) }
            if k + 1 < count { step = min(step, path[before + k + 1] + matcher.smallStepPenalty) }
            path[here + k] = costs[here + k] + step - least
          }
        }
      }
      for index in sums.indices { sums[index] += path[index] }
    }
    return sums
  }
}
