/// A two-dimensional array of samples whose rows may be padded.
///
/// Frame: `x` runs right from 0 to `width − 1`, `y` runs down from 0 to `height − 1`; integer
/// coordinates are pixel centers. The type around the raster, such as ``DepthMap``, defines the
/// meaning of a sample, its unit and its code for "missing".
public struct Raster<Sample: BitwiseCopyable & Sendable>: Sendable {
  /// The number of columns and rows.
  public let size: RasterSize
  /// The distance between the starts of two rows, in samples; at least `size.width`.
  public let rowStride: Int
  /// All samples, row after row, padding included.
  public var samples: [Sample]

  /// Wraps samples that are already stored row after row.
  ///
  /// - Parameters:
  ///   - size: The number of columns and rows.
  ///   - rowStride: The distance between rows in samples; the width when `nil`.
  ///   - samples: At least `rowStride · (height − 1) + width` samples.
  /// - Precondition: The stride is at least the width, and there are enough samples. O(1).
  public init(size: RasterSize, rowStride: Int? = nil, samples: [Sample]) {
    let stride = rowStride ?? size.width
    precondition(stride >= size.width, "a row of \(size.width) does not fit a stride of \(stride)")
    let needed = size.pixelCount == 0 ? 0 : stride * (size.height - 1) + size.width
    precondition(samples.count >= needed, "\(size) needs \(needed) samples, not \(samples.count)")
    self.size = size
    self.rowStride = stride
    self.samples = samples
  }

  /// A raster of one value, without padding; O(*n*).
  public init(size: RasterSize, repeating sample: Sample) {
    self.init(size: size, samples: Array(repeating: sample, count: size.pixelCount))
  }

  /// A raster computed pixel by pixel, without padding; O(*n*).
  @inlinable
  public init(size: RasterSize, _ sampleAt: (_ x: Int, _ y: Int) -> Sample) {
    let samples = [Sample](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      for y in 0..<size.height {
        for x in 0..<size.width {
          buffer[count] = sampleAt(x, y)
          count += 1
        }
      }
    }
    self.init(size: size, samples: samples)
  }

  /// The number of columns.
  @inlinable public var width: Int { size.width }
  /// The number of rows.
  @inlinable public var height: Int { size.height }

  /// The sample at a pixel, which must lie inside; O(1).
  @inlinable
  public subscript(x: Int, y: Int) -> Sample {
    get {
      precondition(contains(x: x, y: y), "pixel (\(x), \(y)) is outside \(size)")
      return samples[y &* rowStride &+ x]
    }
    set {
      precondition(contains(x: x, y: y), "pixel (\(x), \(y)) is outside \(size)")
      samples[y &* rowStride &+ x] = newValue
    }
  }

  /// Whether a pixel lies inside.
  @inlinable
  public func contains(x: Int, y: Int) -> Bool {
    x >= 0 && y >= 0 && x < size.width && y < size.height
  }

  /// The samples of one row, without its padding.
  @inlinable
  public func row(_ y: Int) -> ArraySlice<Sample> {
    samples[y * rowStride..<y * rowStride + size.width]
  }

  /// A raster of the same size with every sample transformed, without padding; O(*n*).
  @inlinable
  public func map<Result: BitwiseCopyable & Sendable>(
    _ transform: (Sample) -> Result
  ) -> Raster<Result> {
    let result = [Result](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      for y in 0..<size.height {
        for sample in row(y) {
          buffer[count] = transform(sample)
          count += 1
        }
      }
    }
    return Raster<Result>(size: size, samples: result)
  }

  /// The same pixels without padding; the raster itself if it has none; O(*n*) or O(1).
  public var packed: Raster {
    if rowStride == size.width && samples.count == size.pixelCount { return self }
    return map { $0 }
  }
}

extension Raster: Equatable where Sample: Equatable {
  /// Whether sizes and samples are equal; padding is ignored, and NaN is not equal to NaN.
  public static func == (a: Raster, b: Raster) -> Bool {
    a.size == b.size && (0..<a.height).allSatisfy { a.row($0).elementsEqual(b.row($0)) }
  }
}

/// The width and height of a raster, in pixels.
public struct RasterSize: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size; both numbers must be at least 0.
  public init(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0, "a size cannot be \(width) × \(height)")
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  public var pixelCount: Int { width * height }

  /// The width divided by the height; not a number for an empty size.
  public var aspectRatio: Double { Double(width) / Double(height) }

  /// The size after a quarter turn.
  public var transposed: RasterSize { RasterSize(width: height, height: width) }
}

extension RasterSize: CustomStringConvertible {
  /// The size as `width×height`.
  public var description: String { "\(width)×\(height)" }
}
