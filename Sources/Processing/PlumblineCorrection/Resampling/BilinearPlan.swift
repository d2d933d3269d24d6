internal import CKernels
package import PlumblineModel

/// A ``PixelMap`` in whole numbers, ready to resample images by bilinear interpolation.
///
/// Each pixel has the index of its upper left source pixel and four weights of one byte, 255 in
/// all: a pixel that lies on a source pixel is copied exactly, and no value leaves the range of its
/// four neighbors. Weights are at most half a byte off, so a result is at most 2 codes off the
/// exact interpolation.
package struct BilinearPlan: Sendable {
  /// The size of the source.
  package let sourceSize: RasterSize
  /// The size of the result.
  package let size: RasterSize
  /// Runs of pixels that lie outside of the source, as ranges of indices in rows without padding.
  package let outside: [Range<Int>]
  let indices: [Int32]
  let weights: [UInt32]

  /// Rounds a map's positions; O(*n*).
  ///
  /// Places up to half a pixel outside of the outermost centers still lie on their pixels and take
  /// them; what lies farther is outside.
  /// - Precondition: The source has two columns and rows at least, and fewer than 2³¹ pixels.
  package init(_ map: PixelMap) {
    let source = map.sourceSize
    precondition(
      source.width >= 2 && source.height >= 2 && source.pixelCount < Int(Int32.max),
      "\(source) has no neighbors to interpolate between")
    let count = map.size.pixelCount
    var weights = [UInt32](repeating: 0, count: count)
    var outside: [Range<Int>] = []
    let places = map.positions.packed.samples
    let indices = [Int32](unsafeUninitializedCapacity: count) { indices, initialized in
      initialized = count
      guard let start = indices.baseAddress else { return }
      places.withUnsafeBytes { bytes in
        guard let floats = bytes.assumingMemoryBound(to: Float.self).baseAddress else { return }
        plb_bilinear_weights(
          floats, count, Int32(source.width), Int32(source.height), start, &weights)
      }
      var pixel = 0
      while pixel < count {
        guard indices[pixel] < 0 else {
          pixel += 1
          continue
        }
        let first = pixel
        while pixel < count, indices[pixel] < 0 {
          // A legal position, so that the kernel needs no branch; the run is cleared after it.
          indices[pixel] = 0
          pixel += 1
        }
        outside.append(first..<pixel)
      }
    }
    self.sourceSize = source
    self.size = map.size
    self.outside = outside
    self.indices = indices
    self.weights = weights
  }

  /// Which pixels of a result show the source: 255, and 0 outside; O(*n*).
  package var validity: Raster<UInt8> {
    var samples = [UInt8](repeating: 255, count: size.pixelCount)
    for run in outside { for pixel in run { samples[pixel] = 0 } }
    return Raster(size: size, samples: samples)
  }

  /// Resamples an image; what lies outside of it becomes black, see ``validity``.
  ///
  /// O(*n*). Codes are interpolated as they are, without linearization, as every viewer scales images.
  /// - Precondition: The image has the source's size.
  package func resampled(_ image: Raster<RGB8>) -> Raster<RGB8> {
    var samples = [RGB8](
      repeating: RGB8(red: 0, green: 0, blue: 0), count: size.pixelCount)
    resample(image, into: &samples)
    return Raster(size: size, samples: samples)
  }

  /// Resamples a gray image likewise; O(*n*).
  ///
  /// - Precondition: The image has the source's size.
  package func resampled(_ image: Raster<UInt8>) -> Raster<UInt8> {
    var samples = [UInt8](repeating: 0, count: size.pixelCount)
    resample(image, into: &samples)
    return Raster(size: size, samples: samples)
  }

  /// Resamples an image into memory that is used again; O(*n*).
  ///
  /// - Precondition: The image has the source's size, and the samples are as many as the
  ///   result's pixels.
  package func resample(_ image: Raster<RGB8>, into samples: inout [RGB8]) {
    require(image.size, samples.count)
    image.packed.samples.withUnsafeBytes { source in
      samples.withUnsafeMutableBytes { result in
        guard let input = source.assumingMemoryBound(to: UInt8.self).baseAddress,
          let output = result.assumingMemoryBound(to: UInt8.self).baseAddress
        else { return }
        plb_bilinear_rgb(input, sourceSize.width, indices, weights, size.pixelCount, output)
        for run in outside {
          (output + 3 * run.lowerBound).update(repeating: 0, count: 3 * run.count)
        }
      }
    }
  }

  /// Resamples a gray image into memory that is used again; O(*n*).
  ///
  /// - Precondition: As for color.
  package func resample(_ image: Raster<UInt8>, into samples: inout [UInt8]) {
    require(image.size, samples.count)
    let source = image.packed.samples
    samples.withUnsafeMutableBufferPointer { result in
      guard let output = result.baseAddress else { return }
      plb_bilinear_gray(source, sourceSize.width, indices, weights, size.pixelCount, output)
      for run in outside { (output + run.lowerBound).update(repeating: 0, count: run.count) }
    }
  }

  private func require(_ image: RasterSize, _ count: Int) {
    precondition(image == sourceSize, "an image of \(image) for a plan of \(sourceSize)")
    precondition(count == size.pixelCount, "\(count) samples for a result of \(size)")
  }
}
