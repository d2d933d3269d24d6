internal import CKernels
internal import PlumblineModel

/// Values of some pixels of an image that follow its colors, between others whose values are known.
///
/// Of all values it finds those that are, window by window, most nearly a linear function of the
/// colors, and not far from what was expected of each pixel.
/// - Source: Levin, Lischinski and Weiss, *A closed-form solution to natural image matting*, IEEE PAMI
///   30 (2), 2008, equations 12 and 15, solved by conjugate gradients with the diagonal as
///   preconditioner (Saad, *Iterative methods for sparse linear systems*, 2003, algorithm 9.1).
struct ClosedFormMatting {
  /// Added to the sums of squared colors of a window, in levels² of 65535.
  ///
  /// It is 1e-8 of white, squared; where it is larger, the weak colors of fine hair do not count.
  static let epsilon: Float = 1e-8 * 65535 * 65535
  /// The same for the linear functions, which meet the noise of single pixels.
  private static let lineEpsilon: Float = 9.2e-5 * 65535 * 65535
  /// Pixels around the image, whose values count nothing.
  static let border = 2
  /// The residual that ends the search, as a share of the first one.
  private static let tolerance = 1e-3
  /// Pixels that one task of a thread multiplies.
  private static let band = 4096

  /// The levels of red, green and blue of each pixel, of 65535, rows without padding.
  let colors: [UInt16]
  let size: RasterSize
  /// The values, with ``border`` pixels around: known ones, and the first guess of the others.
  var values: [Float]
  /// The pixels whose values are looked for, in rising order.
  let pixels: [Int32]
  /// What is expected of each of them.
  let expected: [Float]
  /// How much each expectation counts beside the colors.
  let weights: [Float]

  /// Pixels in a row of ``values``.
  var stride: Int { size.width + 2 * Self.border }

  /// Finds the values; the result does not depend on the number of threads.
  ///
  /// - Complexity: O(pixels looked for · rounds), at most `rounds` of 25 products each.
  mutating func solve(rounds: Int, threads: Int) {
    guard !pixels.isEmpty else { return }
    let width = size.width
    let places = pixels.map { pixel in
      let (row, column) = (Int(pixel) / width, Int(pixel) % width)
      return Int32((row + Self.border) * stride + column + Self.border)
    }
    let stencils = stencils(threads: threads)
    // The diagonal is at least the weight, which is above 0.
    let inverses = pixels.indices.map { 1 / (stencils[25 * $0 + 12] + weights[$0]) }
    let product = multiplied(values, stencils, places, threads: threads)
    var residual = pixels.indices.map { weights[$0] * expected[$0] - product[$0] }
    var scaled = zip(residual, inverses).map { $0 * $1 }
    var direction = [Float](repeating: 0, count: values.count)
    for (index, place) in places.enumerated() { direction[Int(place)] = scaled[index] }
    var size = Self.dot(residual, scaled)
    let goal = size * Self.tolerance * Self.tolerance
    for _ in 0..<rounds {
      guard size > goal, size.isFinite else { break }
      let turned = multiplied(direction, stencils, places, threads: threads)
      var along = 0.0
      for (index, place) in places.enumerated() {
        along += Double(direction[Int(place)]) * Double(turned[index])
      }
      guard along > 0 else { break }
      let step = Float(size / along)
      for (index, place) in places.enumerated() {
        values[Int(place)] += step * direction[Int(place)]
        residual[index] -= step * turned[index]
        scaled[index] = residual[index] * inverses[index]
      }
      let next = Self.dot(residual, scaled)
      let share = Float(next / size)
      for (index, place) in places.enumerated() {
        direction[Int(place)] = scaled[index] + share * direction[Int(place)]
      }
      size = next
    }
  }

