import PlumblineIO
public import PlumblineInference

/// A Core ML model that the user brought: what its files are called, and which card it has.
public struct ImportedModel: Sendable, Hashable, Identifiable {
  /// The endings of what can be imported.
  public static let fileExtensions = ["mlmodel", "mlpackage", "mlmodelc"]

  /// The name of the file that was imported, such as `FCRNFP16.mlmodel`.
  public let fileName: String

  /// Takes a file; `nil` where its ending is no model's.
  public init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: "."),
      Self.fileExtensions.contains(fileName[fileName.index(after: dot)...].lowercased())
    else { return nil }
    self.fileName = fileName
  }

  /// The short name of the model.
  public var name: String { ModelCard.name(ofFile: fileName) }
  /// The short name.
  public var id: String { name }
  /// The name of the folder with the compiled model.
  public var compiledName: String { name + ".mlmodelc" }
  /// The name of the file with its card.
  public var cardName: String { name + ".json" }

  /// The card to use.
  ///
  /// - Parameters:
  ///   - interface: The model's inputs and outputs.
  ///   - written: The bytes of a card that lies beside it; `nil` for none.
  ///   - meaning: What the user says of its output; `nil` where nothing was said.
  /// - Returns: The written card, else that of a model that is known by its interface, else one by what
  ///   the user says; `nil` where the user has to say it.
  /// - Throws: `JSONReadingError` of a written card; `InferenceError` for a model that needs a written one.
  public func card(
    for interface: CoreMLInterface, written: [UInt8]?, meaning: ModelCard.OutputMeaning?
  ) throws -> ModelCard? {
    if let written { return try ModelCard(JSONValue(parsing: written)) }
    if let known = interface.knownCard { return known }
    // Tried before the user is asked: what no answer helps must not be asked.
    let card = try interface.card(
      named: name, title: fileName, meaning: meaning ?? .relativeInverse)
    return meaning == nil ? nil : card
  }
}

extension ModelCard.OutputMeaning {
  /// The meaning as a choice for a user.
  public var question: String {
    switch self {
    case .meters: "Meters (larger is farther)"
    case .inverseMeters: "1 / meters (larger is nearer)"
    case .relativeInverse: "Nearness without a unit (larger is nearer)"
    case .relativeDepth: "Distance without a unit (larger is farther)"
    case .affinePoints: "Points in space (needs a card)"
    case .foregroundProbability: "How likely foreground is, 0 to 1"
    case .foregroundLogit: "How likely foreground is, as log odds"
    case .classScores: "Scores of classes (needs a card)"
    }
  }
}
