/// States that a depth map was estimated from one image, by which model, and what it was fitted to.
///
/// It is read from the provenance, which every recording of this project contains. So files need no
/// additional field, and older programs can still read them; see
/// `Documentation/decisions/0024-an-estimate-says-so-in-its-provenance.md`.
public struct EstimateOrigin: Hashable, Sendable {
  /// The name of the step that marks a map as an estimate; its detail begins with the model's name.
  public static let estimatedStep = ProvenanceStep.Kind.estimatedFromImage.rawValue
  /// The name of the step that marks the estimate as fitted; its detail begins with the target of
  /// the fit.
  public static let fittedStep = ProvenanceStep.Kind.fittedEstimate.rawValue

  private static let publishedPrefix = "published error: "

  /// The model's name.
  public var model: String
  /// What the estimate was fitted to, such as `sensor depth`; `nil` for the unchanged model output.
  public var fittedTo: String?
  /// The published error of the model on test data, such as `RMSE 0.604 m on NYU Depth v2`; `nil`
  /// if unknown.
  public var publishedError: String?

  /// Creates an origin from its parts.
  package init(model: String, fittedTo: String? = nil, publishedError: String? = nil) {
    self.model = model
    self.fittedTo = fittedTo
    self.publishedError = publishedError
  }

  /// Reads the provenance of a map; `nil` for a map that was not estimated.
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

  /// The provenance steps for this origin, with further details in words.
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
  /// The origin of estimated depth; `nil` for a measured map.
  public var estimate: EstimateOrigin? { depth == nil ? nil : EstimateOrigin(provenance) }

  /// The source of depth that was written into the photo; `nil` for the photo's original depth.
  ///
  /// It is read from the provenance, as ``EstimateOrigin`` is. The uncertainty of the phone's own
  /// sensor does not apply to such a map.
  public var attachedDepth: String? {
    depth == nil ? nil : provenance.last { $0.kind == .attached }?.detail
  }

  /// Whether the photo was cropped with its depth, so that the principal point may lie anywhere.
  public var isCroppedPhoto: Bool { provenance.contains { $0.kind == .photoCropped } }
}
