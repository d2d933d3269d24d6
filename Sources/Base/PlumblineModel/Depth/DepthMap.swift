import CKernels

/// Depth: the distance of each pixel's surface along the optical axis, in meters.
///
/// Frame: the pixels of the map's own image. Missing is NaN and nothing else; every initializer
/// turns what its source uses for "not measured" into NaN. Depth is not the length of the ray;
/// that is ``RangeMap``.
public struct DepthMap: Sendable {
  /// The value of a pixel that was not measured.
  public static let missing = Float.nan

  /// Meters along the optical axis; NaN where not measured.
  public var meters: Raster<Float>

  /// Makes a map of depths in meters; what is not a finite number above 0 becomes missing, O(*n*).
  public init(meters: Raster<Float>) {
    self.meters = DepthConversion.checked(meters)
  }

  /// Makes a map of whole millimeters, as 16-bit PNG files hold them; 0 means not measured, O(*n*).
  public init(millimeters: Raster<UInt16>) {
    meters = millimeters.map { $0 == 0 ? DepthMap.missing : Float($0) / 1000 }
  }

  /// Makes a map of depths that are known to be NaN or finite and above 0, without a check.
  init(trusted meters: Raster<Float>) { self.meters = meters }

  /// The number of columns and rows.
  public var size: RasterSize { meters.size }

  /// The map as disparity: 1/z where measured, NaN elsewhere; O(*n*).
  ///
  /// - Source: Apple, *AVDepthData*: disparity is normalized to 1/m, so no focal length or
  ///   baseline takes part.
  public var disparityMap: DisparityMap {
    DisparityMap(trusted: DepthConversion.reciprocal(meters))
  }
}

/// Disparity: the reciprocal of depth, in 1/m; what Apple's dual cameras and photos store.
///
/// Frame: the pixels of the map's own image. Missing is NaN.
public struct DisparityMap: Sendable {
  /// Reciprocal meters; NaN where not measured.
  public var inverseMeters: Raster<Float>

  /// Makes a map of disparities; what is not a finite number above 0 becomes missing, O(*n*).
  public init(inverseMeters: Raster<Float>) {
    self.inverseMeters = DepthConversion.checked(inverseMeters)
  }

  /// Makes a map of disparities that are known to be NaN or finite and above 0, without a check.
  init(trusted inverseMeters: Raster<Float>) { self.inverseMeters = inverseMeters }

  /// The number of columns and rows.
  public var size: RasterSize { inverseMeters.size }

  /// The map as depth: `z = 1/d`, NaN where `d` is missing; O(*n*).
  ///
  /// - Source: Apple, *AVDepthData*; the law for missing values is this project's, see
  ///   `Documentation/conventions.md`.
  public var depthMap: DepthMap { DepthMap(trusted: DepthConversion.reciprocal(inverseMeters)) }
}

/// Conversions of whole rasters: depth to disparity and back, and both from half-precision samples.
///
/// The rule: a finite value above 0 becomes its reciprocal in single precision, if that is finite;
/// everything else becomes NaN.
///
/// C kernels do the work. Every processor rounds a division alike, and widening a half-precision
/// number is exact; so the kernels return the bits of the plain Swift functions here, which tests
/// compare.
enum DepthConversion {
  /// The rule for one value.
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

  /// Every pixel, NaN for what is not finite and above 0; O(*n*).
  static func checked(_ raster: Raster<Float>) -> Raster<Float> {
    convert(raster) { source, count, result in
      plb_depth_checked(source, count, result)
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
