internal import PlumblineModel

/// Reads the cells of quads as a marker's code.
struct MarkerReader {
  /// The number of cells along a side, the black border not counted.
  let side: Int
  /// The least difference of gray levels between black and white cells.
  var leastContrast = 10.0

  /// The cells inside a quad, row after row from its first corner, white is 1.
  ///
  /// The limit between black and white separates the cells' levels best (Otsu). Of the border's
  /// cells up to one in eight may look white.
  /// - Source: N. Otsu, A threshold selection method from gray-level histograms, 1979.
  /// - Returns: `nil` for a quad without a black border or without contrast.
  func code(of quad: Quad, in luma: Raster<UInt8>) -> UInt64? {
    withLevels(of: quad, in: luma) { levels in
      guard let limit = threshold(levels) else { return nil }
      let cells = side + 2
      var code: UInt64 = 0
      var wrong = 0
      for row in 0..<cells {
        for column in 0..<cells {
          let isWhite = levels[row &* cells &+ column] > limit
          let isBorder = row == 0 || column == 0 || row == cells - 1 || column == cells - 1
          if isBorder { wrong += isWhite ? 1 : 0 } else { code = code << 1 | (isWhite ? 1 : 0) }
        }
      }
      return wrong * 8 <= 4 * (side + 1) ? code : nil
    }
  }

  /// The levels of all cells of a quad, its border included, without their mean and scaled to unit
  /// length; `nil` without contrast.
  func profile(of quad: Quad, in luma: Raster<UInt8>) -> [Float]? {
    withLevels(of: quad, in: luma) { levels in
      guard threshold(levels) != nil else { return nil }
      return MarkerProfiles.normalized(levels.map { Float($0) })
    }
  }

  /// Hands out the mean of four positions around each cell's center.
  private func withLevels<Result>(
    of quad: Quad, in luma: Raster<UInt8>,
    _ body: (UnsafeMutableBufferPointer<Double>) -> Result?
  ) -> Result? {
    guard let map = PlaneHomography(unitSquareTo: quad.corners) else { return nil }
    let cells = side + 2
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: cells * cells) { levels in
      luma.samples.withUnsafeBufferPointer { samples in
        let view = LumaView(samples: samples, luma: luma)
        let step = 1 / Double(cells)
        let reach = 0.17 * step
        for row in 0..<cells {
          for column in 0..<cells {
            let center = SIMD2(Double(column) + 0.5, Double(row) + 0.5) * step
            var sum = 0.0
            sum += view.level(at: map(center + SIMD2(reach, reach)))
            sum += view.level(at: map(center + SIMD2(-reach, reach)))
            sum += view.level(at: map(center + SIMD2(reach, -reach)))
            sum += view.level(at: map(center + SIMD2(-reach, -reach)))
            levels.initializeElement(at: row &* cells &+ column, to: sum / 4)
          }
        }
      }
      return body(levels)
    }
  }

  /// The limit that leaves the least variance on its two sides; `nil` without contrast.
  private func threshold(_ levels: UnsafeMutableBufferPointer<Double>) -> Double? {
    let count = levels.count
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { sorted in
      // Insertion into order: a few dozen numbers.
      var total = 0.0
      for index in 0..<count {
        let level = levels[index]
        total += level
        var place = index
        while place > 0 && sorted[place &- 1] > level {
          sorted.initializeElement(at: place, to: sorted[place &- 1])
          place &-= 1
        }
        sorted.initializeElement(at: place, to: level)
      }
      var (best, limit, contrast) = (-1.0, 0.0, 0.0)
      var below = 0.0
      for index in 1..<count {
        below += sorted[index - 1]
        let (dark, light) = (below / Double(index), (total - below) / Double(count - index))
        let separation = Double(index * (count - index)) * (light - dark) * (light - dark)
        if separation > best {
          (best, contrast) = (separation, light - dark)
          limit = (dark + light) / 2
        }
      }
      return contrast >= leastContrast ? limit : nil
    }
  }
}

/// An image's samples for reading between pixels.
struct LumaView {
  let samples: UnsafeBufferPointer<UInt8>
  let width: Int
  let height: Int
  let rowStride: Int

  init(samples: UnsafeBufferPointer<UInt8>, luma: Raster<UInt8>) {
    self.samples = samples
    (width, height, rowStride) = (luma.width, luma.height, luma.rowStride)
  }

  /// The bilinear level at a position; outside, that of the nearest pixel; O(1).
  ///
  /// - Precondition: There are two pixels each way at least.
  @inline(__always)
  func level(at place: SIMD2<Double>) -> Double {
    // A position that is no number reads the first pixel.
    let x = place.x > 0 ? min(place.x, Double(width - 1)) : 0
    let y = place.y > 0 ? min(place.y, Double(height - 1)) : 0
    let column = min(Int(x), width &- 2)
    let row = min(Int(y), height &- 2)
    let (u, v) = (x - Double(column), y - Double(row))
    let index = row &* rowStride &+ column
    let top = (1 - u) * Double(samples[index]) + u * Double(samples[index &+ 1])
    let below = index &+ rowStride
    let bottom = (1 - u) * Double(samples[below]) + u * Double(samples[below &+ 1])
    return (1 - v) * top + v * bottom
  }
}
