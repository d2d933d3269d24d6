import CKernels
package import PlumblineInference
package import PlumblineModel

/// A square of an image, turned, that a network is shown.
///
/// Positions inside it are counted from 0 to 1 along its own right and down, 0 being its edge and not the
/// center of its first pixel.
public struct FaceCrop: Sendable, Hashable {
  /// Its center, in pixels of the image; (0, 0) is the center of the image's first pixel.
  public var center: SIMD2<Float>
  /// The length of a side, in pixels of the image.
  public var sidePixels: Float
  /// How far its right is turned clockwise from the image's right, in radians.
  public var rotationRadians: Float

  /// Creates a crop from its parts.
  package init(center: SIMD2<Float>, sidePixels: Float, rotationRadians: Float = 0) {
    self.center = center
    self.sidePixels = sidePixels
    self.rotationRadians = rotationRadians
  }

  /// The position in the image of a position in the crop.
  package func pointInImage(_ pointInCrop: SIMD2<Float>) -> SIMD2<Float> {
    let offset = (pointInCrop - 0.5) * sidePixels
    return center + offset.x * right + offset.y * down
  }

  /// The position in the crop of a position in the image.
  ///
  /// - Precondition: ``sidePixels`` is above 0.
  package func pointInCrop(_ pointInImage: SIMD2<Float>) -> SIMD2<Float> {
    precondition(sidePixels > 0, "a crop of \(sidePixels) pixels")
    let offset = (pointInImage - center) / sidePixels
    return SIMD2((offset * right).sum(), (offset * down).sum()) + 0.5
  }

  /// The direction of the crop's rows in the image.
  package var right: SIMD2<Float> { SIMD2(cosine(rotationRadians), sine(rotationRadians)) }
  /// The direction of the crop's columns in the image.
  package var down: SIMD2<Float> { SIMD2(-right.y, right.x) }
}

extension FaceCrop {
  /// The side of a crop relative to the face's box.
  ///
  /// - Source: Google, MediaPipe, `face_detector_graph` and `face_landmarks_detector_graph`: rectangles
  ///   are made square by their longer side, then scaled by 1.5.
  public static let margin: Float = 1.5

  /// The crop of a detected face: its box with a margin, turned so that the eyes are level.
  package init(_ detection: FaceDetection) {
    self.init(
      box: detection.box,
      rightward: detection.points[FaceDetection.Point.leftEye.rawValue]
        - detection.points[FaceDetection.Point.rightEye.rawValue])
  }

  /// The next crop of a face whose landmarks are known: the box around all of them with a margin, turned
  /// so that the outer corners of the eyes are level.
  package init(_ landmarks: FaceLandmarks) {
    self.init(
      box: FaceBox(around: landmarks.points),
      rightward: landmarks.points[LandmarkIndex.leftEyeOuterCorner]
        - landmarks.points[LandmarkIndex.rightEyeOuterCorner])
  }

  private init(box: FaceBox, rightward: SIMD2<Float>) {
    self.init(
      center: box.center, sidePixels: Self.margin * max(box.size.x, box.size.y),
      rotationRadians: angle(rightward))
  }
}

/// Brings a crop of an image into a network's square input.
///
/// Where a pixel of the input covers several of the image, these are averaged in whole squares first, so
/// that no detail finer than the input's pixels folds into it; then four neighbors are interpolated.
package struct CropSampler: Sendable {
  /// The pixel values outside of the image.
  package enum Outside: Sendable {
    /// Black, as the detector was trained with.
    case black
    /// The nearest pixel of the image, as the landmarks were.
    case nearest
  }

  /// The side of the input, in pixels.
  package var inputSide: Int
  /// The factor of each level of 0…255.
  package var factor: Float
  /// The offset that is then added.
  package var offset: Float
  /// The pixel values outside of the image.
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
  /// - Precondition: The image has pixels. Cost: 65,536 interpolations for landmarks, and reading of what
  ///   the crop covers where that is averaged.
  package func tensor(of crop: FaceCrop, in image: Raster<RGB8>) -> Tensor {
    var part: ReducedPart?
    return tensor(of: crop, in: image, room: 1, keeping: &part)
  }

  /// The crop as rows of red, green and blue, out of a part that was averaged before where that shows it; else the
  /// part is replaced.
  ///
  /// - Precondition: As of ``tensor(of:in:)``; the part is one of the same image.
  package func tensor(
    of crop: FaceCrop, in image: Raster<RGB8>, room: Float, keeping part: inout ReducedPart?
  ) -> Tensor {
    precondition(image.size.pixelCount > 0, "an image without pixels has no crop")
    let scale = crop.sidePixels / Float(inputSide)
    let factor = isAveraged && scale >= 2 ? Int(min(scale, Float(ReducedPart.maximumFactor))) : 1
    guard factor > 1 else { return sampled(crop, image) }
    if part?.shows(crop, by: factor) != true {
      part = ReducedPart(of: crop, in: image, by: factor, room: room, threads: threads)
    }
    guard let part else { return sampled(crop, image) }
    return sampled(part.crop(crop), part.image)
  }

  private func sampled(_ crop: FaceCrop, _ image: Raster<RGB8>) -> Tensor {
    let step = crop.sidePixels / Float(inputSide)
    // The first pixel's center is half a pixel of the input from the crop's edge.
    let first = crop.pointInImage(SIMD2(repeating: 0.5 / Float(inputSide)))
    let (right, down) = (crop.right * step, crop.down * step)
    var grid = plb_face_grid(
      origin_x: first.x, origin_y: first.y, right_x: right.x, right_y: right.y, down_x: down.x,
      down_y: down.y)
    let count = 3 * inputSide * inputSide
    let values = [Float](unsafeUninitializedCapacity: count) { result, filled in
      image.samples.withUnsafeBytes { bytes in
        var source = plb_face_image(
          pixels: bytes.bindMemory(to: UInt8.self).baseAddress, width: Int32(image.width),
          height: Int32(image.height), stride: image.rowStride)
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
