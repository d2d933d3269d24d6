/// The 478 landmarks of one face in one image, as MediaPipe's Face Landmarker finds them.
///
/// Others find fewer: a landmark that was not seen has no point and an infinite sigma.
///
/// Landmarks 0…467 are the vertices of MediaPipe's canonical face in its order. Then come the irises, each
/// as a center and four points: 468…472 the one on the left *in an upright image* (the person's right),
/// 473…477 the one on the right.
///
/// - Source: Google, *MediaPipe Face Landmarker*, ai.google.dev/edge/mediapipe; *Model Card: MediaPipe
///   Face Mesh V2*.
public struct FaceLandmarks: Sendable, Hashable {
  /// The number of landmarks of a face.
  public static let count = 478
  /// How many of them are vertices of the canonical face; the rest are irises.
  package static let meshCount = 468

  /// Where each landmark lies, in pixels of the image; (0, 0) is the center of its first pixel.
  ///
  /// Landmarks of a face that is cut off may lie outside of the image; those that were not seen are NaN.
  public var points: [SIMD2<Float>]
  /// How much farther from the camera each landmark lies than the head's center, in pixels.
  ///
  /// One unit is as long as a pixel is at the head's distance (weak perspective). It is an estimate of the
  /// network, not a measurement; NaN where there is no estimate.
  public var relativeDepths: [Float]
  /// The expected error of each landmark's position: one standard deviation along each axis, in pixels.
  ///
  /// See ``LandmarkSigmas`` for how it was measured and what it leaves out. It is infinite for landmarks
  /// that were not seen.
  public var sigmasPixels: [Float]
  /// The network's confidence that there is a face, from 0 to 1.
  public var presence: Float
  /// The face's number within a recording, from 1 on; `nil` for a photo.
  ///
  /// It says that a face is the one of the frame before, not who that person is.
  public var trackNumber: Int?
  /// For landmarks that are known only to lie on a curve through the face, the direction of that curve in
  /// the image: along it nothing is said about them.
  package var tangents: [Int: SIMD2<Float>] = [:]

  /// Creates landmarks from their parts.
  ///
  /// - Precondition: Each list has ``count`` entries.
  package init(
    points: [SIMD2<Float>], relativeDepths: [Float], sigmasPixels: [Float], presence: Float,
    trackNumber: Int? = nil
  ) {
    precondition(
      [points.count, relativeDepths.count, sigmasPixels.count].allSatisfy { $0 == Self.count },
      "a face has \(Self.count) landmarks")
    self.points = points
    self.relativeDepths = relativeDepths
    self.sigmasPixels = sigmasPixels
    self.presence = presence
    self.trackNumber = trackNumber
  }

  /// Whether a landmark was seen.
  package func isSeen(_ index: Int) -> Bool { sigmasPixels[index] < .infinity }
}

/// Landmarks that have a name of their own; left and right are the person's.
package enum LandmarkIndex {
  /// The outer corner of the right eye, left in an upright image.
  package static let rightEyeOuterCorner = 33
  /// The inner corner of the right eye.
  package static let rightEyeInnerCorner = 133
  /// The inner corner of the left eye.
  package static let leftEyeInnerCorner = 362
  /// The outer corner of the left eye.
  package static let leftEyeOuterCorner = 263
  /// The tip of the nose.
  package static let noseTip = 4
  /// The middle of the upper lip's upper edge.
  package static let upperLip = 0
  /// The middle of the lower lip's lower edge.
  package static let lowerLip = 17
  /// The right corner of the mouth.
  package static let mouthRightCorner = 61
  /// The left corner of the mouth.
  package static let mouthLeftCorner = 291
  /// The lowest point of the chin.
  package static let chin = 152
  /// The highest point of the face oval, on the forehead.
  package static let forehead = 10
  /// The center of the right iris.
  package static let rightIrisCenter = 468
  /// The center of the left iris.
  package static let leftIrisCenter = 473
}

/// A part of the face, as lines through its landmarks.
///
/// Left and right are the person's.
///
/// - Source: Google, MediaPipe, `FaceLandmarksConnections` of version 1.2.2.
package enum LandmarkRegion: String, Sendable, CaseIterable {
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
  package var lines: [[Int]] {
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
  package var landmarks: [Int] {
    var all = Set(lines.joined())
    if self == .rightIris { all.insert(LandmarkIndex.rightIrisCenter) }
    if self == .leftIris { all.insert(LandmarkIndex.leftIrisCenter) }
    return all.sorted()
  }
}
