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
  public init(center: SIMD2<Float>, sidePixels: Float, rotationRadians: Float = 0) {
    self.center = center
    self.sidePixels = sidePixels
    self.rotationRadians = rotationRadians
  }

  /// The position in the image of a position in the crop.
  public func pointInImage(_ pointInCrop: SIMD2<Float>) -> SIMD2<Float> {
    let offset = (pointInCrop - 0.5) * sidePixels
    return center + offset.x * right + offset.y * down
  }

  /// The position in the crop of a position in the image.
  ///
  /// - Precondition: ``sidePixels`` is above 0.
  public func pointInCrop(_ pointInImage: SIMD2<Float>) -> SIMD2<Float> {
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
  public init(_ detection: FaceDetection) {
    self.init(
      box: detection.box,
      rightward: detection.points[FaceDetection.Point.leftEye.rawValue]
        - detection.points[FaceDetection.Point.rightEye.rawValue])
  }

  /// The next crop of a face whose landmarks are known: the box around all of them with a margin, turned
  /// so that the outer corners of the eyes are level.
  public init(_ landmarks: FaceLandmarks) {
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
