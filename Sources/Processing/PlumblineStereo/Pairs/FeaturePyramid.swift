import CKernels
import PlumblineModel
import PlumblineVision

/// An image and smaller ones of it, with the features of all of them.
struct FeaturePyramid: Sendable {
  /// The image and its halves, each half as large as the one before.
  let levels: [Raster<UInt8>]
  /// How many pixels of the image that was given one pixel of level 0 covers along a side.
  let reduction: Int

  /// The positions nearer than this to a border carry no descriptor, in pixels of a level: a turned
  /// pattern reaches √2 · 15 pixels, its means 2 more.
  static let border = 24
  /// The least strength of a corner, in squared gray levels per pixel: an edge of two levels in its
  /// weaker direction is above the noise of 8-bit images.
  static let leastStrength: Float = 4
  private static let levelCount = 3
  private static let cornersPerCell = 4

  /// Halves an image, first to at most `maximumSide` pixels by a whole factor; O(*n*).
  init(_ image: Raster<UInt8>, maximumSide: Int) {
    let longer = max(image.width, image.height, 1)
    let factor = (longer + maximumSide - 1) / maximumSide
    var level = image.packed.reduced(by: factor)
    var levels = [level]
    while levels.count < Self.levelCount, min(level.width, level.height) >= 4 * Self.border {
      level = level.reduced(by: 2)
      levels.append(level)
    }
    self.levels = levels
    reduction = factor
  }

  /// The strongest corners, spread over the image, with their descriptors; positions are those of
  /// level 0.
  ///
  /// - Parameters:
  ///   - count: How many at the most, about.
  ///   - isUpright: Whether patches are compared as they stand, not turned to their own direction.
  /// - Returns: The features, level after level, each in the order of the cells.
  /// - Complexity: O(pixels).
  func features(atMost count: Int, isUpright: Bool) -> [ImageFeature] {
    var features: [ImageFeature] = []
    for (index, level) in levels.enumerated() {
      // Each level has a quarter of the pixels of the one before.
      let budget = index == 0 ? count * 3 / 4 : count / (index == 1 ? 6 : 12)
      let scale = Double(1 << index)
      let sums = Self.boxSums(level)
      for corner in Self.corners(of: level, atMost: budget) {
        let x = Int(corner.x.rounded())
        let y = Int(corner.y.rounded())
        let direction = isUpright ? [1, 0] : Self.direction(of: level, x, y)
        features.append(
          ImageFeature(
            position: (corner + 0.5) * scale - 0.5, level: index, direction: direction,
            descriptor: Self.descriptor(sums, x, y, direction)))
      }
    }
    return features
  }

  /// The corners of one level: at most four of each cell of a grid, the strongest first.
  private static func corners(of level: Raster<UInt8>, atMost count: Int) -> [SIMD2<Double>] {
    let (width, height) = (level.width, level.height)
    guard min(width, height) > 2 * border + 2, count > 0 else { return [] }
    let strength = strength(of: level)
    let area = Double((width - 2 * border) * (height - 2 * border))
    let side = max(12, Int((area * Double(cornersPerCell) / Double(count)).squareRoot()))
    var corners: [SIMD2<Double>] = []
    strength.withUnsafeBufferPointer { values in
      for top in stride(from: border, to: height - border, by: side) {
        for left in stride(from: border, to: width - border, by: side) {
          var found: [(strength: Float, place: SIMD2<Double>)] = []
          for y in top..<min(top + side, height - border) {
            for x in left..<min(left + side, width - border) {
              let at = y &* width &+ x
              let value = values[at]
              guard value >= leastStrength, value > values[at &- 1], value >= values[at &+ 1],
                value > values[at &- width], value >= values[at &+ width],
                value > values[at &- width &- 1], value >= values[at &+ width &+ 1],
                value > values[at &- width &+ 1], value >= values[at &+ width &- 1]
              else { continue }
              let place = SIMD2(
                Double(x) + peak(values[at &- 1], value, values[at &+ 1]),
                Double(y) + peak(values[at &- width], value, values[at &+ width]))
              found.append((value, place))
            }
          }
          found.sort { $0.strength > $1.strength }
          corners += found.prefix(cornersPerCell).map(\.place)
        }
      }
    }
    return corners
  }

  /// Where a parabola through three neighbors is highest, from −½ to ½.
  private static func peak(_ before: Float, _ at: Float, _ after: Float) -> Double {
    let bend = Double(before) + Double(after) - 2 * Double(at)
    guard bend < 0 else { return 0 }
    return max(-0.5, min(0.5, (Double(before) - Double(after)) / 2 / bend))
  }

