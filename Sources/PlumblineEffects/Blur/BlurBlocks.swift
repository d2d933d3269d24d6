internal import PlumblineModel

/// Which layers each block of a photo's pixels takes part in.
struct BlurBlocks {
  /// The side of a block in pixels.
  static let side = 32

  /// Columns and rows of blocks.
  let columns: Int
  let rows: Int
  /// The nearest and the farthest layer of each block.
  private let layers: [ClosedRange<Int>]

  init(_ hidden: HiddenSurfaces, _ plan: BlurLayers, _ law: BlurLaw) {
    let factor = Self.side >> hidden.level
    columns = (hidden.size.width + factor - 1) / factor
    rows = (hidden.size.height + factor - 1) / factor
    var least = [Float](repeating: .infinity, count: columns * rows)
    var most = [Float](repeating: -.infinity, count: columns * rows)
    for y in 0..<hidden.size.height {
      for x in 0..<hidden.size.width {
        let cell = y * hidden.size.width + x
        let block = y / factor * columns + x / factor
        // A comparison with the NaN of what hides nothing is false.
        let behind = hidden.behind[cell]
        least[block] = min(least[block], behind < hidden.least[cell] ? behind : hidden.least[cell])
        let near = behind.isNaN ? hidden.most[cell] : max(hidden.most[cell], hidden.near[cell])
        most[block] = max(most[block], near)
      }
    }
    let (focus, gain) = (Float(law.focus), Float(law.pixelsPerDisparity))
    layers = zip(least, most).map {
      plan.indices(from: gain * ($0 - focus), to: gain * ($1 - focus))
    }
  }

  func layers(_ column: Int, _ row: Int) -> ClosedRange<Int> { layers[row * columns + column] }
}