  /// Takes as the first guess what linear functions say that were found on an image of half the width.
  ///
  /// - Parameters:
  ///   - lines: As ``lines(threads:)`` gives them, between 0 and 1 at the image's colors.
  ///   - coarse: The size of that image: half the own one, rounded up.
  mutating func guess(by lines: [SIMD4<Float>], of coarse: RasterSize) {
    for pixel in pixels {
      let (x, y) = (Int(pixel) % size.width, Int(pixel) / size.width)
      // Pixels are a quarter of a coarse one beside its center.
      let (left, top) = ((x + 1) / 2 - 1, (y + 1) / 2 - 1)
      let (right, down): (Float, Float) = (x % 2 == 0 ? 0.75 : 0.25, y % 2 == 0 ? 0.75 : 0.25)
      func line(_ column: Int, _ row: Int) -> SIMD4<Float> {
        let (column, row) = (
          min(max(column, 0), coarse.width - 1), min(max(row, 0), coarse.height - 1)
        )
        return lines[row * coarse.width + column]
      }
      let upper = line(left, top) * (1 - right) + line(left + 1, top) * right
      let lower = line(left, top + 1) * (1 - right) + line(left + 1, top + 1) * right
      let sum = upper * (1 - down) + lower * down
      let code = 3 * Int(pixel)
      let value =
        sum.x * Float(colors[code]) + sum.y * Float(colors[code + 1])
        + sum.z * Float(colors[code + 2]) + sum.w
      values[(y + Self.border) * stride + x + Self.border] = min(max(value, 0), 1)
    }
  }

  /// The values as linear functions of the colors: the factors of red, green and blue, and the offset,
  /// for every pixel of the image; those not looked for have the offset alone.
  func lines(threads: Int) -> [SIMD4<Float>] {
    var lines = [SIMD4<Float>](repeating: .zero, count: size.pixelCount)
    for y in 0..<size.height {
      let first = (y + Self.border) * stride + Self.border
      for x in 0..<size.width { lines[y * size.width + x].w = values[first + x] }
    }
    let (count, width, height, stride) = (
      pixels.count, Int32(size.width), Int32(size.height), self.stride
    )
    lines.withUnsafeMutableBytes { lines in
      nonisolated(unsafe) let target = lines.bindMemory(to: Float.self).baseAddress
      forEachConcurrently(count.bands(of: Self.band), threads: threads) { band in
        let first = band * Self.band
        guard let target else { return }
        pixels.withUnsafeBufferPointer { pixels in
          guard let pixels = pixels.baseAddress else { return }
          plb_matting_lines(
            colors, width, height, Self.lineEpsilon, values, stride, pixels + first,
            min(Self.band, count - first), target)
        }
      }
    }
    return lines
  }

  private func stencils(threads: Int) -> [Float] {
    let (count, width, height) = (pixels.count, Int32(size.width), Int32(size.height))
    return [Float](unsafeUninitializedCapacity: PLB_MATTING_STENCIL * count) {
      result, initialized in
      initialized = result.count
      nonisolated(unsafe) let target = result.baseAddress
      forEachConcurrently(count.bands(of: Self.band), threads: threads) { band in
        let first = band * Self.band
        guard let target else { return }
        pixels.withUnsafeBufferPointer { pixels in
          guard let pixels = pixels.baseAddress else { return }
          plb_matting_stencils(
            colors, width, height, Self.epsilon, pixels + first, min(Self.band, count - first),
            target + 25 * first)
        }
      }
    }
  }

  private func multiplied(
    _ values: [Float], _ stencils: [Float], _ places: [Int32], threads: Int
  ) -> [Float] {
    let (count, stride) = (places.count, self.stride)
    return [Float](unsafeUninitializedCapacity: count) { result, initialized in
      initialized = count
      nonisolated(unsafe) let target = result.baseAddress
      stencils.withUnsafeBufferPointer { stencils in
        weights.withUnsafeBufferPointer { weights in
          places.withUnsafeBufferPointer { places in
            nonisolated(unsafe) let all = (
              stencils.baseAddress, weights.baseAddress, places.baseAddress
            )
            forEachConcurrently(count.bands(of: Self.band), threads: threads) { band in
              let first = band * Self.band
              guard let target, let stencils = all.0, let weights = all.1, let places = all.2
              else { return }
              plb_matting_multiply(
                stencils + 25 * first, weights + first, places + first,
                min(Self.band, count - first), values, stride, target + first)
            }
          }
        }
      }
    }
  }

  private static func dot(_ a: [Float], _ b: [Float]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += Double(a[index]) * Double(b[index]) }
    return sum
  }
}

extension Int {
  /// How many bands of a length hold so many.
  fileprivate func bands(of length: Int) -> Int { (self + length - 1) / length }
}
