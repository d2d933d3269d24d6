public import PlumblineGeometry
public import PlumblineInference

/// The screen that estimates depth from the live image: what it shows and what its choices do.
public struct EstimationScreen: Sendable {
  /// The state of the model.
  public enum ModelState: Sendable, Hashable {
    /// None was chosen.
    case none
    /// One is compiled or loaded.
    case loading(ImportedModel)
    /// The user has to say what its numbers mean.
    case asking(ImportedModel)
    /// It is ready.
    case ready(ImportedModel, ModelCard)
    /// Why it cannot be used, in a sentence.
    case failed(String)
  }

  /// All that makes the model be loaded anew when it changes.
  public struct LoadRequest: Sendable, Hashable {
    /// The model.
    public var model: ImportedModel
    /// The processors.
    public var computeUnits: ComputeUnits
    /// Who scales images.
    public var scaling: ImageScaling
    /// What the user says of its output.
    public var meaning: ModelCard.OutputMeaning?
  }

  /// All that makes the estimation start anew when it changes.
  public struct RunRequest: Sendable, Hashable {
    /// The model that is loaded.
    public var load: LoadRequest
    /// Whether estimates are fitted to sensor depth.
    public var usesSensor: Bool
    /// The distance that is too near, in meters; `nil` for no warning.
    public var nearMeters: Double?
  }

  /// Distances to choose from, in meters.
  ///
  /// A model's errors are decimeters: nearer ones would mean little.
  public static let distances = [0.5, 0.8, 1.2, 2, 3]

  /// The processors.
  public var computeUnits = ComputeUnits.all
  /// Who scales images: Vision, as for every app, unless the numbers are to be those of other platforms.
  public var scaling = ImageScaling.system
  /// Whether estimates are fitted to sensor depth where there is some.
  public var usesSensor = true
  /// Whether the phone warns of what is near.
  public var warns = true
  /// The distance that is too near, in meters.
  public var nearMeters = 0.8
  /// The state of the model.
  public private(set) var model = ModelState.none
  /// The latest frame; `nil` before the first.
  public private(set) var latest: EstimationFrame?
  /// What went wrong, in a sentence; `nil` for nothing.
  public private(set) var message: String?
  private var chosen: ImportedModel?
  private var meaning: ModelCard.OutputMeaning?

  /// Starts without a model.
  public init() {}

  /// What is to be loaded; `nil` where nothing is chosen.
  public var loadRequest: LoadRequest? {
    chosen.map {
      LoadRequest(model: $0, computeUnits: computeUnits, scaling: scaling, meaning: meaning)
    }
  }

  /// What is to run; `nil` while no model is ready.
  public var runRequest: RunRequest? {
    guard case .ready = model, let loadRequest else { return nil }
    return RunRequest(
      load: loadRequest, usesSensor: usesSensor, nearMeters: warns ? nearMeters : nil)
  }

  /// When to warn; `nil` for never.
  public var alert: ProximityAlert? {
    warns ? ProximityAlert(nearMeters: nearMeters) : nil
  }

  /// Chooses a model, which is then to be loaded.
  public mutating func choose(_ model: ImportedModel) {
    (chosen, meaning, latest, message) = (model, nil, nil, nil)
    self.model = .loading(model)
  }

  /// Takes what the user says of the output's numbers.
  public mutating func say(_ meaning: ModelCard.OutputMeaning) {
    guard case .asking(let model) = model else { return }
    self.meaning = meaning
    self.model = .loading(model)
  }

  /// Takes the loaded model with its card; `nil` where the user has to say what its numbers mean.
  public mutating func loaded(_ request: LoadRequest, card: ModelCard?) {
    // The user may have chosen another one meanwhile.
    guard request == loadRequest else { return }
    message = nil
    model = card.map { .ready(request.model, $0) } ?? .asking(request.model)
  }

  /// Takes why a model cannot be used.
  public mutating func failed(_ request: LoadRequest, _ message: String) {
    guard request == loadRequest else { return }
    model = .failed(message)
  }

  /// Takes a frame.
  public mutating func show(_ frame: EstimationFrame) { (latest, message) = (frame, nil) }

  /// Takes why no more frames come.
  public mutating func stopped(_ message: String) { self.message = message }

  /// The model in words, for the top of the screen.
  public var modelText: String {
    switch model {
    case .none: "Import a Core ML model that estimates depth, such as Apple's FCRN."
    case .loading(let model): "\(model.fileName) is being prepared for this device."
    case .asking(let model): "What do the numbers of \(model.fileName) mean?"
    case .ready(_, let card): card.title
    case .failed(let message): message
    }
  }
}
