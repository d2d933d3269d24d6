internal import CKernels
internal import PlumblineModel

/// Which pixels of a reduced image lie near a step of its depth map, and what is expected of them:
/// what ``ClosedFormMatting`` carries along the colors.
struct EdgeProblem {
  /// How much the map counts beside the colors: its steps are off by some pixels.
  private static let mapWeight: Float = 0.01
  /// How much the matte counts, which was made from the colors.
  private static let matteWeight: Float = 0.1
  /// From which share on a matte parts two surfaces.
  private static let parting: Float = 0.3
  /// A matte that is uniform so many reduced pixels around one is taken as it is.
  private static let matteReach = 2

  /// By how much the share of a surface changes over three pixels where there is an edge.
  private static let edgeRise: Float = 0.25

  private let side: Int
  private let size: RasterSize
  private let photo: RasterSize
  private let colors: [UInt8]
  /// The matte of the reduced image, 0 to 1, with its least and largest around each pixel.
  private let matte: (own: [Float], least: [Float], most: [Float])?
  private let parting: Raster<Float>

  /// - Parameters:
  ///   - color: Without padding.
  ///   - matte: Of the color's size, without padding.
  ///   - side: How many pixels, squared, become one.
  ///   - parting: By how much the matte parts the surfaces of each cell of the map.
  init(_ color: Raster<RGB8>, matte: Raster<UInt8>?, side: Int, parting: Raster<Float>) {
    self.side = side
    self.parting = parting
    photo = color.size
    let small = RasterSize(
      width: (photo.width + side - 1) / side, height: (photo.height + side - 1) / side)
    size = small
    colors = GuidedFilter(radius: 1, side: side, epsilon: 1).reduced(color, small, threads: 1)
    guard let matte, parting.samples.contains(where: { $0 > Self.parting }) else {
      self.matte = nil
      return
    }
    let own = Self.means(matte, side, small)
    let most = ParallaxScene.minima(
      own.map { -$0 }, small, radius: Self.matteReach, threads: 1)
    self.matte = (
      own, ParallaxScene.minima(own, small, radius: Self.matteReach, threads: 1), most.map { -$0 }
    )
  }

  private static func means(_ matte: Raster<UInt8>, _ side: Int, _ small: RasterSize) -> [Float] {
    (0..<small.pixelCount).map { index in
      let (x, y) = (index % small.width * side, index / small.width * side)
      var (sum, count) = (0, 0)
      for row in y..<min(y + side, matte.height) {
        for column in x..<min(x + side, matte.width) {
          sum += Int(matte[column, row])
          count += 255
        }
      }
      return Float(sum) / Float(count)
    }
  }

  /// Disparities as linear functions of colors, for each pixel of the reduced image, and 1 where its
  /// colors show an edge.
  func solved(
    _ map: Raster<Float>, _ cells: plb_upsampling, threads: Int
  ) -> (lines: [SIMD4<Float>], edges: [UInt8]) {
    let border = ClosedFormMatting.border
    let stride = size.width + 2 * border
    var values = [Float](repeating: 0, count: stride * (size.height + 2 * border))
    var pixels: [Int32] = []
    var expected: [Float] = []
    var weights: [Float] = []
    var surfaces: [SIMD2<Float>] = []
    var edges = [UInt8](repeating: 0, count: size.pixelCount)
    let columns = UpsamplingAxis(from: map.width, to: photo.width, side: side)
    let rows = UpsamplingAxis(from: map.height, to: photo.height, side: side)
    let places = columns.first.map { $0 + 1 }
    var row = (
      own: [Float](repeating: 0, count: size.width), near: [Float](repeating: 0, count: size.width),
      far: [Float](repeating: 0, count: size.width)
    )
    for y in 0..<size.height {
      sample(cells, places, columns.shares, rows.first[y] + 1, rows.shares[y], &row)
      for x in 0..<size.width {
        let place = (y + border) * stride + x + border
        values[place] = row.own[x]
        guard row.near[x] > row.far[x] else { continue }
        let cell = (
          min(max(Int((columns.place(x) + 0.5).rounded(.down)), 0), map.width - 1),
          min(max(Int((rows.place(y) + 0.5).rounded(.down)), 0), map.height - 1)
        )
        let goal = expectation(
          of: y * size.width + x, row.own[x], row.near[x], row.far[x],
          parting: parting[cell.0, cell.1])
        values[place] = goal.value
        guard goal.weight < .infinity else { continue }
        pixels.append(Int32(y * size.width + x))
        surfaces.append(SIMD2(row.near[x], row.far[x]))
        // A matte is soft where hair is.
        if goal.weight == Self.matteWeight { edges[y * size.width + x] = 1 }
        expected.append(goal.value)
        weights.append(goal.weight)
      }
    }
    var matting = ClosedFormMatting(
      colors: colors, size: size, values: values, pixels: pixels, expected: expected,
      weights: weights)
    matting.solve(threads: threads)
    mark(&edges, matting, surfaces)
    return (matting.lines(threads: threads), edges)
  }

  /// Marks the pixels around those beside which the share of the nearer surface changes much.
  private func mark(
    _ edges: inout [UInt8], _ matting: ClosedFormMatting, _ surfaces: [SIMD2<Float>]
  ) {
    let border = ClosedFormMatting.border
    for (index, pixel) in matting.pixels.enumerated() {
      let (x, y) = (Int(pixel) % size.width, Int(pixel) / size.width)
      let (near, far) = (surfaces[index].x, surfaces[index].y)
      var (least, most): (Float, Float) = (1, 0)
      for row in max(y - 1, 0)...min(y + 1, size.height - 1) {
        for column in max(x - 1, 0)...min(x + 1, size.width - 1) {
          let value = matting.values[(row + border) * matting.stride + column + border]
          let share = min(max((value - far) / (near - far), 0), 1)
          (least, most) = (min(least, share), max(most, share))
        }
      }
      guard most - least > Self.edgeRise else { continue }
      for row in max(y - 2, 0)...min(y + 2, size.height - 1) {
        for column in max(x - 2, 0)...min(x + 2, size.width - 1) {
          edges[row * size.width + column] = 1
        }
      }
    }
  }

  /// The disparity that a pixel is expected to have, and how much that counts: infinitely where the matte
  /// leaves no choice.
  private func expectation(
    of pixel: Int, _ own: Float, _ near: Float, _ far: Float, parting: Float
  ) -> (value: Float, weight: Float) {
    guard let matte, parting > Self.parting else {
      return (min(max(own, far), near), Self.mapWeight)
    }
    if matte.least[pixel] > 0.98 { return (near, .infinity) }
    if matte.most[pixel] < 0.02 { return (far, .infinity) }
    return (far + matte.own[pixel] * (near - far), Self.matteWeight)
  }

  private func sample(
    _ cells: plb_upsampling, _ places: [Int32], _ shares: [Float], _ row: Int32, _ share: Float,
    _ result: inout (own: [Float], near: [Float], far: [Float])
  ) {
    places.withUnsafeBufferPointer { places in
      shares.withUnsafeBufferPointer { shares in
        guard let places = places.baseAddress, let shares = shares.baseAddress else { return }
        var cells = cells
        var place = plb_upsampling_row(
          columns: places, shares: shares, count: size.width, row: row, share: share)
        plb_upsample_surfaces(&cells, &place, &result.own, &result.near, &result.far)
      }
    }
  }
}
