import PlumblineModel
import PlumblineStereo

/// The choice between the surfaces around an edge, as plainly as it can be written.
struct PlainEdges {
  let pair: RectifiedPair
  let map: Raster<Float>
  let sigmas: Raster<Float>
  /// By how many levels each left pixel is lighter than its match; NaN where it has none.
  private let changes: Raster<Double>

  init(pair: RectifiedPair, map: Raster<Float>, sigmas: Raster<Float>) {
    self.pair = pair
    self.map = map
    self.sigmas = sigmas
    changes = Raster(size: map.size) { x, y in
      guard !map[x, y].isNaN else { return .nan }
      let match = min(max(x - Int(map[x, y].rounded()), 0), map.width - 1)
      return Double(pair.left[x, y]) - Double(pair.right[match, y])
    }
  }

  /// The disparity and σ of a pixel after the choice.
  func choice(_ x: Int, _ y: Int) -> (disparity: Float, sigma: Double) {
    let own = (value: map[x, y], sigma: sigmas[x, y])
    guard !own.value.isNaN else { return (.nan, .nan) }
    let candidates = [own] + others(x, y)
    guard candidates.count > 1 else { return (own.value, Double(own.sigma)) }
    let costs = candidates.map { cost(x, y, $0.value) }
    var best = 0
    for index in costs.indices where costs[index] ?? .max < costs[best] ?? .max { best = index }
    guard let least = costs[best] else { return (own.value, Double(own.sigma)) }
    if let first = costs[0], 10 * least >= 7 * first { best = 0 }
    guard let cost = costs[best] else { return (own.value, Double(own.sigma)) }
    let rival = costs.indices.filter { $0 != best }.compactMap { costs[$0] }.min() ?? Int(Int32.max)
    let ratio = Double(cost + 1) / Double(rival + 1)
    let mean = Double(cost) / Double(weights(x, y).reduce(0, +))
    let open = 0.6 * ratio * ratio + 0.1 * mean
    let sigma = Double(candidates[best].sigma)
    return (candidates[best].value, (sigma * sigma + open * open).squareRoot())
  }

  private func others(_ x: Int, _ y: Int) -> [(value: Float, sigma: Float)] {
    var found: [(value: Float, sigma: Float)] = []
    for (u, v) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
      var last: (value: Float, sigma: Float)?
      for step in [2, 4, 6] where map.contains(x: x + u * step, y: y + v * step) {
        let there = map[x + u * step, y + v * step]
        guard abs(there - map[x, y]) > 1.5 else { continue }
        if let known = last, abs(there - known.value) > 1.5 { break }
        last = (there, sigmas[x + u * step, y + v * step])
      }
      guard let last, found.count < 4,
        !found.contains(where: { abs($0.value - last.value) <= 0.75 })
      else { continue }
      found.append(last)
    }
    return found
  }

  private func level(_ image: Raster<UInt8>, _ x: Int, _ y: Int) -> Int {
    Int(image[min(max(x, 0), image.width - 1), min(max(y, 0), image.height - 1)])
  }

  private var window: [(u: Int, v: Int)] {
    (-3...3).flatMap { v in (-3...3).map { (u: $0, v: v) } }
  }

  private func weights(_ x: Int, _ y: Int) -> [Int] {
    window.map { place in
      let change = abs(level(pair.left, x + place.u, y + place.v) - level(pair.left, x, y))
      return max(24 - change, 0) * max(24 - change, 0) / 16
    }
  }

  /// The weighted differences at a disparity; `nil` where the match lies outside of the right image.
  private func cost(_ x: Int, _ y: Int, _ disparity: Float) -> Int? {
    let place = 16 * x - Int((disparity * 16 + 0.5).rounded(.down))
    let column = Int((Double(place) / 16).rounded(.down)), share = place - 16 * column
    guard (0..<pair.size.width).contains(column) else { return nil }
    let offset = Int((PlainSmoothing.mean(changes, x, y) + 0.5).rounded(.down))
    return zip(window, weights(x, y)).reduce(0) { sum, entry in
      let (u, v) = entry.0
      let low = level(pair.right, column + u, y + v)
      let high = level(pair.right, column + u + 1, y + v)
      let right = (low * (16 - share) + high * share + 8) / 16
      return sum + entry.1 * min(abs(level(pair.left, x + u, y + v) - right - offset), 10)
    }
  }
}