  /// The smaller eigenvalue of the structure tensor over 5×5 pixels, in squared gray levels per pixel; 0
  /// within 3 pixels of the border.
  static func strength(of level: Raster<UInt8>) -> [Float] {
    var scratch = [Float](repeating: 0, count: 3 * level.width)
    return [Float](unsafeUninitializedCapacity: level.size.pixelCount) { result, count in
      level.samples.withUnsafeBufferPointer { gray in
        if let source = gray.baseAddress, let target = result.baseAddress {
          plb_corner_strength(source, level.width, level.height, 2, &scratch, target)
        }
      }
      count = level.size.pixelCount
    }
  }

  /// Sums over 5×5 pixels; 0 within 2 pixels of the border.
  static func boxSums(_ level: Raster<UInt8>) -> Raster<UInt32> {
    var scratch = [UInt32](repeating: 0, count: level.width)
    let sums = [UInt32](unsafeUninitializedCapacity: level.size.pixelCount) { result, count in
      level.samples.withUnsafeBufferPointer { gray in
        if let source = gray.baseAddress, let target = result.baseAddress {
          plb_box_sums(source, level.width, level.height, 2, &scratch, target)
        }
      }
      count = level.size.pixelCount
    }
    return Raster(size: level.size, samples: sums)
  }

  /// The direction from a position to the center of gravity of the light around it.
  ///
  /// - Source: P. L. Rosin, "Measuring Corner Properties", CVIU 73 (1999) 291–307.
  private static func direction(of level: Raster<UInt8>, _ x: Int, _ y: Int) -> SIMD2<Double> {
    var moment = SIMD2<Int>.zero
    let reach = DescriptorPattern.reach
    for v in -reach...reach {
      for u in -reach...reach where u * u + v * v <= reach * reach {
        moment &+= SIMD2(u, v) &* Int(level.samples[(y + v) * level.rowStride + x + u])
      }
    }
    let vector = SIMD2(Double(moment.x), Double(moment.y))
    let length = (vector * vector).sum().squareRoot()
    return length > 0 ? vector / length : [1, 0]
  }

  private static func descriptor(
    _ sums: Raster<UInt32>, _ x: Int, _ y: Int, _ direction: SIMD2<Double>
  ) -> SIMD4<UInt64> {
    var bits = SIMD4<UInt64>.zero
    let center = y * sums.width + x
    DescriptorPattern.places.withUnsafeBufferPointer { places in
      sums.samples.withUnsafeBufferPointer { samples in
        func sample(_ index: Int) -> UInt32 {
          let (u, v) = (Int(places[index]), Int(places[index &+ 1]))
          guard direction.y != 0 || direction.x < 0 else {
            return samples[center &+ v &* sums.width &+ u]
          }
          let column = direction.x * Double(u) - direction.y * Double(v)
          let row = direction.y * Double(u) + direction.x * Double(v)
          return samples[center &+ Int(row.rounded()) &* sums.width &+ Int(column.rounded())]
        }
        for pair in 0..<256 where sample(4 &* pair) < sample(4 &* pair &+ 2) {
          bits[pair >> 6] |= 1 << UInt64(pair & 63)
        }
      }
    }
    return bits
  }
}

/// A corner of an image, and what it looks like, so that it can be found again in another.
struct ImageFeature: Sendable {
  /// Where it lies, in pixels of the image.
  var position: SIMD2<Double>
  /// The level of the pyramid on which it was seen: 0 is the image, each next one half as large.
  var level: Int
  /// The direction in which the patch is brighter, of length 1; (1, 0) where it was not requested.
  var direction: SIMD2<Double>
  /// One bit for each of 256 pairs of positions around it: whether the second is brighter.
  var descriptor: SIMD4<UInt64>
}

/// The pairs of positions that descriptors compare.
///
/// - Source: M. Calonder et al., "BRIEF: Binary Robust Independent Elementary Features", ECCV 2010:
///   256 pairs, both ends normally distributed with a variance of S²/25 in a patch of S = 31 pixels;
///   turned with the patch as in E. Rublee et al., "ORB", ICCV 2011.
enum DescriptorPattern {
  /// The farthest that a position lies from the corner along an axis, in pixels.
  static let reach = 15

  /// Four numbers for each pair: x and y of the first position, x and y of the second.
  static let places: [Int8] = {
    var draws = FixedDraws(seed: 0x706c_756d_6270_6174)
    // Twelve uniform draws add up to a nearly normal one of variance 4 in units of their width.
    return (0..<1024).map { _ in
      var sum = 0.0
      for _ in 0..<12 { sum += draws.signedUnit() }
      return Int8(max(-Double(reach), min(Double(reach), (sum / 2 * 31 / 5).rounded())))
    }
  }()
}
