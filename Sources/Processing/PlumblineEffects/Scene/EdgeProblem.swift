internal import CKernels
internal import PlumblineModel

/// Where the edges of an image are near the steps of its depth map: how much of each pixel the nearer
/// surface of its step covers, found by ``ClosedFormMatting``.
///
/// Beside the bands around steps the coverage is known: all or nothing, as the map says.
struct EdgeProblem {
  /// How much the map counts beside the colors, which it is to decide for only where they are alike.
  private static let mapWeight: Float = 1e-5
  /// How much the matte counts, which was made from the colors.
  private static let matteWeight: Float = 1e-3
  /// A matte parts two surfaces from this share on.
  private static let parting: Float = 0.3
  /// A matte that is uniform so many reduced pixels around one is taken as it is.
  private static let matteReach = 2
  /// By how much the coverage changes over three pixels where there is an edge.
  private static let edgeRise: Float = 0.1
  /// The rounds of the first guess, and those that improve it.
  private static let rounds = (guess: 120, result: 80)

  /// Without padding.
  let color: Raster<RGB8>
  /// Of the color's size, without padding.
  let matte: Raster<UInt8>?
  /// The light of each code.
  let levels: [UInt16]
  /// How many pixels of the image, squared, become one.
  let side: Int
  /// By how much the matte parts the surfaces of each cell of the map.
  let parting: Raster<Float>

  /// Finds the coverage; the result does not depend on the number of threads.
  ///
  /// An image of half the width gives the first guess: in it, values travel twice as far in each round,
  /// and a round costs a quarter.
  ///
  /// - Parameters:
  ///   - cells: The map with its surfaces and a border of one cell.
  ///   - threads: How many threads may work.
  /// - Returns: The coverage as a linear function of color for each pixel of the reduced image, and 1
  ///   where there is an edge.
  /// - Complexity: O(pixels of the image), and 25 products in each round for each pixel near a step.
  func solved(
    _ cells: plb_upsampling, threads: Int
  ) -> (lines: [SIMD4<Float>], edges: [UInt8]) {
    var coarse = equations(cells, side: 2 * side, threads: threads)
    coarse.solve(rounds: Self.rounds.guess, threads: threads)
    var fine = equations(cells, side: side, threads: threads)
    fine.guess(by: coarse.lines(threads: threads), of: coarse.size)
    fine.solve(rounds: Self.rounds.result, threads: threads)
    return (fine.lines(threads: threads), edges(of: fine))
  }

  /// What is known and expected of the pixels of a reduced image.
  private func equations(
    _ cells: plb_upsampling, side: Int, threads: Int
  ) -> ClosedFormMatting {
    let size = RasterSize(
      width: (color.width + side - 1) / side, height: (color.height + side - 1) / side)
    let border = ClosedFormMatting.border
    let stride = size.width + 2 * border
    let matte = reducedMatte(to: size, side: side, threads: threads)
    var values = [Float](repeating: 0, count: stride * (size.height + 2 * border))
    var pixels: [Int32] = []
    var expected: [Float] = []
    var weights: [Float] = []
    let columns = UpsamplingAxis(from: parting.width, to: color.width, side: side)
    let rows = UpsamplingAxis(from: parting.height, to: color.height, side: side)
    let places = columns.first.map { $0 + 1 }
    let nearest = (0..<size.width).map { columns.nearest($0, of: parting.width) }
    var shares = [Float](repeating: 0, count: size.width)
    var unknown = [UInt8](repeating: 0, count: size.width)
    for y in 0..<size.height {
      sample(cells, places, columns.shares, rows.first[y] + 1, rows.shares[y], &shares, &unknown)
      let row = rows.nearest(y, of: parting.height)
      for x in 0..<size.width {
        let place = (y + border) * stride + x + border
        values[place] = shares[x]
        guard unknown[x] == 1 else { continue }
        let pixel = y * size.width + x
        let isParted = parting[nearest[x], row] > Self.parting
        let goal = expectation(of: pixel, shares[x], isParted ? matte : nil)
        values[place] = goal.share
        guard goal.weight < .infinity else { continue }
        pixels.append(Int32(pixel))
        expected.append(goal.share)
        weights.append(goal.weight)
      }
    }
    return ClosedFormMatting(
      colors: light(of: size, side: side, threads: threads), size: size, values: values,
      pixels: pixels, expected: expected, weights: weights)
  }

