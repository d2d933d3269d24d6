internal import PlumblineModel

/// A Gaussian blur in two passes; the image's border is repeated outside.
struct GaussianBlur {
  /// Weights from the middle outward; the middle one once, the others on both sides.
  let weights: [Float]

  /// Cuts the bell at four standard deviations, where 0.006 % of it is left.
  init(sigmaPixels: Double) {
    guard sigmaPixels > 0 else {
      weights = [1]
      return
    }
    let radius = max(1, Int((4 * sigmaPixels).rounded(.up)))
    let bell = (0...radius).map { distance in
      portableExponential(-Double(distance * distance) / (2 * sigmaPixels * sigmaPixels))
    }
    let sum = 2 * bell.reduce(0, +) - bell[0]
    weights = bell.map { Float($0 / sum) }
  }

  func blur(_ light: inout [SIMD3<Float>], _ size: RasterSize) {
    guard weights.count > 1 else { return }
    var middle = light
    let (width, height) = (size.width, size.height)
    light.withUnsafeMutableBufferPointer { image in
      middle.withUnsafeMutableBufferPointer { passed in
        for y in 0..<height {
          let row = y * width
          for x in 0..<width {
            var sum = image[row + x] * weights[0]
            for offset in 1..<weights.count {
              let pair = image[row + max(x - offset, 0)] + image[row + min(x + offset, width - 1)]
              sum += pair * weights[offset]
            }
            passed[row + x] = sum
          }
        }
        for y in 0..<height {
          for x in 0..<width {
            var sum = passed[y * width + x] * weights[0]
            for offset in 1..<weights.count {
              let above = passed[max(y - offset, 0) * width + x]
              let below = passed[min(y + offset, height - 1) * width + x]
              sum += (above + below) * weights[offset]
            }
            image[y * width + x] = sum
          }
        }
      }
    }
  }
}

/// `e` to a power that is not above 0, within 1e-14 of 1.
///
/// - Source: The power series of `exp(x/2ⁿ)` with |x/2ⁿ| below 1/16, squared n times.
func portableExponential(_ power: Double) -> Double {
  guard power > -700 else { return 0 }
  var argument = power
  var squarings = 0
  while argument < -0.0625 {
    argument /= 2
    squarings += 1
  }
  var sum = 1.0
  for term in (1...12).reversed() { sum = 1 + sum * argument / Double(term) }
  for _ in 0..<squarings { sum *= sum }
  return sum
}
