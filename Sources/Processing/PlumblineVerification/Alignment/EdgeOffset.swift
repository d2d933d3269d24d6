import PlumblineModel
import PlumblineNumerics

/// How far along its normal a contour point is from the edge of the image that it belongs to.
struct EdgeOffset {
  /// The places that are read along the normal, for each pixel.
  static let placesPerPixel = 2

  /// The distance in pixels, positive toward the far side.
  var pixels: Float
  /// How much more the image changes at the edge than 4 to 5 px beside it, 0 to 1.
  var contrast: Float

  /// Looks along a normal for the edge that stands out most within a reach.
  ///
  /// `nil` when there is no edge, or part of the line is outside the image.
  /// - Parameters:
  ///   - luma: The image.
  ///   - position: Where the point should lie in the image, in pixels.
  ///   - normal: A unit vector.
  ///   - reach: How far to look each way, in pixels; at most 10.
  init?(_ luma: SmoothLuma, at position: SIMD2<Float>, normal: SIMD2<Float>, reach: Int) {
    let count = 2 * reach * Self.placesPerPixel + 1
    let extra = Self.placesPerPixel
    let far = Float(reach + 1)
    let (a, b) = (position - normal * far, position + normal * far)
    let low = pointwiseMin(a, b)
    let high = pointwiseMax(a, b)
    guard low.x >= 0, low.y >= 0, high.x < Float(luma.width - 1), high.y < Float(luma.height - 1)
    else { return nil }
    let found = withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * count + 2 * extra) {
      buffer -> (Float, Float)? in
      Self.readProfile(luma, from: a, along: normal, count: count + 2 * extra, into: buffer)
      // Half the change over two pixels, in place of a derivative, after the profile itself.
      let slopes = count + 2 * extra
      let best = Self.writeSlopes(of: buffer, count: count, reach: reach)
      guard best > 0, best < count - 1, buffer[slopes + best] > 3 * luma.noise else { return nil }
      let (p, q, r) = (
        buffer[slopes + best - 1], buffer[slopes + best], buffer[slopes + best + 1]
      )
      let curvature = p - 2 * q + r
      let part = curvature < -1e-6 ? max(-1, min(1, 0.5 * (p - r) / curvature)) : 0
      let offset = (Float(best) + part) / Float(Self.placesPerPixel) - Float(reach)
      func response(_ index: Int) -> Float {
        buffer[slopes + index] / (buffer[slopes + index] + 3 * luma.noise)
      }
      let middle = reach * Self.placesPerPixel
      let center = (response(middle - 1) + response(middle) + response(middle + 1)) / 3
      let sides = (response(0) + response(2) + response(count - 3) + response(count - 1)) / 4
      return (offset, center - sides)
    }
    guard let found else { return nil }
    pixels = found.0
    contrast = found.1
  }

  /// Reads brightness along a line that lies inside the image, linear between pixel centers.
  @inline(__always)
  private static func readProfile(
    _ luma: SmoothLuma, from a: SIMD2<Float>, along normal: SIMD2<Float>, count: Int,
    into buffer: UnsafeMutableBufferPointer<Float>
  ) {
    luma.samples.withUnsafeBufferPointer { samples in
      for index in 0..<count {
        let place = Float(index) / Float(placesPerPixel)
        let placeX = a.x + normal.x * place
        let placeY = a.y + normal.y * place
        let column = Int(placeX)
        let row = Int(placeY)
        let x = placeX - Float(column)
        let y = placeY - Float(row)
        let start = row &* luma.width &+ column
        let upper = samples[start] + x * (samples[start &+ 1] - samples[start])
        let below = start &+ luma.width
        let lower = samples[below] + x * (samples[below &+ 1] - samples[below])
        buffer[index] = upper + y * (lower - upper)
      }
    }
  }

  /// Writes slopes behind the profile that they are of; returns the index of the likeliest, −1 for none.
  @inline(__always)
  private static func writeSlopes(
    of buffer: UnsafeMutableBufferPointer<Float>, count: Int, reach: Int
  ) -> Int {
    let extra = placesPerPixel
    let slopes = count + 2 * extra
    var best = -1
    var maximum: Float = 0
    let width = 0.6 * Float(reach)
    for index in 0..<count {
      let slope = 0.5 * abs(buffer[index + 2 * extra] - buffer[index])
      buffer[slopes + index] = slope
      let offset = Float(index) / Float(placesPerPixel) - Float(reach)
      // Nearer edges are likelier: a bell about the expected place, without its exponential.
      let ratio = offset / width
      let likely = slope / (1 + 0.5 * ratio * ratio)
      if likely > maximum {
        maximum = likely
        best = index
      }
    }
    return best
  }
}

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
    return (changes.middleOfSorted ?? 0) + 0.5
  }
}
