public import PlumblineFaces
import PlumblineModel

/// What is said of a face's scale and lengths, by the page and by the command alike.
public struct FaceWords: Sendable {
  /// The verdict in a word or two.
  public let badge: String
  /// The consequence for lengths.
  public let headline: String

  /// The words for a scale.
  public init(_ scale: FaceScale) {
    let percent = (100 * scale.sigmaShare).fixed(1)
    switch scale.source {
    case .measured:
      badge = "MEASURED"
      headline = "All lengths ± \(percent) %"
    case .assumed:
      badge = "SHAPE ONLY"
      headline = "The size of a usual head, ± \(percent) %"
    case .unknown:
      badge = "SHAPE ONLY"
      headline = "The size of a usual head and a guessed camera, ± \(percent) % and more"
    }
  }

  /// The name of a measurement.
  public static func name(_ kind: FaceMeasurement.Kind) -> String {
    switch kind {
    case .interpupillaryDistance: "between the pupils"
    case .faceWidth: "width of the face"
    case .faceHeight: "height of the face"
    case .noseWidth: "width of the nose"
    case .noseLength: "length of the nose"
    case .mouthWidth: "width of the mouth"
    case .innerEyeDistance: "inner eye corners"
    case .outerEyeDistance: "outer eye corners"
    }
  }
}
