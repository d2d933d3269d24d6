import CKernels
import PlumblineModel

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

/// Coverage as kernels carry it: 16 times its code, packed.
enum MaskLevels {
  /// 1 in front of a disparity, 0 behind it, linear over a width around it.
  static func inFront(
    of middle: Float, width ramp: Float, _ disparity: CleanDisparity, threads: Int
  ) -> [UInt16] {
    let slope = 1 / ramp
    return made(disparity, threads: threads) { source, count, target in
      plb_mask_ramp(source, count, middle, slope, target)
    }
  }

  /// 1 between two disparities, with borders as wide.
  static func between(
    _ farthest: Float, _ nearest: Float, width ramp: Float, _ disparity: CleanDisparity,
    threads: Int
  ) -> [UInt16] {
    let slope = 1 / ramp
    return made(disparity, threads: threads) { source, count, target in
      plb_mask_band(source, count, farthest, nearest, slope, target)
    }
  }

  private static func made(
    _ disparity: CleanDisparity, threads: Int,
    _ kernel: @Sendable (UnsafePointer<Float>, Int, UnsafeMutablePointer<UInt16>) -> Void
  ) -> [UInt16] {
    let (width, height) = (disparity.size.width, disparity.size.height)
    return disparity.values.withUnsafeBufferPointer { values in
      nonisolated(unsafe) let values = values
      return filled(width * height, rows: height, threads: threads) { rows, target in
        guard let start = values.baseAddress else { return }
        let first = rows.lowerBound * width
        kernel(start + first, rows.count * width, target + first)
      }
    }
  }

  /// Codes of levels, stretched so that `low` becomes 0 and `high` 255.
  static func codes(
    of levels: [Float], size: RasterSize, low: Float = 0, high: Float = 255, threads: Int
  ) -> Raster<UInt8> {
    let width = size.width
    let codes: [UInt8] = levels.withUnsafeBufferPointer { levels in
      nonisolated(unsafe) let levels = levels
      return filled(levels.count, rows: size.height, threads: threads) { rows, target in
        guard let start = levels.baseAddress else { return }
        let first = rows.lowerBound * width
        plb_mask_codes(start + first, rows.count * width, low, high, target + first)
      }
    }
    return Raster(size: size, samples: codes)
  }
}
