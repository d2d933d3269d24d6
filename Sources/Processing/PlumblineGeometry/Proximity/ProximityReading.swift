package import PlumblineModel

/// The distance of the nearest thing in a part of one depth map, with its ±.
///
/// A thing counts only if at least ``leastAreaSquareMeters`` of it is visible. So a single wrong pixel does
/// not count, and the result does not depend on the map's size. Close to the camera the whole region may
/// cover less than twice that area; then half of the region is enough, so that a hand on the lens counts.
public struct ProximityReading: Sendable, Hashable {
  /// The minimum visible area of a thing, in square meters: 10 cm², two fingers side by side.
  ///
  /// - Source: this project's; see `Documentation/proximity.md`.
  package static let leastAreaSquareMeters = 10e-4

  /// The depth up to which the pixels add up to that area, in meters along the optical axis; `nil` if no
  /// thing as large was measured.
  public var nearestMeters: Double?
  /// One standard deviation of ``nearestMeters`` along the optical axis, in meters; `nil` if it is unknown,
  /// or ``nearestMeters`` is `nil`.
  public var sigmaMeters: Double?
  /// The share of the region's pixels that were measured, 0 to 1.
  public var measuredShare: Double

  /// Creates a reading from its parts.
  package init(nearestMeters: Double?, sigmaMeters: Double?, measuredShare: Double) {
    self.nearestMeters = nearestMeters
    self.sigmaMeters = sigmaMeters
    self.measuredShare = measuredShare
  }

  /// Reads a depth map; O(*n*) of the region.
  ///
  /// - Parameters:
  ///   - depth: Meters.
  ///   - region: The pixels that count; all of them when `nil`.
  ///   - focalLength: The camera's at the map's size, in pixels.
  ///   - uncertainty: The ± of each pixel.
  ///   - leastArea: In square meters, above 0.
  /// - Precondition: The region lies inside the map, and the focal lengths are above 0.
  package init(
    _ depth: DepthMap, in region: PixelRectangle? = nil, focalLength: SIMD2<Double>,
    uncertainty: PointUncertainty = .unknown,
    leastArea: Double = ProximityReading.leastAreaSquareMeters
  ) {
    let region =
      region ?? PixelRectangle(x: 0, y: 0, width: depth.size.width, height: depth.size.height)
    precondition(region.isInside(depth.size), "the region reaches out of \(depth.size)")
    precondition(focalLength.x > 0 && focalLength.y > 0, "a focal length must be above 0")
    precondition(leastArea > 0, "an area must be above 0")
    let counts = DepthSteps(depth, in: region)
    let pixelCount = region.size.pixelCount
    measuredShare = pixelCount == 0 ? 0 : Double(counts.total) / Double(pixelCount)
    // A pixel shows (z/f)² of a surface that faces the camera, and more of one that does not.
    nearestMeters = counts.depth(
      reachingArea: leastArea, squareMetersAtOneMeter: 1 / (focalLength.x * focalLength.y),
      orCount: (pixelCount + 1) / 2)
    sigmaMeters = nearestMeters.flatMap { nearest in
      switch uncertainty {
      case .unknown: nil
      case .curve(let curve): curve.sigmaMeters(atDepth: nearest)
      case .meters(let sigma): Self.mean(of: sigma, where: depth, isWithin: nearest, in: region)
      }
    }
  }

  /// The mean sigma of the thing's own pixels: their errors are largely common, so it does not fall
  /// with their number.
  private static func mean(
    of sigma: Raster<Float>, where depth: DepthMap, isWithin nearest: Double,
    in region: PixelRectangle
  ) -> Double? {
    var sum = 0.0
    var count = 0
    for y in region.y..<region.y + region.size.height {
      for x in region.x..<region.x + region.size.width
      where Double(depth.meters[x, y]) <= nearest && sigma[x, y] >= 0 {
        sum += Double(sigma[x, y])
        count += 1
      }
    }
    return count == 0 ? nil : sum / Double(count)
  }
}

/// The number of pixels at each depth, in steps of a thousandth of the depth.
///
/// The upper bits of a positive `Float` grow with its value, and with 10 bits of the fraction a step is at
/// most 2⁻¹⁰ of it. So counting needs neither a logarithm nor sorting.
struct DepthSteps {
  /// The smallest depth, in meters; smaller ones are counted as this: 2⁻⁷ = 8 mm.
  static let least: Float = 0x1p-7
  /// The depth from which on all are counted in the last step, in meters: 128 m.
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

  /// The smallest depth up to which the pixels add up to an area or to a number; `nil` if they never do.
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
