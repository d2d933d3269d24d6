public import PlumblineModel

/// What a user can choose for a photo with a camera, and why not what.
///
/// A screen shows each option with ``refusals(of:)``, and takes photos with ``effective``.
public struct PhotoChoices: Sendable {
  /// An option that a user can turn on or off.
  public enum Option: Hashable, Sendable {
    /// The depth map.
    case depth
    /// The depth map inside the file.
    case embeddedDepth
    /// Holes filled, values smoothed.
    case filteredDepth
    /// Meters or reciprocal meters.
    case depthKind(DepthPhotoSettings.DepthKind)
    /// A photo of each camera.
    case dualPhotos
    /// The calibration of each photo's camera.
    case calibration
    /// A matte.
    case matte(Matte.Kind)
    /// The flash.
    case flash(DepthPhotoSettings.Flash)
    /// Three photos at −1, 0 and +1 EV.
    case bracket
    /// A Live Photo.
    case livePhoto
    /// Constant color.
    case constantColor

    /// The options in the order of a screen.
    public static let all: [Option] =
      [.depth, .embeddedDepth, .filteredDepth]
      + DepthPhotoSettings.DepthKind.allCases.map { .depthKind($0) } + [.dualPhotos, .calibration]
      + [Matte.Kind.portraitEffects, .hair, .skin, .teeth, .glasses].map { .matte($0) }
      + DepthPhotoSettings.Flash.allCases.map { .flash($0) }
      + [.bracket, .livePhoto, .constantColor]
  }

  /// The exposures of the bracket that a user can choose, in EV.
  public static let bracket = DepthPhotoSettings.Bracket.exposureBias([-1, 0, 1])

  /// The camera.
  public let device: DepthDevice
  /// What the user wants.
  public private(set) var settings: DepthPhotoSettings
  /// What the camera can; `nil` before it was asked.
  public private(set) var capabilities: PhotoCapabilities?

  /// Starts with settings.
  public init(_ device: DepthDevice, settings: DepthPhotoSettings = .metrology) {
    self.device = device
    self.settings = settings
  }

  /// Takes over what the camera can.
  public mutating func take(_ capabilities: PhotoCapabilities) {
    self.capabilities = capabilities
  }

  /// Whether an option is on.
  public func isOn(_ option: Option) -> Bool { settings.isOn(option) }

  /// Turns an option on or off.
  public mutating func set(_ option: Option, _ isOn: Bool) { settings.set(option, isOn) }

  /// Why the camera would not do what an option requests, beside the other choices; empty if it
  /// would, and before it was asked.
  public func refusals(of option: Option) -> [String] {
    guard let capabilities else { return [] }
    var (with, without) = (settings, settings)
    with.set(option, true)
    without.set(option, false)
    let others = without.problems(on: capabilities.prepared(for: without))
    return with.problems(on: capabilities.prepared(for: with)).filter { !others.contains($0) }
      .map(\.description)
  }

  /// The settings that the camera carries out: the user's without what it refuses, and a sentence for
  /// each part that was left out or has no effect.
  ///
  /// The user's settings before the camera was asked.
  public var effective: (settings: DepthPhotoSettings, remarks: [String]) {
    guard let capabilities else { return (settings, []) }
    return settings.reduced(to: capabilities)
  }
}

extension PhotoCapabilities {
  /// The capabilities of the same output when it is prepared for other settings.
  package func prepared(for settings: DepthPhotoSettings) -> PhotoCapabilities {
    var output = self
    output.prepared = settings.preparation
    // Both corrections are turned off by the configuration.
    if settings.deliversCalibration {
      output.correctsGeometricDistortion = false
      output.correctsContentAware = false
    }
    return output
  }
}
