internal import CKernels

/// What each pixel of a scaled axis takes from which pixels of the source; the weights of each sum
/// to 1.
///
/// An axis that shrinks takes the mean of the covered length, one that grows is linear between pixel
/// centers.
/// - Source: area averaging is the box filter of the new pixel's size, which removes what would alias;
///   it is what `cv::resize` calls `INTER_AREA`.
struct ResamplingAxis {
  private(set) var first: [Int32] = []
  private(set) var start: [Int32] = [0]
  private(set) var weights: [Float] = []

  /// Maps `count` pixels onto `length` pixels of a source from `origin` on.
  init(origin: Int, length: Int, count: Int) {
    let step = Double(length) / Double(count)
    for index in 0..<count {
      if step >= 1 {
        let low = Double(index) * step
        let high = min(low + step, Double(length))
        let begin = min(Int(low), length - 1)
        let end = max(begin, min(Int(high.rounded(.up)) - 1, length - 1))
        first.append(Int32(origin + begin))
        for pixel in begin...end {
          let share = min(high, Double(pixel + 1)) - max(low, Double(pixel))
          weights.append(Float(share / (high - low)))
        }
      } else {
        let place = min(max((Double(index) + 0.5) * step - 0.5, 0), Double(length - 1))
        let begin = min(Int(place), max(length - 2, 0))
        first.append(Int32(origin + begin))
        let share = Float(place - Double(begin))
        weights += length > 1 ? [1 - share, share] : [1]
      }
      start.append(Int32(weights.count))
    }
  }

  /// Gives the kernels' view of the tables.
  func withKernelAxis<Result>(_ body: (plb_estimation_axis) -> Result) -> Result? {
    first.withUnsafeBufferPointer { first in
      start.withUnsafeBufferPointer { start in
        weights.withUnsafeBufferPointer { weights in
          guard let first = first.baseAddress, let start = start.baseAddress,
            let weights = weights.baseAddress
          else { return nil }
          return body(
            plb_estimation_axis(
              first: first, start: start, weights: weights, count: Int32(self.first.count)))
        }
      }
    }
  }
}
