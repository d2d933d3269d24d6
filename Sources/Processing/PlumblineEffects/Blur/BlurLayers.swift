import CKernels
import PlumblineModel

/// The layers of a blurred photo, each with one radius: from sharp upward, before and behind the focus.
///
/// A pixel whose radius lies between those of two layers goes to both, with weights that make the mean of
/// their squared radii the square of its own. A disc of radius r has the variance r²/4 along each axis, so
/// the mixture blurs as much as the pixel's own disc.
struct BlurLayers {
  /// One blur.
  struct Layer {
    /// The radius in pixels of the photo; below 0 behind the focus.
    var radius: Double
    /// The layer is blurred in cells, whose side is 2 to this power, in pixels.
    var level: Int
    /// The aperture in cells; `nil` for the sharp layer.
    var aperture: ApertureSpans?
    /// How many cells beyond a tile contribute to it.
    var reach: Int
  }

  /// Radii in pixels; from 6 on, each is √2 times the one before.
  private static let radii: [Double] = [
    0, 0.7, 1.1, 1.6, 2.2, 3, 4.2, 6, 8.5, 12, 17, 24, 34, 48, 68, 96, 136,
  ]
  /// The minimum radius, in cells, of a layer whose cells are larger than pixels.
  private static let leastCells = 4.0
  /// The variance that is added to discs whose cells are pixels, in pixels².
  ///
  /// A disc of few pixels blurs edges less than its variance says; this makes up for it.
  /// - Source: it has the smallest errors near edges on the nine settings of `Benchmarks/run
  ///   --blur-quality`; it lies between 0, right for smooth shading, and the variance 1/12 of a pixel's
  ///   box, right for edges between pixels.
  private static let edgeVariance = 1.0 / 16
  /// The largest radius that is made, in pixels.
  static let largestRadius = 136.0
  /// The number of entries of `places` for each pixel of radius.
  static let steps = 16

  /// The layers from the nearest to the farthest.
  let layers: [Layer]
  /// The layers of each radius and their weights, from the most negative radius up, `steps` a pixel.
  let places: [plb_blur_place]
  /// The position of radius 0.
  var center: Int { places.count / 2 }

  /// The layers of a photo.
  ///
  /// - Parameters:
  ///   - shape: The aperture's outline.
  ///   - most: The largest radius in the photo, in pixels, not above ``largestRadius``.
  /// - Returns: The layers. Cost: O(layers · their radii), and O(``steps``) for each pixel of radius.
  static func planned(for shape: ApertureShape, upTo most: Double) -> BlurLayers {
    let last = radii.firstIndex { $0 >= most } ?? radii.count - 1
    let used = Array(radii[...last])
    let layers = (-last...last).reversed().map { index -> Layer in
      let radius = used[abs(index)]
      guard radius > 0 else { return Layer(radius: 0, level: 0, aperture: nil, reach: 0) }
      var level = 0
      while radius / Double(2 << level) >= leastCells { level += 1 }
      let cells = radius / Double(1 << level)
      // Making cells and drawing them larger adds variance: a box of one cell, 1/12, takes the place of
      // the pixel's box, and a tent adds 1/6.
      let added = 1.0 / 12 - 1.0 / Double(12 << (2 * level)) + 1.0 / 6
      let aperture = shape.spans(
        variance: shape.variance * cells * cells + (level == 0 ? edgeVariance : -added),
        isMirrored: index < 0)
      return Layer(
        radius: index < 0 ? -radius : radius, level: level, aperture: aperture,
        reach: aperture.reach + 2)
    }
    let half = Int((min(most, used[last]) * Double(steps)).rounded(.up))
    let places = (-half...half).map { place -> plb_blur_place in
      let radius = min(abs(Double(place)) / Double(steps), most, used[last])
      let above = max(used.firstIndex { $0 >= radius } ?? last, 1)
      guard last > 0, radius > 0 else { return plb_blur_place(layer: Int32(last), next: 0) }
      let (low, high) = (used[above - 1], used[above])
      let share = (radius * radius - low * low) / (high * high - low * low)
      // Layers go from near to far: with the radius's size before the focus, against it behind.
      return place < 0
        ? plb_blur_place(layer: Int32(last + above - 1), next: Float(share))
        : plb_blur_place(layer: Int32(last - above), next: Float(1 - share))
    }
    return BlurLayers(layers: layers, places: places)
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

  /// The blocks of a photo; O(cells).
  static func found(
    in hidden: HiddenSurfaces, _ plan: BlurLayers, _ law: BlurLaw
  ) -> BlurBlocks {
    let factor = side >> hidden.level
    let columns = (hidden.size.width + factor - 1) / factor
    let rows = (hidden.size.height + factor - 1) / factor
    var least = [Float](repeating: .infinity, count: columns * rows)
    var most = [Float](repeating: -.infinity, count: columns * rows)
    for y in 0..<hidden.size.height {
      for x in 0..<hidden.size.width {
        let cell = y * hidden.size.width + x
        let block = y / factor * columns + x / factor
        // What hides nothing is NaN, with which every comparison is false.
        let behind = hidden.behind[cell]
        least[block] = min(least[block], behind < hidden.least[cell] ? behind : hidden.least[cell])
        let near = behind.isNaN ? hidden.most[cell] : max(hidden.most[cell], hidden.near[cell])
        most[block] = max(most[block], near)
      }
    }
    let (focus, gain) = (Float(law.focus), Float(law.pixelsPerDisparity))
    let layers = zip(least, most).map {
      plan.indices(from: gain * ($0 - focus), to: gain * ($1 - focus))
    }
    return BlurBlocks(columns: columns, rows: rows, layers: layers)
  }

  func layers(_ column: Int, _ row: Int) -> ClosedRange<Int> { layers[row * columns + column] }
}
