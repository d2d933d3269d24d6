internal import CFaceKernels
package import PlumblineInference
package import PlumblineModel

/// Brings a crop of a picture into a network's square input.
///
/// Where a pixel of the input covers several of the picture, these are averaged in whole squares first, so
/// that no detail finer than the input's pixels folds into it; then four neighbors are interpolated.
package struct CropSampler: Sendable {
  /// What lies outside of the picture.
  package enum Outside: Sendable {
    /// Black, as the detector was trained with.
    case black
    /// The nearest pixel of the picture, as the landmarks were.
    case nearest
  }

  /// The side of the input, in pixels.
  package var inputSide: Int
  /// What each level of 0…255 is multiplied with.
  package var factor: Float
  /// What is then added.
  package var offset: Float
  /// What lies outside of the picture.
  package var outside: Outside
  /// Whether pixels are averaged before they are interpolated.
  package var isAveraged = true
  /// How many threads read what is averaged, at least 1; the numbers are the same for any.
  package var threads = 2

  /// The detector's input: RGB/127.5 − 1.
  package static let detector = CropSampler(
    inputSide: DetectionAnchors.inputSide, factor: 1 / 127.5, offset: -1, outside: .black)
  /// The landmarks' input: RGB/255.
  package static let landmarks = CropSampler(
    inputSide: 256, factor: 1.0 / 255, offset: 0, outside: .nearest)

  /// The crop as rows of red, green and blue.
  ///
  /// - Precondition: The picture has pixels. Cost: 65,536 interpolations for landmarks, and reading of what
  ///   the crop covers where that is averaged.
  package func tensor(of crop: FaceCrop, in picture: Raster<RGB8>) -> Tensor {
    var part: ReducedPart?
    return tensor(of: crop, in: picture, room: 1, keeping: &part)
  }

  /// The crop as rows of red, green and blue, out of a part that was averaged before where that shows it; else the
  /// part is replaced.
  ///
  /// - Precondition: As of ``tensor(of:in:)``; the part is one of the same picture.
  package func tensor(
    of crop: FaceCrop, in picture: Raster<RGB8>, room: Float, keeping part: inout ReducedPart?
  ) -> Tensor {
    precondition(picture.size.pixelCount > 0, "a picture without pixels has no crop")
    let scale = crop.sidePixels / Float(inputSide)
    let factor = isAveraged && scale >= 2 ? Int(min(scale, Float(ReducedPart.greatestFactor))) : 1
    guard factor > 1 else { return sampled(crop, picture) }
    if part?.shows(crop, by: factor) != true {
      part = ReducedPart(of: crop, in: picture, by: factor, room: room, threads: threads)
    }
    guard let part else { return sampled(crop, picture) }
    return sampled(part.crop(crop), part.picture)
  }

  private func sampled(_ crop: FaceCrop, _ picture: Raster<RGB8>) -> Tensor {
    let step = crop.sidePixels / Float(inputSide)
    // The first pixel's center is half a pixel of the input from the crop's edge.
    let first = crop.pointInPicture(SIMD2(repeating: 0.5 / Float(inputSide)))
    let (right, down) = (crop.right * step, crop.down * step)
    var grid = plb_face_grid(
      origin_x: first.x, origin_y: first.y, right_x: right.x, right_y: right.y, down_x: down.x,
      down_y: down.y)
    let count = 3 * inputSide * inputSide
    let values = [Float](unsafeUninitializedCapacity: count) { result, filled in
      picture.samples.withUnsafeBytes { bytes in
        var source = plb_face_picture(
          pixels: bytes.bindMemory(to: UInt8.self).baseAddress, width: Int32(picture.width),
          height: Int32(picture.height), stride: picture.rowStride)
        for row in 0..<inputSide {
          plb_face_sample(
            &source, &grid, Int32(row), Int32(inputSide), outside == .black ? 1 : 0, factor, offset,
            result.baseAddress.map { $0 + 3 * row * inputSide })
        }
      }
      filled = count
    }
    return Tensor(shape: [1, inputSide, inputSide, 3], values: values)
  }
}
