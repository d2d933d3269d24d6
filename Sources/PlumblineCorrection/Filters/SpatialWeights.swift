#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The neighbors of a pixel within a disk and their Gaussian weights.
///
/// - Source: the disk is that of `cv2.bilateralFilter`; Tomasi and Manduchi, *Bilateral filtering
///   for gray and color images*, ICCV 1998.
struct SpatialWeights {
  var offsets: [SIMD2<Int>] = []
  var weights: [Float] = []

  init(radius: Int, sigma: Float) {
    for y in -radius...radius {
      for x in -radius...radius where (x, y) != (0, 0) && x * x + y * y <= radius * radius {
        offsets.append(SIMD2(x, y))
        let squared = Double(x * x + y * y)
        weights.append(Float(exp(-squared / (2 * Double(sigma) * Double(sigma)))))
      }
    }
  }

  /// The square of 3 × 3 or more, without rounding its corners.
  init(squareOf radius: Int, sigma: Float) {
    for y in -radius...radius {
      for x in -radius...radius where (x, y) != (0, 0) {
        offsets.append(SIMD2(x, y))
        let squared = Double(x * x + y * y)
        weights.append(Float(exp(-squared / (2 * Double(sigma) * Double(sigma)))))
      }
    }
  }

  /// The neighbors as distances in memory.
  func taps(stride: Int) -> [Int] { offsets.map { $0.y * stride + $0.x } }
}
