/// A face that was detected: a box, six points and a score.
public struct FaceDetection: Sendable, Hashable {
  /// The names of ``points``; left and right are the person's.
  package enum Point: Int, Sendable, CaseIterable {
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
  package var box: FaceBox
  /// The six points, in the order of ``Point``, in pixels of the image.
  public var points: [SIMD2<Float>]
  /// How sure the network is that it is a face, from 0 to 1.
  public var score: Float

  /// Creates a detection from its parts.
  ///
  /// - Precondition: There are six points.
  package init(box: FaceBox, points: [SIMD2<Float>], score: Float) {
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
  package var yawRadians: Float {
    func point(_ point: Point) -> SIMD2<Float> { points[point.rawValue] }
    let eyes = point(.leftEye) - point(.rightEye)
    let ears = point(.leftTragion) - point(.rightTragion)
    let along = length(eyes) > 0 ? eyes / length(eyes) : SIMD2(1, 0)
    let middle = (point(.leftTragion) + point(.rightTragion)) / 2
    let shift = (((point(.leftEye) + point(.rightEye)) / 2 - middle) * along).sum()
    return angle(SIMD2(max(0, (ears * along).sum() / 2), shift))
  }
}

/// An upright box in an image.
package struct FaceBox: Sendable, Hashable {
  /// Its center, in pixels of the image; (0, 0) is the center of the first one.
  package var center: SIMD2<Float>
  /// Its width and height in pixels.
  package var size: SIMD2<Float>

  /// Creates a box from its parts.
  package init(center: SIMD2<Float>, size: SIMD2<Float>) {
    self.center = center
    self.size = size
  }

  /// The least box around points.
  ///
  /// - Precondition: There is a point.
  package init(around points: [SIMD2<Float>]) {
    precondition(!points.isEmpty, "no box is around nothing")
    var low = points[0]
    var high = points[0]
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    self.init(center: (low + high) / 2, size: high - low)
  }

  /// The upper left corner.
  package var lowest: SIMD2<Float> { center - size / 2 }
  /// The lower right corner.
  package var highest: SIMD2<Float> { center + size / 2 }

  /// The area shared with another box over the area of both, from 0 to 1; 0 where neither has any.
  package func overlap(_ other: FaceBox) -> Float {
    let shared = pointwiseMin(highest, other.highest) - pointwiseMax(lowest, other.lowest)
    let area = max(shared.x, 0) * max(shared.y, 0)
    let union = size.x * size.y + other.size.x * other.size.y - area
    return union > 0 ? area / union : 0
  }
}

/// A detection in which no landmarks could be found.
public struct RejectedFace: Sendable, Hashable {
  /// The detection.
  package var detection: FaceDetection
  /// Why it is no face that can be used; at least one reason.
  package var doubts: [FaceDoubt]

  /// The score from which a detection is a head even where the landmarks fail.
  ///
  /// - Source: measured: profiles of a mannequin whose landmarks fail have 0.82 to 0.86, 29 positions in photos
  ///   without a face at most 0.66.
  package static let sureScore: Float = 0.75

  /// Whether it is a head that is turned away, rather than something else.
  package var isHead: Bool {
    doubts.contains { if case .turnedAway = $0 { true } else { false } }
  }

  /// Says why landmarks that were looked for in a detection are none.
  init(_ detection: FaceDetection, doubts: [FaceDoubt]) {
    self.detection = detection
    self.doubts = doubts.filter { if case .turnedAway = $0 { false } else { true } }
    // Landmarks that are none tell no turn; the detection's own points do.
    let yaw = detection.yawRadians
    if detection.score >= Self.sureScore, abs(yaw) > FaceDoubt.maximumYawRadians {
      self.doubts.append(.turnedAway(yawRadians: yaw))
    }
  }
}
