import Dispatch
import PlumblineCorrection
import PlumblineModel
import Synchronization

/// An image resampled, and where it shows the scene: 1 there, 0 elsewhere.
struct ResampledImage<Sample: BitwiseCopyable & Sendable>: Sendable {
  var image: Raster<Sample>
  var coverage: Raster<UInt8>
}

extension StereoRectification {
  func resampled(
    _ image: Raster<RGB8>, _ side: Side, threads: Int
  ) -> ResampledImage<RGB8> {
    inBands(side, threads: threads) { map, rows in
      let plan = BilinearPlan(map.band(rows))
      let black = RGB8(red: 0, green: 0, blue: 0)
      return Self.band(
        plan.resampled(image), plan, places: map.places, missing: black
      ) { pixels in
        var sum = SIMD3<UInt32>.zero
        for pixel in pixels {
          sum &+= SIMD3(UInt32(pixel.red), UInt32(pixel.green), UInt32(pixel.blue))
        }
        let count = UInt32(pixels.count)
        let mean = (sum &+ SIMD3(repeating: count / 2)) / SIMD3(repeating: count)
        return RGB8(
          red: UInt8(truncatingIfNeeded: mean.x), green: UInt8(truncatingIfNeeded: mean.y),
          blue: UInt8(truncatingIfNeeded: mean.z))
      }
    }
  }

  func resampled(
    _ image: Raster<UInt8>, _ side: Side, threads: Int
  ) -> ResampledImage<UInt8> {
    inBands(side, threads: threads) { map, rows in
      let plan = BilinearPlan(map.band(rows))
      return Self.band(plan.resampled(image), plan, places: map.places, missing: 0) { pixels in
        let count = UInt32(pixels.count)
        let sum = pixels.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        return UInt8(truncatingIfNeeded: (sum &+ count / 2) / count)
      }
    }
  }

  /// The samples and the coverage of a band: the mean of each pixel's positions, where all show the
  /// scene.
  private static func band<Sample: BitwiseCopyable & Sendable>(
    _ fine: Raster<Sample>, _ plan: BilinearPlan, places: Int, missing: Sample,
    mean: ([Sample]) -> Sample
  ) -> (samples: [Sample], coverage: [UInt8]) {
    let validity = plan.validity.samples
    if places == 1 { return (fine.samples, validity.map { $0 & 1 }) }
    let size = RasterSize(width: fine.width / places, height: fine.height / places)
    var coverage = [UInt8](repeating: 0, count: size.pixelCount)
    var samples = [Sample](repeating: missing, count: size.pixelCount)
    var window = [Sample](repeating: missing, count: places * places)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var isCovered = true
        for row in 0..<places {
          let start = (y * places + row) * fine.width + x * places
          for column in 0..<places {
            isCovered = isCovered && validity[start + column] != 0
            window[row * places + column] = fine.samples[start + column]
          }
        }
        guard isCovered else { continue }
        coverage[y * size.width + x] = 1
        samples[y * size.width + x] = mean(window)
      }
    }
    return (samples, coverage)
  }

  /// Computes bands of rows on several threads and joins them in order.
  private func inBands<Sample: BitwiseCopyable & Sendable>(
    _ side: Side, threads: Int,
    _ compute: @Sendable (RectifyingMap, Range<Int>) -> (samples: [Sample], coverage: [UInt8])
  ) -> ResampledImage<Sample> {
    let map = RectifyingMap(camera(side), pinhole(side))
    // About 2^18 positions at a time: 4 MB of map and plan.
    let rows = max(1, (1 << 18) / (size.width * map.places * map.places))
    let count = (size.height + rows - 1) / rows
    let bands = Mutex<[(samples: [Sample], coverage: [UInt8])]>(
      Array(repeating: ([], []), count: count))
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let band = compute(map, index * rows..<min(size.height, (index + 1) * rows))
        bands.withLock { $0[index] = band }
      }
    }
    var samples: [Sample] = []
    var coverage: [UInt8] = []
    samples.reserveCapacity(size.pixelCount)
    coverage.reserveCapacity(size.pixelCount)
    for index in 0..<count {
      // Freed one by one, so that an image is never held twice.
      let band = bands.withLock { bands in
        let band = bands[index]
        bands[index] = ([], [])
        return band
      }
      samples.append(contentsOf: band.samples)
      coverage.append(contentsOf: band.coverage)
    }
    return ResampledImage(
      image: Raster(size: size, samples: samples),
      coverage: Raster(size: size, samples: coverage))
  }
}
