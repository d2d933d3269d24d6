package import PlumblineEffects
import PlumblineModel

extension PhotoEffect {
  /// The parameters of the effect for a scene.
  package func parameters(for scene: EffectScene) -> [EffectParameter] {
    switch self {
    case .blur: Self.blurParameters(for: scene)
    case .background: Self.backgroundParameters
    case .isolate: Self.isolateParameters
    case .fog: Self.fogParameters(for: scene)
    case .relight: Self.relightParameters
    case .parallax: Self.parallaxParameters
    case .wiggle: Self.wiggleParameters
    case .mattes: Self.matteParameters(for: scene)
    }
  }

  /// The parameters of focus and aperture.
  private static func blurParameters(for scene: EffectScene) -> [EffectParameter] {
    let aperture = scene.simulatedAperture.map { min(max($0, 1), 16) } ?? 2.8
    return [
      EffectParameter("focus", "Focus", .place),
      EffectParameter(
        "aperture", "Aperture", .number(1...16, step: 0.1, unit: "f/"), value: "\(aperture)"),
      EffectParameter(
        "shape", "Opening", .choice(Opening.allCases.map(\.rawValue)), value: "disc"),
    ]
  }

  /// The parameters of another background.
  private static var backgroundParameters: [EffectParameter] {
    [
      EffectParameter(
        "backdrop", "Behind", .choice(Backdrop.allCases.map(\.rawValue)), value: "blurred"),
      EffectParameter("amount", "Blur", .number(0...10, step: 0.1, unit: "%"), value: "2"),
      EffectParameter("color", "Color", .color, value: "2d6cdf"),
      EffectParameter(
        "mask", "In front by",
        .choice(ForegroundMask.Source.allCases.filter { $0 != .network }.map(\.rawValue)),
        value: "automatic"),
    ]
  }

  /// The parameters of color by distance.
  private static var isolateParameters: [EffectParameter] {
    [
      EffectParameter("near", "From", .number(0...1, step: 0.01, unit: "near"), value: "1"),
      EffectParameter("far", "To", .number(0...1, step: 0.01, unit: "near"), value: "0.6"),
    ]
  }

  /// The parameters of fog.
  private static func fogParameters(for scene: EffectScene) -> [EffectParameter] {
    [
      EffectParameter(
        "density", "Density",
        scene.isMetric
          ? .number(0...3, step: 0.05, unit: "1/m") : .number(0...8, step: 0.1, unit: ""),
        value: scene.isMetric ? "0.8" : "2"),
      EffectParameter("color", "Color", .color, value: "c8cdd2"),
    ]
  }

  /// The parameters of another light.
  private static var relightParameters: [EffectParameter] {
    [
      EffectParameter(
        "across", "From the left or right", .number(-1...1, step: 0.05, unit: ""), value: "-0.6"),
      EffectParameter(
        "down", "From above or below", .number(-1...1, step: 0.05, unit: ""), value: "-0.6"),
      EffectParameter("strength", "Strength", .number(0...3, step: 0.05, unit: ""), value: "1"),
      EffectParameter(
        "ambient", "Own light", .number(0...1, step: 0.05, unit: ""), value: "0.35"),
    ]
  }

  /// The parameters of another view.
  private static var parallaxParameters: [EffectParameter] {
    [
      EffectParameter("place", "Place", .number(-1...1, step: 0.05, unit: ""), value: "-1"),
      EffectParameter("amount", "Movement", .number(0...6, step: 0.1, unit: "%"), value: "2"),
      EffectParameter(
        "focus", "Stays in place", .number(0...1, step: 0.05, unit: "near"), value: "0.5"),
      EffectParameter(
        "show", "Shown as", .choice(Shown.allCases.map(\.rawValue)), value: "view"),
    ]
  }

  /// The parameters of a loop.
  private static var wiggleParameters: [EffectParameter] {
    [
      EffectParameter("amount", "Movement", .number(0...6, step: 0.1, unit: "%"), value: "2"),
      EffectParameter(
        "focus", "Stays in place", .number(0...1, step: 0.05, unit: "near"), value: "0.5"),
      EffectParameter(
        "path", "Way", .choice(WiggleEffect.Path.allCases.map(\.rawValue)), value: "ellipse"),
    ]
  }

  /// Which matte can be chosen: the scene's own, and one of what is in front.
  private static func matteParameters(for scene: EffectScene) -> [EffectParameter] {
    let kinds = Matte.Kind.allCases.filter { kind in
      kind == .portraitEffects || scene.mattes.contains { $0.kind == kind }
    }
    return [
      EffectParameter(
        "kind", "Matte", .choice(kinds.map(\.rawValue)),
        value: Matte.Kind.portraitEffects.rawValue)
    ]
  }
}
