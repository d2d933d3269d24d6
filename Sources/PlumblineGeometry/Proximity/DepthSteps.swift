import PlumblineModel

/// How many pixels lie at each depth, in steps of a thousandth of it.
///
/// The upper bits of a positive `Float` grow with it, and 10 bits of its fraction are steps of at
/// most 2⁻¹⁰: counting needs neither a logarithm nor sorting.
struct DepthSteps {
  /// Depths below are counted as this one, in meters: 2⁻⁷ = 8 mm.
  static let least: Float = 0x1p-7
  /// Depths from here on are counted in the last step, in meters: 128 m.
  static let most: Float = 0x1p7
  private static let shift: UInt32 = 13
  private static let first = Int(least.bitPattern >> shift)
  private static let last = Int(most.bitPattern >> shift)

  /// The pixels of each step.
  private var counts: [Int]
  /// The measured pixels.
  private(set) var total = 0

  /// Counts the measured pixels of a rectangle, which lies inside; O(*n*).
  init(_ depth: DepthMap, in region: PixelRectangle) {
    counts = Array(repeating: 0, count: Self.last - Self.first + 1)
    let stride = depth.meters.rowStride
    depth.meters.samples.withUnsafeBufferPointer { meters in
      counts.withUnsafeMutableBufferPointer { counts in
        for y in region.y..<region.y + region.size.height {
          let start = y &* stride &+ region.x
          for index in start..<start &+ region.size.width {
            let z = meters[index]
            guard z > 0 else { continue }
            let step = Int(z.bitPattern >> Self.shift) &- Self.first
            counts[min(max(step, 0), counts.count - 1)] &+= 1
            total &+= 1
          }
        }
      }
    }
  }

  /// The least depth within which the pixels show an area, or are so many; `nil` where they never do.
  func depth(
    reachingArea leastArea: Double, squareMetersAtOneMeter: Double, orCount leastCount: Int
  ) -> Double? {
    var area = 0.0
    var count = 0
    for (step, pixels) in counts.enumerated() where pixels > 0 {
      let z = Self.middle(of: step)
      area += Double(pixels) * squareMetersAtOneMeter * z * z
      count += pixels
      if area >= leastArea || count >= max(leastCount, 1) { return z }
    }
    return nil
  }

  /// The depth in the middle of a step, in meters.
  private static func middle(of step: Int) -> Double {
    let low = Float(bitPattern: UInt32(step + first) << shift)
    let high = Float(bitPattern: UInt32(step + first + 1) << shift)
    return (Double(low) + Double(high)) / 2
  }
}