  /// The image's light, reduced: surfaces that share a pixel share it in light and not in codes.
  private func light(of size: RasterSize, side: Int, threads: Int) -> [UInt16] {
    color.samples.withUnsafeBytes { colors in
      nonisolated(unsafe) let colors = colors.bindMemory(to: UInt8.self).baseAddress
      return filled(3 * size.pixelCount, rows: size.height, threads: threads) { rows, target in
        guard let colors else { return }
        plb_matting_reduce(
          colors, color.rowStride, Int32(color.width), Int32(color.height), Int32(side), levels,
          Int32(rows.lowerBound), Int32(rows.upperBound),
          target + 3 * rows.lowerBound * size.width)
      }
    }
  }

  /// The coverage by the map between the cells of a row, and 1 where a step is near, else 0.
  private func sample(
    _ cells: plb_upsampling, _ places: [Int32], _ shares: [Float], _ row: Int32, _ share: Float,
    _ result: inout [Float], _ unknown: inout [UInt8]
  ) {
    let count = result.count
    places.withUnsafeBufferPointer { places in
      shares.withUnsafeBufferPointer { shares in
        guard let places = places.baseAddress, let shares = shares.baseAddress else { return }
        var cells = cells
        var place = plb_upsampling_row(
          columns: places, shares: shares, count: count, row: row, share: share)
        plb_upsample_shares(&cells, &place, &result, &unknown)
      }
    }
  }

  // MARK: The matte

  /// A matte of a reduced image, 0 to 1, with its least and largest around each pixel.
  private typealias ReducedMatte = (own: [Float], least: [Float], most: [Float])

  /// `nil` where there is no matte, or where it parts nothing.
  private func reducedMatte(to size: RasterSize, side: Int, threads: Int) -> ReducedMatte? {
    guard let matte, parting.samples.contains(where: { $0 > Self.parting }) else { return nil }
    let own: [Float] = (0..<size.pixelCount).map { index in
      let (x, y) = (index % size.width * side, index / size.width * side)
      var (sum, count) = (0, 0)
      for row in y..<min(y + side, matte.height) {
        for column in x..<min(x + side, matte.width) {
          sum += Int(matte[column, row])
          count += 255
        }
      }
      return Float(sum) / Float(count)
    }
    let least = ParallaxScene.minima(own, size, radius: Self.matteReach, threads: threads)
    let most = ParallaxScene.minima(
      own.map { -$0 }, size, radius: Self.matteReach, threads: threads)
    return (own, least, most.map { -$0 })
  }

  /// The coverage that a pixel is expected to have, and how much that counts: infinitely where the matte
  /// leaves no choice.
  private func expectation(
    of pixel: Int, _ share: Float, _ matte: ReducedMatte?
  ) -> (share: Float, weight: Float) {
    guard let matte else { return (share, Self.mapWeight) }
    if matte.least[pixel] > 0.98 { return (1, .infinity) }
    if matte.most[pixel] < 0.02 { return (0, .infinity) }
    return (matte.own[pixel], Self.matteWeight)
  }

  // MARK: Edges

  /// 1 for pixels within two of one beside which the coverage changes much, or of which the matte says
  /// what to expect: it is soft where hair is.
  private func edges(of matting: ClosedFormMatting) -> [UInt8] {
    let (size, border) = (matting.size, ClosedFormMatting.border)
    var edges = [UInt8](repeating: 0, count: size.pixelCount)
    for (index, pixel) in matting.pixels.enumerated() {
      if matting.weights[index] == Self.matteWeight { edges[Int(pixel)] = 1 }
      let (x, y) = (Int(pixel) % size.width, Int(pixel) / size.width)
      var (least, most): (Float, Float) = (1, 0)
      for row in max(y - 1, 0)...min(y + 1, size.height - 1) {
        for column in max(x - 1, 0)...min(x + 1, size.width - 1) {
          let share = matting.values[(row + border) * matting.stride + column + border]
          (least, most) = (min(least, share), max(most, share))
        }
      }
      guard min(most, 1) - max(least, 0) > Self.edgeRise else { continue }
      for row in max(y - 2, 0)...min(y + 2, size.height - 1) {
        for column in max(x - 2, 0)...min(x + 2, size.width - 1) {
          edges[row * size.width + column] = 1
        }
      }
    }
    return edges
  }
}
