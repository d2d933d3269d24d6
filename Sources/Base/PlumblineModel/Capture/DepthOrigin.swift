/// That a depth map was estimated from one image, by which model, and to what it was fitted.
///
/// It is read from the provenance, which every recording of ours carries, so that files need no field
/// of their own and older programs still read them; see
/// `Documentation/decisions/0024-an-estimate-says-so-in-its-provenance.md`.
public struct EstimateOrigin: Hashable, Sendable {
  /// The name of the step that says a map is an estimate; its detail begins with the model.
  public static let estimatedStep = ProvenanceStep.Kind.estimatedFromImage.rawValue
  /// The name of the step that says it was fitted; its detail begins with what to.
  public static let fittedStep = ProvenanceStep.Kind.fittedEstimate.rawValue

  private static let publishedPrefix = "published error: "

  /// The model's name.
  public var model: String
  /// What it was fitted to, such as `sensor depth`; `nil` for an estimate as the model gave it.
  public var fittedTo: String?
  /// How far the model's meters were off on test data, as published, such as `RMSE 0.604 m on NYU Depth
  /// v2`; `nil` where that is not known.
  public var publishedError: String?

  /// Creates an origin from its parts.
  package init(model: String, fittedTo: String? = nil, publishedError: String? = nil) {
    self.model = model
    self.fittedTo = fittedTo
    self.publishedError = publishedError
  }

  /// Reads what was done to a map; `nil` for one that was not estimated.
  package init?(_ provenance: [ProvenanceStep]) {
    guard let index = provenance.lastIndex(where: { $0.kind == .estimatedFromImage }) else {
      return nil
    }
    func first(_ detail: String) -> String { String(detail.prefix { $0 != ";" }) }
    model = first(provenance[index].detail)
    publishedError =
      provenance[index].detail.split(separator: ";").lazy
      .map { $0.drop { $0 == " " } }.first { $0.hasPrefix(Self.publishedPrefix) }
      .map { String($0.dropFirst(Self.publishedPrefix.count)) }
    fittedTo = provenance[index...].last { $0.kind == .fittedEstimate }.map { first($0.detail) }
  }

  /// The steps that say it, with more in words.
  package func steps(detail: String, fit: String?) -> [ProvenanceStep] {
    func begun(_ text: String, _ rest: String) -> String {
      String(text.map { $0 == ";" ? "," : $0 }) + (rest.isEmpty ? "" : "; " + rest)
    }
    let published = publishedError.map { begun(Self.publishedPrefix + $0, "") }
    let details = [detail, published].compactMap(\.self).filter { !$0.isEmpty }
    var steps = [
      ProvenanceStep(.estimatedFromImage, begun(model, details.joined(separator: "; ")))
    ]
    if let fittedTo { steps.append(ProvenanceStep(.fittedEstimate, begun(fittedTo, fit ?? ""))) }
    return steps
  }
}

extension Capture {
  /// That its depth is an estimate, and to what it was fitted; `nil` for a measured map.
  public var estimate: EstimateOrigin? { depth == nil ? nil : EstimateOrigin(provenance) }

  /// Where depth that was written into the photo came from; `nil` for a photo's own.
  ///
  /// It is read from the provenance, as ``EstimateOrigin`` is: the ± of the phone's own sensor is not
  /// that of such a map.
  public var attachedDepth: String? {
    depth == nil ? nil : provenance.last { $0.kind == .attached }?.detail
  }

  /// Whether the photo was cropped with its depth, so that its camera's center may lie anywhere.
  public var isCroppedPhoto: Bool { provenance.contains { $0.kind == .photoCropped } }
}
