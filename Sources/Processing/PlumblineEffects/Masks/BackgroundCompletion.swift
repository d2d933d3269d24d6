internal import CKernels
internal import PlumblineModel

/// An image and its disparity with what is not known filled from what is known around it.
///
/// Means of known pixels make ever coarser images; going back, each pixel that is not known takes
/// what the next coarser image has there. Close pixels thus count most, and known ones keep their
/// values exactly.
/// - Source: Gortler, Grzeszczuk, Szeliski and Cohen, *The Lumigraph*, SIGGRAPH 1996, section 3.4
///   (pull-push).
struct BackgroundCompletion: Sendable {
  var color: Raster<RGB8>
  var disparity: [Float]

  private struct Level {
    let size: RasterSize
    var values: [Float]
    let weights: [Float]
  }

  /// Fills; O(*n*).
  ///
  /// Where nothing at all is known everything becomes 0.
  /// - Precondition: Everything has the color's size, and disparities are finite.
  static func completed(
    color: Raster<RGB8>, disparity: [Float], known: [UInt8], threads: Int
  ) -> BackgroundCompletion {
    var result = BackgroundCompletion(color: color.packed, disparity: disparity)
    let size = color.size
    precondition(
      disparity.count == size.pixelCount && known.count == size.pixelCount, "maps of one size")
    guard size.pixelCount > 0 else { return result }
    var levels = [first(result.color, disparity, known, threads: threads)]
    while let last = levels.last, last.size.width > 1 || last.size.height > 1 {
      levels.append(pulled(last, threads: threads))
    }
    guard var coarse = levels.popLast() else { return result }
    while var level = levels.popLast() {
      push(coarse, into: &level, threads: threads)
      coarse = level
    }
    result.finish(coarse, known, threads: threads)
    return result
  }

  private static func half(_ size: RasterSize) -> RasterSize {
    RasterSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
  }

  private static func first(
    _ color: Raster<RGB8>, _ disparity: [Float], _ known: [UInt8], threads: Int
  ) -> Level {
    let size = half(color.size)
    var weights = [Float](repeating: 0, count: size.pixelCount)
    let (width, height) = (Int32(color.width), Int32(color.height))
    let values: [Float] = color.samples.withUnsafeBytes { colors in
      disparity.withUnsafeBufferPointer { disparity in
        known.withUnsafeBufferPointer { known in
          weights.withUnsafeMutableBufferPointer { weights in
            nonisolated(unsafe) let all = (
              colors.bindMemory(to: UInt8.self).baseAddress, disparity.baseAddress,
              known.baseAddress, weights.baseAddress
            )
            return filled(4 * size.pixelCount, rows: size.height, threads: threads) {
              rows, target in
              guard let colors = all.0, let disparity = all.1, let known = all.2,
                let weights = all.3
              else { return }
              plb_parallax_pull_first(
                colors, disparity, known, width, height, Int32(rows.lowerBound),
                Int32(rows.upperBound), target, weights)
            }
          }
        }
      }
    }
    return Level(size: size, values: values, weights: weights)
  }

  private static func pulled(_ fine: Level, threads: Int) -> Level {
    let size = half(fine.size)
    var weights = [Float](repeating: 0, count: size.pixelCount)
    let (width, height) = (Int32(fine.size.width), Int32(fine.size.height))
    let values: [Float] = fine.values.withUnsafeBufferPointer { values in
      fine.weights.withUnsafeBufferPointer { known in
        weights.withUnsafeMutableBufferPointer { weights in
          nonisolated(unsafe) let all = (values.baseAddress, known.baseAddress, weights.baseAddress)
          return filled(4 * size.pixelCount, rows: size.height, threads: threads) { rows, target in
            guard let values = all.0, let known = all.1, let weights = all.2 else { return }
            plb_parallax_pull(
              values, known, width, height, Int32(rows.lowerBound), Int32(rows.upperBound), target,
              weights)
          }
        }
      }
    }
    return Level(size: size, values: values, weights: weights)
  }

  private static func push(_ coarse: Level, into level: inout Level, threads: Int) {
    let size = level.size
    let (width, height) = (Int32(coarse.size.width), Int32(coarse.size.height))
    let weights = level.weights
    coarse.values.withUnsafeBufferPointer { values in
      weights.withUnsafeBufferPointer { weights in
        nonisolated(unsafe) let all = (values.baseAddress, weights.baseAddress)
        level.values.change(rows: size.height, threads: threads) { rows, target in
          guard let values = all.0, let weights = all.1 else { return }
          plb_parallax_push(
            values, width, height, Int32(size.width), Int32(rows.lowerBound),
            Int32(rows.upperBound), target, weights)
        }
      }
    }
  }

  private mutating func finish(_ coarse: Level, _ known: [UInt8], threads: Int) {
    let size = color.size
    let (width, height) = (Int32(coarse.size.width), Int32(coarse.size.height))
    var samples = color.samples
    coarse.values.withUnsafeBufferPointer { values in
      known.withUnsafeBufferPointer { known in
        samples.withUnsafeMutableBytes { colors in
          nonisolated(unsafe) let all = (
            values.baseAddress, known.baseAddress, colors.bindMemory(to: UInt8.self).baseAddress
          )
          disparity.change(rows: size.height, threads: threads) { rows, target in
            guard let values = all.0, let known = all.1, let colors = all.2 else { return }
            plb_parallax_push_last(
              values, width, height, known, Int32(size.width), Int32(rows.lowerBound),
              Int32(rows.upperBound), colors, target)
          }
        }
      }
    }
    color.samples = samples
  }
}
