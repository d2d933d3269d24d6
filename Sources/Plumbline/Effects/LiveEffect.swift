public import PlumblineEffects
import PlumblineModel

/// The effects that remember a camera's last frames, with the numbers that a panel offers.
public enum LiveEffect: String, Sendable, CaseIterable {
  /// The filter of Apple's sample.
  case smoothFilter = "smooth-filter"
  /// Another background behind what is near.
  case background = "live-background"

  /// Its name for people.
  public var label: String {
    switch self {
    case .smoothFilter: "Smooth filter"
    case .background: "Live background"
    }
  }

  /// The parameters that a viewer can choose.
  public var parameters: [EffectParameter] {
    switch self {
    case .smoothFilter:
      let filter = SmoothFilter()
      return [
        EffectParameter(
          "look", "Mixed in", .choice(SmoothFilter.Look.allCases.map(\.rawValue)),
          value: filter.look.rawValue),
        EffectParameter("mix", "At most", .number(0...1, step: 0.05, unit: ""), value: "1"),
        EffectParameter(
          "nearness", "Starts at", .number(0...1, step: 0.05, unit: "near"), value: "0.5"),
        EffectParameter(
          "new", "New depth", .number(0.05...1, step: 0.05, unit: ""), value: "0.4"),
      ]
    case .background:
      return [
        EffectParameter("color", "Color", .color, value: "2d6cdf"),
        EffectParameter("finds", "Find the border", .flag, value: "yes"),
        EffectParameter(
          "border", "Else at", .number(0...1, step: 0.02, unit: "near"), value: "0.5"),
      ]
    }
  }

  /// The effect by what was chosen; it has seen no frame.
  ///
  /// - Throws: ``EffectError`` for settings beyond sense.
  public func stream(settings: EffectSettings) throws(EffectError) -> StreamEffect {
    try settings.requireOnly(parameters)
    switch self {
    case .smoothFilter:
      return .smoothFilter(
        SmoothFilter(
          look: try settings.choice("look", SmoothFilter.Look.rose),
          mix: try settings.number("mix", 1), nearness: try settings.number("nearness", 0.5),
          newShare: try settings.number("new", 0.4)))
    case .background:
      var stream = BackgroundStream()
      if try !settings.flag("finds", true) {
        stream.border = .distance(.nearness(try settings.number("border", 0.5)))
      }
      let color = try settings.color("color", RGB8(red: 0x2D, green: 0x6C, blue: 0xDF))
      stream.background = Raster(size: RasterSize(width: 1, height: 1), repeating: color)
      return .background(stream)
    }
  }
}
