internal import CKernels

/// The number of pixels of a map in each bin of values, in ascending order of the values.
///
/// A bin is 1/2048 of a power of two wide, from 2⁻¹⁶ to 2¹⁶; values outside count in the first or
/// the last bin. A half-precision number has only 10 bits after its leading bit, so no two normal
/// half-precision numbers, which cameras deliver, share a bin.
struct ValueHistogram {
  static let binCount = Int(PLB_VALUE_BINS)

  /// The number of pixels in each bin, in ascending order of the values.
  let counts: [UInt32]
  /// The number of pixels that are finite and above 0.
  let total: Int
  /// Whether small values are far.
  let isDisparity: Bool

  /// Counts the values of a map; O(*n*), one pass.
  init(_ values: DepthRecord.Values) {
    var even = [UInt32](repeating: 0, count: Self.binCount + 1)
    var odd = even
    values.forEachRow { numbers, count, _ in plb_count_values(numbers, count, &even, &odd) }
    even.withUnsafeMutableBufferPointer { even in
      odd.withUnsafeBufferPointer { odd in
        for bin in 0...Self.binCount { even[bin] &+= odd[bin] }
      }
    }
    total = values.size.pixelCount - Int(even[Self.binCount])
    counts = even
    isDisparity = values.isDisparity
  }

  /// The depths in meters at two quantiles of the pixels, with a margin of 2 % of their distance on
  /// either side, at least 1/1000 of the far end; `nil` without a pixel.
  ///
  /// - Source: `DepthRange` of the viewer.
  func rangeMeters(_ quantiles: ClosedRange<Double>) -> ClosedRange<Float>? {
    guard total > 0 else { return nil }
    let last = Double(total - 1)
    let near: Float
    let far: Float
    if isDisparity {
      near = 1 / Self.lowerEdge(of: bin(ofRank: Int(last * (1 - quantiles.lowerBound))) + 1)
      far = 1 / Self.lowerEdge(of: bin(ofRank: Int(last * (1 - quantiles.upperBound))))
    } else {
      near = Self.lowerEdge(of: bin(ofRank: Int(last * quantiles.lowerBound)))
      far = Self.lowerEdge(of: bin(ofRank: Int(last * quantiles.upperBound)) + 1)
    }
    let pad = max((far - near) / 50, far / 1000)
    return max(0, near - pad)...(far + pad)
  }

  /// The color of each bin, so that all 256 are used equally often; the last entry is for missing
  /// pixels.
  ///
  /// - Parameters:
  ///   - colors: 256 colors from near to far.
  ///   - missing: The color of missing pixels.
  /// - Returns: `binCount + 1` colors; those of empty bins have no meaning.
  func equalizedColors(_ colors: [UInt32], missing: UInt32) -> [UInt32] {
    var result = [UInt32](repeating: missing, count: Self.binCount + 1)
    let colors = isDisparity ? colors.reversed() : colors
    let total = UInt64(total)
    result.withUnsafeMutableBufferPointer { result in
      counts.withUnsafeBufferPointer { counts in
        var before: UInt64 = 0
        var place = 0
        var end = total
        for bin in 0..<Self.binCount where counts[bin] > 0 {
          let count = UInt64(counts[bin])
          // 256 · (middle rank) / total, without a division for each bin.
          let scaled = 128 * (2 * before + count)
          while scaled >= end {
            end += total
            place += 1
          }
          result[bin] = colors[place]
          before += count
        }
      }
    }
    return result
  }

  private func bin(ofRank rank: Int) -> Int {
    var rank = rank
    for bin in 0..<Self.binCount {
      if rank < counts[bin] { return bin }
      rank -= Int(counts[bin])
    }
    return Self.binCount - 1
  }

  private static func lowerEdge(of bin: Int) -> Float {
    Float(bitPattern: UInt32(bin + Int(PLB_FIRST_VALUE_BIN)) << UInt32(PLB_VALUE_BIN_SHIFT))
  }
}
