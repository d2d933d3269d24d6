/// The 478 landmarks of one face in one image, as MediaPipe's Face Landmarker finds them.
///
/// Landmarks 0…467 are the vertices of MediaPipe's canonical face in its order; 468…472 and 473…477 are
/// a center and four points of the iris that is left and right *in an upright image* (so the
/// person's right and left).
///
/// - Source: Google, *MediaPipe Face Landmarker*, ai.google.dev/edge/mediapipe; *Model Card: MediaPipe
///   Face Mesh V2*.
public struct FaceLandmarks: Sendable, Hashable {
  /// The number of landmarks of a face.
  public static let count = 478
  /// How many of them are vertices of the canonical face; the rest are irises.
  public static let meshCount = 468

  /// Where each landmark lies, in pixels of the image; (0, 0) is the center of its first pixel.
  ///
  /// Landmarks of a face that is cut off may lie outside of the image.
  public var points: [SIMD2<Float>]
  /// How much farther from the camera each landmark lies than the head's center, in pixels.
  ///
  /// One unit is as long as a pixel is at the head's distance (weak perspective). It is what the network
  /// believes of faces, not a measurement.
  public var relativeDepths: [Float]
  /// The expected error of each landmark's place, in pixels: one standard deviation of each axis.
  ///
  /// See ``LandmarkSigmas`` for how it was measured and what it leaves out.
  public var sigmasPixels: [Float]
  /// How sure the network is that it was shown a face, from 0 to 1.
  public var presence: Float
  /// The face's number within a recording, from 1 on; `nil` for a photo.
  ///
  /// It says that a face continues the one of the frame before, never who it is.
  public var trackNumber: Int?

  /// Creates landmarks from their parts.
  ///
  /// - Precondition: Each list has ``count`` entries.
  public init(
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
}
