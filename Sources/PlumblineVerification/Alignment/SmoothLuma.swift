import PlumblineModel

/// Brightness smoothed by a binomial of five taps (sigma 1 px), to be read between pixels.
struct SmoothLuma {
  let width: Int
  let height: Int
  let samples: [Float]
  /// The typical change over two pixels, half of it: what an edge must exceed to be one.
  let noise: Float

  /// Smooths brightness reduced by a whole factor; O(*n*).
  init(_ luma: Raster<UInt8>, reducedBy factor: Int = 1) {
    let (width, height) = (luma.width / factor, luma.height / factor)
    self.width = width
    self.height = height
    var reduced = [Float](repeating: 0, count: width * height)
    let share = 1 / Float(factor * factor)
    luma.samples.withUnsafeBufferPointer { source in
      reduced.withUnsafeMutableBufferPointer { target in
        for y in 0..<height {
          for x in 0..<width {
            var sum: Int32 = 0
            for row in y &* factor..<(y &+ 1) &* factor {
              for column in x &* factor..<(x &+ 1) &* factor {
                sum &+= Int32(source[row &* luma.rowStride &+ column])
              }
            }
            target[y &* width &+ x] = Float(sum) * share
          }
        }
      }
    }
    var smooth = reduced
    Self.smooth(reduced, &smooth, lines: height, lineStep: width, count: width, step: 1)
    Self.smooth(smooth, &reduced, lines: width, lineStep: 1, count: height, step: width)
    samples = reduced
    noise = Self.typicalChange(reduced, width, height)
  }

  private static func smooth(
    _ source: [Float], _ target: inout [Float], lines: Int, lineStep: Int, count: Int, step: Int
  ) {
    guard count >= 5 else {
      target = source
      return
    }
    source.withUnsafeBufferPointer { a in
      target.withUnsafeMutableBufferPointer { b in
        for line in 0..<lines {
          let start = line &* lineStep
          for position in 0..<count {
            // Beyond the border the outermost pixel continues.
            if position < 2 || position > count &- 3 {
              let index = { start &+ max(0, min(count &- 1, position &+ $0)) &* step }
              let near = 4 * (a[index(-1)] + a[index(1)])
              b[index(0)] = (a[index(-2)] + a[index(2)] + near + 6 * a[index(0)]) / 16
              continue
            }
            let i = start &+ position &* step
            let near = 4 * (a[i &- step] + a[i &+ step])
            b[i] = (a[i &- 2 &* step] + a[i &+ 2 &* step] + near + 6 * a[i]) * 0.0625
          }
        }
      }
    }
  }

  /// The median of half the change over two pixels, from every 23rd pixel, and half a code.
  private static func typicalChange(_ samples: [Float], _ width: Int, _ height: Int) -> Float {
    guard width > 2, height > 2 else { return 0.5 }
    var changes: [Float] = []
    for index in stride(from: width + 1, to: width * (height - 1) - 1, by: 23) {
      let x = samples[index + 1] - samples[index - 1]
      let y = samples[index + width] - samples[index - width]
      changes.append(0.5 * (x * x + y * y).squareRoot())
    }
    changes.sort()
    return changes.isEmpty ? 0.5 : changes[changes.count / 2] + 0.5
  }
}
