internal import CKernels
internal import PlumblineModel

/// Kernels over pairs of packed images and coverage.
enum ImageMixing {
  typealias Bytes = UnsafePointer<UInt8>

  /// `front` before `back`, in stored codes.
  static func blend(
    _ front: Raster<RGB8>, over back: Raster<RGB8>, _ coverage: Raster<UInt8>, threads: Int
  ) -> Raster<RGB8> {
    back.samples.withUnsafeBytes { back in
      nonisolated(unsafe) let back = back
      return mix(front, coverage, threads: threads) { pixels, levels, first, count, target in
        guard let back = back.bindMemory(to: UInt8.self).baseAddress else { return }
        plb_mask_blend(pixels, back + 3 * first, levels, count, target)
      }
    }
  }

  /// `front` before one color.
  static func blend(
    _ front: Raster<RGB8>, over color: RGB8, _ coverage: Raster<UInt8>, threads: Int
  ) -> Raster<RGB8> {
    let codes = [color.red, color.green, color.blue]
    return mix(front, coverage, threads: threads) { pixels, levels, _, count, target in
      plb_mask_blend_color(pixels, codes, levels, count, target)
    }
  }

  /// Runs a kernel over bands of a packed image and its coverage.
  static func mix(
    _ image: Raster<RGB8>, _ coverage: Raster<UInt8>, threads: Int,
    _ kernel:
      @Sendable (Bytes, Bytes, _ first: Int, _ count: Int, UnsafeMutablePointer<UInt8>)
      -> Void
  ) -> Raster<RGB8> {
    let image = image.packed
    let coverage = coverage.packed
    precondition(image.size == coverage.size, "\(coverage.size) levels for \(image.size)")
    let width = image.width
    let samples = [RGB8](unsafeUninitializedCapacity: image.size.pixelCount) { buffer, count in
      count = image.size.pixelCount
      image.samples.withUnsafeBytes { pixels in
        coverage.samples.withUnsafeBufferPointer { levels in
          guard let pixels = pixels.bindMemory(to: UInt8.self).baseAddress,
            let levels = levels.baseAddress,
            let result = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt8.self)
              .baseAddress
          else { return }
          nonisolated(unsafe) let pointers = (pixels, levels, result)
          forEachBand(of: image.height, threads: threads) { rows in
            let first = rows.lowerBound * width
            kernel(
              pointers.0 + 3 * first, pointers.1 + first, first, rows.count * width,
              pointers.2 + 3 * first)
          }
        }
      }
    }
    return Raster(size: image.size, samples: samples)
  }
}
