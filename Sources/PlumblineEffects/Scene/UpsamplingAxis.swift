/// Between which two cells of a smaller row each pixel lies, centers matched.
struct UpsamplingAxis {
  /// The cell at or before each pixel; −1 before the first.
  var first: [Int32]
  /// How far each pixel is toward the next cell, 0 to 1.
  var shares: [Float]

  init(from source: Int, to target: Int) {
    first = []
    shares = []
    for pixel in 0..<target {
      let place = (Double(pixel) + 0.5) * Double(source) / Double(target) - 0.5
      let cell = place.rounded(.down)
      first.append(Int32(cell))
      shares.append(Float(place - cell))
    }
  }
}
