/// A part of the face, as lines through its landmarks.
///
/// Left and right are the person's.
///
/// - Source: Google, MediaPipe, `FaceLandmarksConnections` of version 1.2.2.
public enum LandmarkRegion: String, Sendable, CaseIterable {
  /// The outline of the face, from the forehead over the left cheek and the chin.
  case faceOval
  /// The right eye's lids.
  case rightEye
  /// The left eye's lids.
  case leftEye
  /// The right eyebrow.
  case rightEyebrow
  /// The left eyebrow.
  case leftEyebrow
  /// The edge of the right iris.
  case rightIris
  /// The edge of the left iris.
  case leftIris
  /// The lips, outside and inside.
  case lips
  /// The bridge of the nose and around its wings.
  case nose

  /// The lines, each through at least two landmarks in order; one that ends where it began is closed.
  public var lines: [[Int]] {
    switch self {
    case .faceOval:
      [
        [
          10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
          152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109, 10,
        ]
      ]
    case .rightEye:
      [
        [33, 7, 163, 144, 145, 153, 154, 155, 133], [33, 246, 161, 160, 159, 158, 157, 173, 133],
      ]
    case .leftEye:
      [
        [263, 249, 390, 373, 374, 380, 381, 382, 362],
        [263, 466, 388, 387, 386, 385, 384, 398, 362],
      ]
    case .rightEyebrow: [[46, 53, 52, 65, 55], [70, 63, 105, 66, 107]]
    case .leftEyebrow: [[276, 283, 282, 295, 285], [300, 293, 334, 296, 336]]
    case .rightIris: [[469, 470, 471, 472, 469]]
    case .leftIris: [[474, 475, 476, 477, 474]]
    case .lips:
      [
        [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
        [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
        [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
        [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
      ]
    case .nose:
      [
        [168, 6, 197, 195, 5, 4, 1, 19, 94, 2],
        [98, 97, 2, 326, 327, 294, 278, 344, 440, 275, 4, 45, 220, 115, 48, 64, 98],
      ]
    }
  }

  /// The landmarks of the region in ascending order, each once; irises with their centers.
  public var landmarks: [Int] {
    var all = Set(lines.joined())
    if self == .rightIris { all.insert(LandmarkIndex.rightIrisCenter) }
    if self == .leftIris { all.insert(LandmarkIndex.leftIrisCenter) }
    return all.sorted()
  }
}
