public import Plumbline
import PlumblineFaces
import PlumblineModel

/// The fitted face of a photo in words, and its files.
public struct FaceSummary: Sendable {
  /// One length with its name.
  public struct Row: Sendable, Hashable, Identifiable {
    /// What it is.
    public let name: String
    /// The length with its ±.
    public let value: String
    /// The name.
    public var id: String { name }
  }

  /// The faces with all that is known of them.
  public let faces: PhotoFaces

  /// Takes the faces of a photo.
  public init(_ faces: PhotoFaces) { self.faces = faces }

  /// The result in a sentence.
  public var headline: String {
    guard let face = faces.faces.first else { return "No face could be fitted" }
    let count =
      faces.faces.count == 1 ? "A head was fitted" : "\(faces.faces.count) heads were fitted"
    switch face.scale.source {
    case .measured:
      return "\(count) and refined by depth; lengths ± \((100 * face.scale.sigmaShare).fixed(1)) %"
    case .assumed, .unknown:
      return "\(count) by landmarks alone: its size is that of people, ± "
        + "\((100 * face.scale.sigmaShare).fixed(1)) %"
    }
  }

  /// The lengths of the first face.
  public var rows: [Row] {
    (faces.faces.first?.measurements ?? []).filter { $0.meters.isFinite }.map { measurement in
      Row(
        name: measurement.kind.words,
        value: "\((1000 * measurement.meters).fixed(1)) ± "
          + "\((1000 * measurement.sigmaMeters).fixed(1)) mm")
    }
  }

  /// How well the landmarks are met, in a sentence; `nil` without a face.
  public var fitText: String? {
    guard let face = faces.faces.first else { return nil }
    let measured =
      face.refined.map { "; depth measured on \((100 * $0.measuredShare).fixed(0)) % of the face" }
      ?? ""
    return "Landmarks are met within \((100 * face.fit.landmarkError).fixed(1)) % of the distance "
      + "between the eyes' outer corners" + measured
  }

  /// What to mind, in sentences.
  public var cautions: [String] { faces.findings.map(\.message) }

  /// The heads as GLB, USDZ, OBJ and PLY with their pages and images.
  ///
  /// - Throws: `MeshError` and `PhotoWritingError` where a file cannot be made. Cost: some 0.7 s a face.
  public var files: [Extraction.File] {
    get throws { try faces.files }
  }
}

extension FaceMeasurement.Kind {
  /// The length in words.
  var words: String {
    switch self {
    case .interpupillaryDistance: "Between the pupils"
    case .faceWidth: "Width of the face"
    case .faceHeight: "Height of the face"
    case .noseWidth: "Width of the nose"
    case .noseLength: "Length of the nose"
    case .mouthWidth: "Width of the mouth"
    case .innerEyeDistance: "Between the inner corners of the eyes"
    case .outerEyeDistance: "Between the outer corners of the eyes"
    }
  }
}
