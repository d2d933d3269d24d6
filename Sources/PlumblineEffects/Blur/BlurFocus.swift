/// The distance at which a blurred photo is sharp.
public enum BlurFocus: Sendable, Hashable {
  /// At the subject: the middle of the portrait matte where there is one, else of the photo.
  case subject
  /// At a disparity, in the unit of the photo's own, so in 1/m where it is metric.
  case disparity(Double)
  /// At a distance along the optical axis, in meters; for metric photos only.
  case meters(Double)
  /// At what a pixel of the stored image shows; the first pixel's center is (0, 0).
  case point(SIMD2<Double>)
}
