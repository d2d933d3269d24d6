public import PlumblineModel

/// One face of an image as Apple's Vision finds it: 76 points in twelve regions, some in several of them.
///
/// Apple does not say in which order the points of a region come, nor where exactly they lie. So only what
/// their form tells is used: which points regions share, which lie outermost, which curve they form.
///
/// - Source: the regions and their counts were measured by others with the request's revision 3 on macOS
///   26 and published; Apple, *VNFaceLandmarks2D* names the regions.
public struct VisionFace: Sendable, Hashable {
  /// A region of Vision's constellation of 76 points.
  public enum Region: String, Sendable, CaseIterable {
    /// Around the jaw, from one temple over the chin to the other.
    case faceContour
    /// Down the middle of the face, from the bridge of the nose to the chin.
    case medianLine
    /// One eyebrow; which of the two it is follows from where it lies.
    case leftEyebrow
    /// The other eyebrow.
    case rightEyebrow
    /// The lids of one eye.
    case leftEye
    /// The lids of the other eye.
    case rightEye
    /// The pupil of one eye.
    case leftPupil
    /// The pupil of the other eye.
    case rightPupil
    /// Around the wings of the nose.
    case nose
    /// Down the bridge of the nose to its tip.
    case noseCrest
    /// Around the lips.
    case outerLips
    /// Around the mouth's opening.
    case innerLips

    /// The number of points.
    public var pointCount: Int {
      switch self {
      case .faceContour: 17
      case .medianLine: 10
      case .leftEyebrow, .rightEyebrow, .leftEye, .rightEye, .noseCrest, .innerLips: 6
      case .leftPupil, .rightPupil: 1
      case .nose: 8
      case .outerLips: 14
      }
    }
  }

  /// The points of each region, in pixels of the upright image; (0, 0) is the center of its first pixel.
  public var points: [Region: [SIMD2<Float>]]
  /// Vision's confidence in the face, from 0 to 1.
  public var confidence: Float

  /// Creates a face from its parts.
  public init(points: [Region: [SIMD2<Float>]], confidence: Float) {
    self.points = points
    self.confidence = confidence
  }

  /// A point of Vision in pixels.
  ///
  /// - Parameters:
  ///   - point: As `VNFaceLandmarkRegion2D.pointsInImage(imageSize:)` gives it: from the image's lower left
  ///     corner, in pixels.
  ///   - size: The size of the upright image.
  /// - Returns: The same place from the center of the first pixel, rows downward.
  public static func pixel(ofVisionPoint point: SIMD2<Double>, in size: RasterSize) -> SIMD2<Float>
  {
    SIMD2(Float(point.x - 0.5), Float(Double(size.height) - point.y - 0.5))
  }
}
