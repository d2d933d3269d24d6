/// A rectangle of a texture, in shares of its width and height, by the axes of ``TextureLayout``.
package struct TextureRectangle: Sendable, Hashable {
  /// The upper left corner.
  package var low: SIMD2<Float>
  /// The lower right corner.
  package var high: SIMD2<Float>

  /// Creates a rectangle from its corners.
  package init(low: SIMD2<Float>, high: SIMD2<Float>) {
    self.low = low
    self.high = high
  }

  /// The whole texture.
  package static let whole = TextureRectangle(low: [0, 0], high: [1, 1])

  /// A position inside, from its shares of the width and the height; shares outside of 0 to 1 are cut off.
  package func position(_ shares: SIMD2<Float>) -> SIMD2<Float> {
    low + (high - low) * shares.clamped(lowerBound: .zero, upperBound: .one)
  }
}

extension TextureLayout {
  /// How far beyond 0 to 1 coordinates may lie for the layout to be one tile.
  private static let tileTolerance: Float = 0.25
  /// The part of a tile's cell that stays free at each side, so that neighbors do not mix.
  private static let cellMargin: Float = 0.01

  /// Whether all coordinates lie from 0 to 1; O(*n*).
  package var isInsideTexture: Bool {
    coordinates.allSatisfy { $0.min() >= 0 && $0.max() <= 1 }
  }

  /// The layout within a rectangle of a texture.
  ///
  /// Coordinates from 0 to 1 become shares of the rectangle. Others need not repeat the image: programs number the
  /// tiles of several images by whole numbers of *u* and *v* (UDIM), and readers that clamp or wrap show the wrong
  /// texels. Then each tile's triangles get a cell of the rectangle for themselves, with its proportions kept.
  ///
  /// - Parameter rectangle: Where the layout is to lie.
  /// - Returns: The layout, all of its coordinates inside. O(*n*).
  package func placed(in rectangle: TextureRectangle) -> TextureLayout {
    if isInsideTexture {
      return
        (try? TextureLayout(
          coordinates: coordinates.map(rectangle.position), triangles: triangles)) ?? self
    }
    let tiles = tiles
    let names = Set(tiles).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    var ranks: [SIMD2<Int32>: Int] = [:]
    for (rank, name) in names.enumerated() { ranks[name] = rank }
    var bounds = [(low: SIMD2<Float>, high: SIMD2<Float>)?](repeating: nil, count: names.count)
    for (triangle, tile) in zip(triangles, tiles) {
      guard let rank = ranks[tile] else { continue }
      for corner in 0..<3 {
        let point = coordinates[triangle[corner]]
        let old = bounds[rank] ?? (point, point)
        bounds[rank] = (
          pointwiseMin(old.low, point), pointwiseMax(old.high, point)
        )
      }
    }
    let columns = Int(Double(max(1, names.count)).squareRoot().rounded(.up))
    let rows = (max(1, names.count) + columns - 1) / columns
    var placed: [SIMD2<Float>] = []
    var places: [SIMD2<Int>: UInt32] = [:]
    func place(_ index: Int, _ rank: Int) -> UInt32 {
      let key = SIMD2(index, rank)
      if let known = places[key] { return known }
      let box = bounds[rank] ?? (.zero, .one)
      let extent = max((box.high - box.low).max(), .leastNormalMagnitude)
      let inCell =
        Self.cellMargin + (1 - 2 * Self.cellMargin) * (coordinates[index] - box.low) / extent
      let cell = SIMD2(Float(rank % columns), Float(rank / columns))
      let shares = (cell + inCell) / SIMD2(Float(columns), Float(rows))
      placed.append(rectangle.position(shares))
      let next = UInt32(placed.count - 1)
      places[key] = next
      return next
    }
    let moved = zip(triangles, tiles).map { triangle, tile -> TriangleIndices in
      let rank = ranks[tile] ?? 0
      return TriangleIndices(
        place(triangle[0], rank), place(triangle[1], rank), place(triangle[2], rank))
    }
    return (try? TextureLayout(coordinates: placed, triangles: moved)) ?? self
  }

  /// The tile of each triangle: the whole numbers of its middle; one for all where coordinates hardly leave 0 to 1.
  private var tiles: [SIMD2<Int32>] {
    let isOne = coordinates.allSatisfy {
      $0.min() >= -Self.tileTolerance && $0.max() <= 1 + Self.tileTolerance
    }
    guard !isOne else { return triangles.map { _ in SIMD2(0, 0) } }
    let limit = SIMD2<Float>(repeating: 1e6)
    return triangles.map { triangle in
      let sum = (0..<3).reduce(SIMD2<Float>.zero) { $0 + coordinates[triangle[$1]] }
      let middle = (sum / 3).rounded(.down).clamped(lowerBound: -limit, upperBound: limit)
      return SIMD2<Int32>(middle)
    }
  }
}
