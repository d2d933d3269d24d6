internal import CKernels

/// Whole-raster conversions between depth, disparity and their 16-bit forms.
///
/// The law: finite and above 0 gives the reciprocal in single precision, where that is finite;
/// everything else gives NaN.
/// The C kernels give the same bits as the plain Swift functions beside them on every CPU, since
/// division is correctly rounded and widening a half is exact; tests compare all of it.
enum DepthConversion {
  /// The law for one value.
  static func reciprocal(_ value: Float) -> Float {
    let reciprocal = 1 / value
    return value > 0 && value < .infinity && reciprocal < .infinity ? reciprocal : .nan
  }

  /// `1/x` of every pixel, NaN for what is not finite and above 0; O(*n*).
  static func reciprocal(_ raster: Raster<Float>) -> Raster<Float> {
    convert(raster) { source, count, result in
      plb_reciprocal(source, count, result)
    }
  }

  /// Applies a row kernel to each row of a raster.
  static func convert<Source>(
    _ raster: Raster<Source>,
    _ kernel: (UnsafePointer<Source>, Int, UnsafeMutablePointer<Float>) -> Void
  ) -> Raster<Float> {
    let samples = [Float](unsafeUninitializedCapacity: raster.size.pixelCount) { buffer, count in
      convert(raster, into: buffer, kernel)
      count = raster.size.pixelCount
    }
    return Raster(size: raster.size, samples: samples)
  }

  /// Applies a row kernel to each row of a raster; the result has room for all of its pixels.
  static func convert<Source>(
    _ raster: Raster<Source>, into result: UnsafeMutableBufferPointer<Float>,
    _ kernel: (UnsafePointer<Source>, Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    guard raster.size.pixelCount > 0 else { return }
    raster.samples.withUnsafeBufferPointer { source in
      guard let input = source.baseAddress, let output = result.baseAddress else { return }
      if raster.rowStride == raster.width {
        kernel(input, raster.size.pixelCount, output)
      } else {
        for y in 0..<raster.height {
          kernel(input + y * raster.rowStride, raster.width, output + y * raster.width)
        }
      }
    }
  }
}
