import Plumbline

/// The screen that fits a head to a face: what it shows and what its buttons do.
public struct FacesScreen: Sendable {
  /// Where the screen is.
  public enum Phase: Sendable {
    /// There is no morphable model.
    case noModel
    /// The camera runs; a face may be fitted.
    case live
    /// A frame is fitted.
    case fitting
    /// The result.
    case done(FaceSummary)
  }

  /// The ending of the name of a morphable model, as `plumbline models` installs it: `model.face`.
  public static let modelExtension = "face"

  /// Where the screen is.
  public private(set) var phase = Phase.noModel
  /// The name of the morphable model; `nil` without one.
  public private(set) var modelName: String?
  /// What went wrong, in a sentence; `nil` for nothing.
  public private(set) var message: String?

  /// Starts without a model.
  public init() {}

  /// Whether the camera has to run.
  public var needsCamera: Bool {
    switch phase {
    case .live, .fitting: true
    case .noModel, .done: false
    }
  }

  /// Takes a morphable model that was read.
  public mutating func loaded(modelName: String) {
    self.modelName = modelName
    (phase, message) = (.live, nil)
  }

  /// Begins to fit the latest frame; `false` where none can be.
  public mutating func beginFitting() -> Bool {
    guard case .live = phase else { return false }
    (phase, message) = (.fitting, nil)
    return true
  }

  /// Takes the result; without a face the camera goes on.
  public mutating func show(_ summary: FaceSummary) {
    guard case .fitting = phase else { return }
    guard !summary.faces.faces.isEmpty else {
      phase = .live
      message = summary.cautions.first ?? summary.headline
      return
    }
    phase = .done(summary)
  }

  /// Takes why something failed; the camera goes on where there is a model.
  public mutating func fail(_ message: String) {
    self.message = message
    phase = modelName == nil ? .noModel : .live
  }

  /// Goes back to the camera.
  public mutating func again() {
    guard modelName != nil else { return }
    (phase, message) = (.live, nil)
  }

  /// What to do, in a sentence.
  public var instruction: String {
    switch phase {
    case .noModel:
      "Import a morphable model: the file model.\(Self.modelExtension) of ICT-FaceKit, as a computer "
        + "with Plumbline installs it."
    case .live:
      "Look into the camera from 30 to 50 cm, without hair before the face, and press Fit."
    case .fitting: "The head is being fitted."
    case .done: "Turn the head in its viewer, or share its files."
    }
  }
}
