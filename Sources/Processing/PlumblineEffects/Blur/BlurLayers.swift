import CKernels
import PlumblineModel

/// The blurs that a photo is parted into: radii from sharp upward, before and behind the focus.
///
/// A pixel whose radius lies between two goes to both, so that the mean of the squared radii is its
/// own: a disc of radius r has the variance r²/4 along each axis, so the mixture blurs as much.
struct BlurLayers {
  /// One blur.
  struct Layer {
    /// Pixels of the photo; below 0 behind the focus.
    var radius: Double
    /// The size of a cell is 2 to this power, in pixels.
    var level: Int
    /// The aperture in cells; `nil` for the sharp layer.
    var aperture: ApertureSpans?
    /// How many cells beyond a tile take part in it.
    var reach: Int
  }

  /// Radii in pixels; from 6 on, each is √2 of the last.
  private static let radii: [Double] = [
    0, 0.7, 1.1, 1.6, 2.2, 3, 4.2, 6, 8.5, 12, 17, 24, 34, 48, 68, 96, 136,
  ]
  /// The least radius in cells of a layer with fewer cells than pixels.
  private static let leastCells = 4.0
  /// Weights of few pixels pass edges more sharply than the disc of their variance: as much is added,
  /// in pixels².
  ///
  /// - Source: the least errors near edges on the nine settings of `Benchmarks/run --blur-quality`; it is
  ///   between 0, right for smooth shading, and a pixel's box, 1/12, right for edges between pixels.
  private static let edgeVariance = 1.0 / 16
  /// The largest radius that is made, in pixels.
  static let largestRadius = 136.0
  /// Entries of `places` for each pixel of radius.
  static let steps = 16

  /// From the nearest to the farthest.
  let layers: [Layer]
  /// Where a radius goes, from the most negative one, `steps` for each pixel.
  let places: [plb_blur_place]
  /// The position of radius 0.
  var center: Int { places.count / 2 }

  /// - Parameters:
  ///   - shape: The aperture's outline.
  ///   - most: The largest radius in the photo, in pixels, not above ``largestRadius``.
  init(_ shape: ApertureShape, upTo most: Double) {
    let last = Self.radii.firstIndex { $0 >= most } ?? Self.radii.count - 1
    let used = Array(Self.radii[...last])
    layers = (-last...last).reversed().map { index in
      let radius = used[abs(index)]
      guard radius > 0 else { return Layer(radius: 0, level: 0, aperture: nil, reach: 0) }
      var level = 0
      while radius / Double(2 << level) >= Self.leastCells { level += 1 }
      let cells = radius / Double(1 << level)
      // What making cells and drawing them larger adds to the variance: a box of one cell, 1/12, in
      // the position of a pixel's, and a tent, 1/6.
      let added = 1.0 / 12 - 1.0 / Double(12 << (2 * level)) + 1.0 / 6
      let aperture = ApertureSpans(
        shape,
        variance: shape.variance * cells * cells + (level == 0 ? Self.edgeVariance : -added),
        isMirrored: index < 0)
      return Layer(
        radius: index < 0 ? -radius : radius, level: level, aperture: aperture,
        reach: aperture.reach + 2)
    }
    let half = Int((min(most, used[last]) * Double(Self.steps)).rounded(.up))
    places = (-half...half).map { place in
      let radius = min(abs(Double(place)) / Double(Self.steps), most, used[last])
      let above = max(used.firstIndex { $0 >= radius } ?? last, 1)
      guard last > 0, radius > 0 else { return plb_blur_place(layer: Int32(last), next: 0) }
      let (low, high) = (used[above - 1], used[above])
      let share = (radius * radius - low * low) / (high * high - low * low)
      // Layers go from near to far: with the radius's size before the focus, against it behind.
      return place < 0
        ? plb_blur_place(layer: Int32(last + above - 1), next: Float(share))
        : plb_blur_place(layer: Int32(last - above), next: Float(1 - share))
    }
  }

  /// The layers that radii between two take part in.
  func indices(from least: Float, to most: Float) -> ClosedRange<Int> {
    let first = places[place(most)]
    let last = places[place(least)]
    return Int(first.layer)...Int(last.layer) + (last.next > 0 ? 1 : 0)
  }

  private func place(_ radius: Float) -> Int {
    let limit = Float(center)
    let place = min(max(radius * Float(Self.steps), -limit), limit)
    return center + Int(place.rounded())
  }
}

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
