import PlumblineModel

@testable import PlumblineCorrection

/// The filters again, pixel by pixel from their descriptions, as oracles of the kernels.
enum SlowFilters {
  /// The sample, or NaN outside.
  static func at(_ map: Raster<Float>, _ x: Int, _ y: Int) -> Float {
    map.contains(x: x, y: y) ? map[x, y] : .nan
  }

  static func falloff(_ sigma: [Float], sigmas: Float) -> [Float] {
    sigma.map { 1 / max(16 * sigmas * sigmas * $0 * $0, .leastNormalMagnitude) }
  }

  static func bilateral(
    _ map: Raster<Float>, falloff: [Float], _ spatial: SpatialWeights,
    gray: Raster<UInt8>? = nil, grayFalloff: Float = 0
  ) -> Raster<Float> {
    Raster(size: map.size) { x, y in
      let center = map[x, y]
      var sum: Float = 0
      var total: Float = 0
      for (offset, weight) in zip(spatial.offsets, spatial.weights) {
        let (u, v) = (x + offset.x, y + offset.y)
        let difference = at(map, u, v) - center
        var near = 1 - difference * difference * falloff[y * map.width + x]
        guard near > 0 else { continue }
        if let gray {
          let other = Float(gray.contains(x: u, y: v) ? gray[u, v] : 0) - Float(gray[x, y])
          let alike = 1 - other * other * grayFalloff
          guard alike > 0 else { continue }
          near *= alike
        }
        near *= near
        near *= near
        near *= near
        total += near * weight
        sum += near * weight * difference
      }
      return center + sum / (total + 1)
    }
  }

  static func step(_ frame: DepthFrame, _ step: DepthStep, _ x: Int, _ y: Int) -> Float {
    let v = 1 / frame.depth.meters[x, y]
    return max(step.sigmas * frame.sigmaMeters[x, y] * v * v, step.share * v)
  }

  static func flying(_ frame: DepthFrame, _ limit: DepthStep) -> Raster<Float> {
    let map = frame.depth.meters
    func v(_ x: Int, _ y: Int) -> Float { 1 / at(map, x, y) }
    return Raster(size: map.size) { x, y in
      for scale in [1, 2] {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
          let (i, j) = (dx * scale, dy * scale)
          let to = v(x, y) - v(x - i, y - j)
          let from = v(x + i, y + j) - v(x, y)
          guard to * from > 0, min(abs(to), abs(from)) > step(frame, limit, x, y) else { continue }
          let before = abs(v(x - i, y - j) - v(x - 2 * i, y - 2 * j))
          let after = abs(v(x + 2 * i, y + 2 * j) - v(x + i, y + j))
          if before.isNaN && after.isNaN { continue }
          // A neighbor without anything behind it speaks against neither.
          if before > 0.5 * abs(to) || after > 0.5 * abs(from) { continue }
          return .nan
        }
      }
      return map[x, y]
    }
  }

  static func silhouette(_ frame: DepthFrame, _ filter: SilhouetteRemoval) -> Raster<Float> {
    let map = frame.depth.meters
    func v(_ x: Int, _ y: Int) -> Float { 1 / at(map, x, y) }
    let edges = Raster(size: map.size) { x, y in
      for dy in -1...1 {
        for dx in -1...1 where (dx, dy) != (0, 0) {
          let to = v(x + dx, y + dy) - v(x, y)
          let behind = v(x, y) - v(x - dx, y - dy)
          let slope = behind.isNaN ? v(x + 2 * dx, y + 2 * dy) - v(x + dx, y + dy) : behind
          if abs(to) > step(frame, filter.step, x, y), abs(to - slope) >= 0.5 * abs(to) {
            return true
          }
        }
      }
      return false
    }
    let reach = filter.bandPixels - 1
    return Raster(size: map.size) { x, y in
      for v in max(0, y - reach)...min(map.height - 1, y + reach) {
        for u in max(0, x - reach)...min(map.width - 1, x + reach) where edges[u, v] {
          return .nan
        }
      }
      return map[x, y]
    }
  }

  /// Flood fill in place of runs.
  static func speckle(_ frame: DepthFrame, _ filter: SpeckleRemoval) -> Raster<Float> {
    var map = frame.depth.meters
    let original = map
    var seen = Raster(size: map.size, repeating: false)
    func linked(_ a: (Int, Int), _ b: (Int, Int)) -> Bool {
      // The step is that of the right or lower one.
      let last = (a.1, a.0) < (b.1, b.0) ? b : a
      return abs(1 / original[a.0, a.1] - 1 / original[b.0, b.1])
        <= step(frame, filter.step, last.0, last.1)
    }
    for y in 0..<map.height {
      for x in 0..<map.width where !seen[x, y] && !original[x, y].isNaN {
        var surface = [(x, y)]
        seen[x, y] = true
        var next = 0
        while next < surface.count {
          let (u, v) = surface[next]
          next += 1
          for (a, b) in [(u - 1, v), (u + 1, v), (u, v - 1), (u, v + 1)]
          where map.contains(x: a, y: b) && !seen[a, b] && linked((u, v), (a, b)) {
            seen[a, b] = true
            surface.append((a, b))
          }
        }
        if surface.count < filter.minimumPixels {
          for (u, v) in surface { map[u, v] = .nan }
        }
      }
    }
    return map
  }

  static func medians(_ map: Raster<Float>, side: Int) -> Raster<Float> {
    Raster(size: RasterSize(width: map.width / side, height: map.height / side)) { x, y in
      var values: [Float] = []
      for v in 0..<side {
        for u in 0..<side where !map[x * side + u, y * side + v].isNaN {
          values.append(map[x * side + u, y * side + v])
        }
      }
      values.sort()
      return values.isEmpty ? .nan : values[(values.count - 1) / 2]
    }
  }

  /// What a filter over time gives for each frame of one pixel.
  static func steadied(
    _ depths: [Float], _ filter: TemporalFilter, sigma: Float
  ) -> [Float] {
    var kept = Float.nan
    var past: [Bool] = []
    return depths.map { depth in
      defer { past.insert(!depth.isNaN, at: 0) }
      if !depth.isNaN {
        let isNear = abs(depth - kept) <= filter.sigmas * sigma
        kept = isNear ? kept + filter.newShare * (depth - kept) : depth
        return kept
      }
      let rule = filter.persistence.rule
      let seen = past.prefix(Int(rule.window)).count { $0 }
      return seen >= Int(rule.needed) ? kept : .nan
    }
  }
}
