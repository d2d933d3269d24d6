/// Order statistics of a depth map, exact and in linear time.
public struct DepthStatistics: Hashable, Sendable {
  /// The number of measured pixels.
  public var validCount: Int
  /// The share of measured pixels, 0 to 1; 0 for an empty map.
  public var validFraction: Double
  /// The nearest depth in meters; `nil` when nothing was measured.
  public var minimumMeters: Double?
  /// The lower median depth in meters; `nil` when nothing was measured.
  public var medianMeters: Double?
  /// The farthest depth in meters; `nil` when nothing was measured.
  public var maximumMeters: Double?
}

extension DepthMap {
  /// The statistics of the measured pixels; O(*n*), two passes.
  public var statistics: DepthStatistics {
    // Positive floats are ordered like their bit patterns: count the upper halves, then the lower
    // ones of one bin.
    var upper = [Int](repeating: 0, count: 1 << 16)
    var minimum = Float.infinity
    var maximum = -Float.infinity
    var valid = 0
    for y in 0..<meters.height {
      for value in meters.row(y) where value > 0 {
        upper[Int(value.bitPattern >> 16)] += 1
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        valid += 1
      }
    }
    let pixels = size.pixelCount
    guard valid > 0 else { return DepthStatistics(validCount: 0, validFraction: 0) }
    var rank = (valid - 1) / 2
    let prefix = Self.bin(of: &rank, in: upper)
    var lower = [Int](repeating: 0, count: 1 << 16)
    for y in 0..<meters.height {
      for value in meters.row(y) where value > 0 && Int(value.bitPattern >> 16) == prefix {
        lower[Int(value.bitPattern & 0xFFFF)] += 1
      }
    }
    let median = Float(bitPattern: UInt32(prefix << 16 | Self.bin(of: &rank, in: lower)))
    return DepthStatistics(
      validCount: valid, validFraction: Double(valid) / Double(pixels),
      minimumMeters: Double(minimum), medianMeters: Double(median), maximumMeters: Double(maximum))
  }

  /// The bin that contains the element of a rank; the rank becomes the rank inside that bin.
  private static func bin(of rank: inout Int, in counts: [Int]) -> Int {
    for (bin, count) in counts.enumerated() {
      if rank < count { return bin }
      rank -= count
    }
    return counts.count - 1
  }
}
