public import PlumblineCapture
import PlumblineModel

/// One option of a photo as a screen shows it: a switch with its words, and why it would not work.
public struct PhotoOptionRow: Hashable, Sendable, Identifiable {
  /// The option.
  public let option: PhotoChoices.Option
  /// Whether it is on.
  public let isOn: Bool
  /// Why the camera would not do it beside the other choices; empty where it would.
  public let refusals: [String]

  /// The option, by which lists tell rows apart.
  public var id: PhotoChoices.Option { option }

  /// Whether the switch can be moved: an option that is refused can still be turned off.
  public var isEnabled: Bool { isOn || refusals.isEmpty }

  /// Its name for people.
  public var name: String {
    switch option {
    case .depth: "Depth map"
    case .embeddedDepth: "Depth map inside the file"
    case .filteredDepth: "Fill holes and smooth (not for measuring)"
    case .depthKind(.depth): "Store meters"
    case .depthKind(.disparity): "Store disparity, 1/m"
    case .dualPhotos: "A photo of each camera"
    case .calibration: "Calibration of each photo's camera"
    case .matte(let kind): "Matte: \(Self.name(of: kind))"
    case .flash(.off): "Flash off"
    case .flash(.automatic): "Flash automatic"
    case .flash(.on): "Flash on"
    case .bracket: "Three exposures: −1, 0, +1 EV"
    case .livePhoto: "Live Photo"
    case .constantColor: "Constant color"
    }
  }

  private static func name(of kind: Matte.Kind) -> String {
    kind == .portraitEffects ? "portrait" : kind.rawValue
  }
}

extension PhotosScreen {
  /// The options with a switch each; the flash has a choice of its own.
  public var optionRows: [PhotoOptionRow] {
    PhotoChoices.Option.all.compactMap { option in
      if case .flash = option { return nil }
      return row(option)
    }
  }

  /// The modes of the flash; one of them is on.
  public var flashRows: [PhotoOptionRow] {
    DepthPhotoSettings.Flash.allCases.map { row(.flash($0)) }
  }

  /// What a person has to know before the shot: what will be left out of what was chosen, and why
  /// delivery is not deferred.
  public var notes: [String] {
    let unknown =
      choices.capabilities == nil ? ["What this camera can do is known after its first photo."] : []
    return unknown + choices.effective.remarks.map { "Left out: \($0)." }
      + [DepthPhotoSettings.deferredDeliveryText]
  }

  private func row(_ option: PhotoChoices.Option) -> PhotoOptionRow {
    PhotoOptionRow(
      option: option, isOn: choices.isOn(option), refusals: choices.refusals(of: option))
  }
}
