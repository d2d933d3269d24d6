internal import CKernels
internal import PlumblineModel

/// The colors of a foreground without those of its old background, where both share a pixel.
///
/// A pixel is `I = αF + (1 − α)B`. F and B are guessed as the means of their surroundings, weighted
/// by α⁴ and (1 − α)⁴, and what they do not explain is given to F: `F = F̂ + α(I − αF̂ − (1 − α)B̂)`.
/// Twice: with wide windows, then with small ones on the first guess. Pixels of α = 255 keep their
/// color exactly.
/// - Source: Forte, *Approximate fast foreground colour estimation*, ICIP 2021 (blur fusion, ×2 with
///   radii of 90 and 6 pixels), there with weights α and 1 − α, which let half of the old color in
///   where edges are soft; mixing is in stored codes, as mattes are made.
enum ForegroundColors {
  private static let radii = [90, 6]

  /// Fourth powers of the share that a coverage is.
  private static let weights = (0..<256).map { coverage in
    let square = coverage * coverage
    return UInt8((square * square + 255 * 255 * 255 / 2) / (255 * 255 * 255))
  }

  /// The foreground's colors; O(*n*).
  ///
  /// - Precondition: Coverage has the image's size.
  static func estimated(
    _ image: Raster<RGB8>, _ coverage: Raster<UInt8>, threads: Int
  ) -> Raster<RGB8> {
    let image = image.packed
    let coverage = coverage.packed
    precondition(image.size == coverage.size, "\(coverage.size) levels for \(image.size)")
    guard coverage.samples.contains(where: { $0 > 0 && $0 < 255 }) else { return image }
    var front = image
    var behind = image
    for radius in radii {
      let reach = min(radius, max(image.width, image.height))
      (front, behind) = step(image, front, behind, coverage, reach, threads: threads)
    }
    return front
  }

  private static func step(
    _ image: Raster<RGB8>, _ front: Raster<RGB8>, _ behind: Raster<RGB8>,
    _ coverage: Raster<UInt8>, _ radius: Int, threads: Int
  ) -> (Raster<RGB8>, Raster<RGB8>) {
    let size = image.size
    var rear = image.samples
    let pixels: [UInt8] = image.samples.withUnsafeBytes { image in
      front.samples.withUnsafeBytes { front in
        behind.samples.withUnsafeBytes { behind in
          rear.withUnsafeMutableBytes { rear in
            coverage.samples.withUnsafeBufferPointer { coverage in
              nonisolated(unsafe) let all = (
                image.bindMemory(to: UInt8.self).baseAddress,
                front.bindMemory(to: UInt8.self).baseAddress,
                behind.bindMemory(to: UInt8.self).baseAddress, coverage.baseAddress,
                rear.bindMemory(to: UInt8.self).baseAddress
              )
              return filled(3 * size.pixelCount, rows: size.height, threads: threads) {
                rows, target in
                guard let image = all.0, let front = all.1, let behind = all.2,
                  let coverage = all.3, let rear = all.4
                else { return }
                var columns = [UInt32](
                  repeating: 0, count: PLB_FOREGROUND_SUMS * size.width)
                plb_mask_foreground(
                  image, front, behind, coverage, weights, Int32(size.width), Int32(size.height),
                  Int32(radius), Int32(rows.lowerBound), Int32(rows.upperBound), &columns, target,
                  rear)
              }
            }
          }
        }
      }
    }
    return (Raster(size: size, pixels: pixels), Raster(size: size, samples: rear))
  }
}
