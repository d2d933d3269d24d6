/// The opening of the lens that a blur imitates.
public enum BlurAperture: Sendable, Hashable {
  /// The aperture that the file requests (`SimulatedAperture`), else f/2.8, of a full-frame camera.
  case fromPhoto
  /// An f-number of a full-frame camera (36 mm × 24 mm) with the photo's field of view.
  case fNumber(Double)
  /// A lens by its own numbers, such as a phone's f/1.5 at 5.7 mm, whose blur is small.
  case physical(fNumber: Double, focalLengthMillimeters: Double)
}
