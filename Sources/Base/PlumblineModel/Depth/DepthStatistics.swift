import CKernels

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
    var upper = [UInt32](repeating: 0, count: 1 << 16)
    var others = upper
    forEachRow { plb_depth_histogram($0, $1, &upper, &others) }
    var valid = 0
    var (first, last) = (0, 0)
    // The last bin has what was not measured.
    for bin in 0..<upper.count - 1 {
      upper[bin] += others[bin]
      guard upper[bin] > 0 else { continue }
      if valid == 0 { first = bin }
      last = bin
      valid += Int(upper[bin])
    }
    let pixels = size.pixelCount
    guard valid > 0 else { return DepthStatistics(validCount: 0, validFraction: 0) }
    var rank = (valid - 1) / 2
    let prefix = Self.bin(of: &rank, in: upper)
    var lower = [UInt32](repeating: 0, count: 1 << 16)
    var (minimum, maximum) = (Float.infinity, -Float.infinity)
    forEachRow {
      plb_depth_histogram_within(
        $0, $1, UInt32(first), UInt32(prefix), UInt32(last), &lower, &minimum, &maximum)
    }
    let median = Float(bitPattern: UInt32(prefix << 16 | Self.bin(of: &rank, in: lower)))
    return DepthStatistics(
      validCount: valid, validFraction: Double(valid) / Double(pixels),
      minimumMeters: Double(minimum), medianMeters: Double(median), maximumMeters: Double(maximum))
  }

  /// Calls with the first sample of each row and the number of columns.
  private func forEachRow(_ body: (UnsafePointer<Float>, Int) -> Void) {
    meters.samples.withUnsafeBufferPointer { samples in
      guard let first = samples.baseAddress, size.pixelCount > 0 else { return }
      for y in 0..<meters.height { body(first + y * meters.rowStride, meters.width) }
    }
  }

  /// The bin that contains the element of a rank; the rank becomes the rank inside that bin.
  private static func bin(of rank: inout Int, in counts: [UInt32]) -> Int {
    for (bin, count) in counts.enumerated() {
      if rank < Int(count) { return bin }
      rank -= Int(count)
    }
    return counts.count - 1
  }
}
