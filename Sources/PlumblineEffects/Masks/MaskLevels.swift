internal import CKernels
internal import PlumblineModel

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
