/// A face that was detected: a box, six points and a score.
public struct FaceDetection: Sendable, Hashable {
  /// The names of ``points``; left and right are the person's.
  public enum Point: Int, Sendable, CaseIterable {
    /// The person's right eye, left in an upright image.
    case rightEye
    /// The person's left eye.
    case leftEye
    /// The tip of the nose.
    case noseTip
    /// The middle of the mouth.
    case mouth
    /// The notch before the person's right ear.
    case rightTragion
    /// The notch before the person's left ear.
    case leftTragion
  }

  /// The box, in pixels of the image.
  public var box: FaceBox
  /// The six points, in the order of ``Point``, in pixels of the image.
  public var points: [SIMD2<Float>]
  /// How sure the network is that it is a face, from 0 to 1.
  public var score: Float

  /// Creates a detection from its parts.
  ///
  /// - Precondition: There are six points.
  public init(box: FaceBox, points: [SIMD2<Float>], score: Float) {
    precondition(points.count == Point.allCases.count, "a detection has six points")
    self.box = box
    self.points = points
    self.score = score
  }

  /// The turn of the head that the six points show, in radians; positive as ``HeadTurn/yawRadians``.
  ///
  /// It is atan(shift / half), where *half* is half the distance between the ears and *shift* how far their
  /// middle lies from the eyes' along the line through the eyes: ears lie about as far behind the eyes as
  /// beside the head's middle. On a mannequin it was within 6° of the phone's own gyroscope, from −42° to 73°.
  public var yawRadians: Float {
    func point(_ point: Point) -> SIMD2<Float> { points[point.rawValue] }
    let eyes = point(.leftEye) - point(.rightEye)
    let ears = point(.leftTragion) - point(.rightTragion)
    let along = length(eyes) > 0 ? eyes / length(eyes) : SIMD2(1, 0)
    let middle = (point(.leftTragion) + point(.rightTragion)) / 2
    let shift = (((point(.leftEye) + point(.rightEye)) / 2 - middle) * along).sum()
    return angle(SIMD2(max(0, (ears * along).sum() / 2), shift))
  }
}
