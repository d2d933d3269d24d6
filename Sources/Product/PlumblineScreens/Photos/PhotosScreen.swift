public import PlumblineCapture
import PlumblineModel

/// The screen with photos: camera, options, preview with an effect, a shot and its verdict.
public struct PhotosScreen: Sendable {
  /// All that, when it changes, makes the preview start anew.
  public struct PreviewRequest: Hashable, Sendable {
    /// The camera of the preview; `nil` for a device that streams no depth.
    public let camera: CameraSelection?
    /// Whether the preview is wanted: not while a shot has the camera.
    public let isWanted: Bool
    fileprivate let attempt: Int
  }

  /// The options of the camera.
  public private(set) var choices: PhotoChoices
  /// The effect of the preview.
  public var effect = PreviewEffectRenderer()
  /// Where photos are kept.
  public var storage = PhotoStorage()
  /// The state of the preview's camera.
  public private(set) var run = CameraRun()
  /// How far a shot has come.
  public private(set) var phase = ShotPhase.idle
  /// What is said of the photos of the last shot; empty before one.
  public private(set) var verdicts: [PhotoVerdict] = []
  /// What the camera said of the last shot, in sentences, such as that the flash did not fire.
  public private(set) var remarks: [String] = []
  /// Why the preview shows no image; `nil` where it does.
  public private(set) var effectMessage: String?
  /// Whether the app is in front.
  public var isActive = true {
    didSet { if isActive && !oldValue { run.becomeActive() } }
  }

  /// Starts with a camera and settings for measuring.
  public init(_ device: DepthDevice = .trueDepth) { choices = PhotoChoices(device) }

  /// The camera; another one keeps what a person chose and is asked anew what it can.
  ///
  /// It cannot be changed while a shot is under way.
  public var device: DepthDevice {
    get { choices.device }
    set {
      guard newValue != device, !phase.isBusy else { return }
      choices = PhotoChoices(newValue, settings: choices.settings)
      (phase, effectMessage) = (.idle, nil)
    }
  }

  /// What the preview is asked for now.
  public var previewRequest: PreviewRequest {
    let camera = CameraSelection.allCases.first { $0.device == device }
    return PreviewRequest(
      camera: camera, isWanted: isActive && !phase.isBusy && camera != nil, attempt: run.attempt)
  }

  /// What stands in place of the preview of a camera that streams no depth; `nil` for others.
  public var missingPreviewText: String? {
    previewRequest.camera == nil ? "The \(device.name) camera streams no depth: no preview." : nil
  }

  /// The preview's camera was asked to start.
  public mutating func startPreview() {
    run.start()
    effectMessage = nil
  }

  /// An event of the preview's camera arrived.
  public mutating func take(_ event: DepthCameraEvent) { run.take(event) }

  /// A frame of the preview was drawn, unless another effect was chosen meanwhile.
  public mutating func take(_ drawn: DrawnPreview) {
    guard drawn.effect.effect == effect.effect else { return }
    var next = drawn.effect
    (next.fNumber, next.color) = (effect.fNumber, effect.color)
    (effect, effectMessage) = (next, drawn.message)
  }

  /// The preview's camera ended.
  public mutating func endPreview(_ error: DepthCameraError? = nil) { run.end(error) }

  /// The screen was left.
  public mutating func stop() { run.stop() }

  /// A person requests another start of the preview.
  public mutating func retry() { run.retry() }

  /// The camera said what it can.
  public mutating func take(_ capabilities: PhotoCapabilities) { choices.take(capabilities) }

  /// Turns an option on or off; not while a shot is under way.
  public mutating func set(_ option: PhotoChoices.Option, _ isOn: Bool) {
    guard !phase.isBusy else { return }
    choices.set(option, isOn)
  }

  /// Chooses the container of photos; not while a shot is under way.
  public mutating func set(_ container: DepthPhotoSettings.Container) {
    guard !phase.isBusy, container != choices.settings.container else { return }
    var settings = choices.settings
    settings.container = container
    let capabilities = choices.capabilities
    choices = PhotoChoices(device, settings: settings)
    if let capabilities { choices.take(capabilities) }
  }

  /// Whether a shot can be asked for.
  public var canShoot: Bool { !phase.isBusy && storage.keepsShots && isActive }

  /// Whether the screen may be left: a shot needs the camera until its file is there.
  public var canLeave: Bool { !phase.isBusy }

  /// A person requests a shot.
  ///
  /// - Returns: The settings to take it with; `nil` where none can be taken now.
  public mutating func shoot() -> DepthPhotoSettings? {
    guard canShoot else { return nil }
    (verdicts, remarks) = ([], [])
    storage.begin()
    phase = .pausingPreview
    return choices.effective.settings
  }

  /// The shot goes on; only forward, and not after it has ended.
  public mutating func advance(to next: ShotPhase) {
    guard phase.isBusy, next.isBusy, let order = next.order, let now = phase.order, order > now
    else { return }
    phase = next
  }

  /// The photos are stored and checked.
  ///
  /// - Parameters:
  ///   - verdicts: One for each photo, in the order of their delivery.
  ///   - remarks: What the camera said of the shot.
  public mutating func finish(_ verdicts: [PhotoVerdict], remarks: [String]) {
    guard phase.isBusy else { return }
    (self.verdicts, self.remarks, phase) = (verdicts, remarks, .idle)
  }

  /// No photo came of it.
  public mutating func fail(_ error: DepthCameraError) {
    guard phase.isBusy else { return }
    phase = .failed(error)
  }

  /// Lines on what became of the files of the last shot.
  public var storageLines: [String] { storage.lines(count: verdicts.count) }
}
