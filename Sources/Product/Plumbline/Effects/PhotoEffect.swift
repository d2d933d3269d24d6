package import PlumblineEffects
import PlumblineModel

/// The effects that a panel can show of one photo, with the numbers that it offers.
///
/// The library's effects have more of them; pairs of images are not here.
package enum PhotoEffect: String, Sendable, CaseIterable {
  /// Refocused after the fact.
  case blur
  /// Another background.
  case background
  /// Color by distance.
  case isolate
  /// Fog.
  case fog
  /// Another light.
  case relight
  /// Seen from beside.
  case parallax
  /// A loop of a camera that sways.
  case wiggle
  /// The mattes themselves, white inside.
  case mattes

  /// Its name for people.
  package var label: String {
    switch self {
    case .blur: "Focus and aperture"
    case .background: "Background"
    case .isolate: "Color by distance"
    case .fog: "Fog"
    case .relight: "Light"
    case .parallax: "Another view"
    case .wiggle: "Wiggle"
    case .mattes: "Mattes"
    }
  }

  /// What lies behind the foreground.
  enum Backdrop: String, CaseIterable {
    case blurred, color, transparent
  }

  /// The outline of a lens's opening.
  enum Opening: String, CaseIterable {
    case disc, hexagon, octagon

    var shape: ApertureShape {
      switch self {
      case .disc: .disc
      case .hexagon: .hexagon
      case .octagon: .octagon
      }
    }
  }

  /// What is made of two views.
  enum Shown: String, CaseIterable {
    case view, anaglyph
  }

  /// The images of a loop, at most so many pixels on their longer side: all travel to a browser at once.
  private static let loopSide = 640

  /// What comes of it by what was chosen; directions are those of the image as it is shown.
  ///
  /// - Throws: ``EffectError`` for settings beyond sense and for what the scene lacks.
  package func images(
    of scene: EffectScene, settings: EffectSettings, threads: Int = 2
  ) throws(EffectError) -> EffectImages {
    try settings.requireOnly(parameters(for: scene))
    guard self == .wiggle else {
      return EffectImages([try image(of: scene, settings, threads: threads)])
    }
    let (frames, notes) = try WiggleEffect(
      amplitude: .percentOfWidth(try settings.number("amount", 2)),
      focus: .nearness(try settings.number("focus", 0.5)),
      path: try settings.choice("path", .ellipse), frameCount: 20, maximumSide: Self.loopSide
    ).frames(of: scene, threads: threads)
    return EffectImages(
      frames.map { EffectImage(color: $0, notes: notes) }, imagesPerSecond: 20)
  }

  /// One image of it; that of a loop is what is seen from one end.
  private func image(
    of scene: EffectScene, _ settings: EffectSettings, threads: Int
  ) throws(EffectError) -> EffectImage {
    switch self {
    case .blur: return try Self.blurred(scene, settings, threads: threads)
    case .background: return try Self.withBackground(scene, settings, threads: threads)
    case .isolate:
      return try IsolateEffect(
        nearest: .nearness(try settings.number("near", 1)),
        farthest: .nearness(try settings.number("far", 0.6))
      ).applied(to: scene, threads: threads)
    case .fog:
      return try FogEffect(
        density: try settings.number("density", scene.isMetric ? 0.8 : 2),
        color: try settings.color("color", RGB8(red: 0xC8, green: 0xCD, blue: 0xD2))
      ).applied(to: scene, threads: threads)
    case .relight: return try Self.relit(scene, settings, threads: threads)
    case .parallax, .wiggle: return try view(of: scene, settings, threads: threads)
    case .mattes: return try matte(of: scene, settings, threads: threads)
    }
  }

  /// The scene refocused.
  private static func blurred(
    _ scene: EffectScene, _ settings: EffectSettings, threads: Int
  ) throws(EffectError) -> EffectImage {
    var effect = BlurEffect()
    if let place = try settings.place("focus", in: scene.color.size) {
      effect.focus = .point(place)
    }
    effect.aperture = .fNumber(try settings.number("aperture", scene.simulatedAperture ?? 2.8))
    effect.shape = try settings.choice("shape", Opening.disc).shape
    return try effect.applied(to: scene, threads: threads)
  }

  /// The scene with another background.
  private static func withBackground(
    _ scene: EffectScene, _ settings: EffectSettings, threads: Int
  ) throws(EffectError) -> EffectImage {
    let backdrop: BackgroundEffect.Background =
      switch try settings.choice("backdrop", Backdrop.blurred) {
      case .blurred: .blurred(sigmaPercent: try settings.number("amount", 2))
      case .color:
        .color(try settings.color("color", RGB8(red: 0x2D, green: 0x6C, blue: 0xDF)))
      case .transparent: .transparent
      }
    let mask = ForegroundMask(source: try settings.choice("mask", .automatic))
    return try BackgroundEffect(backdrop, foreground: mask).applied(to: scene, threads: threads)
  }

  /// The scene in another light, whose direction is that of the image as it is shown.
  private static func relit(
    _ scene: EffectScene, _ settings: EffectSettings, threads: Int
  ) throws(EffectError) -> EffectImage {
    let shown = SIMD2(
      try settings.number("across", -0.6), try settings.number("down", -0.6))
    let axes = scene.orientation.inverse.uprightFromStoredAxes
    let stored = axes.x * shown.x + axes.y * shown.y
    return try RelightEffect(
      .direction([stored.x, stored.y, -0.6]), strength: try settings.number("strength", 1),
      ambient: try settings.number("ambient", 0.35)
    ).applied(to: scene, threads: threads)
  }

  /// The scene seen from beside, or both views as an anaglyph.
  private func view(
    of scene: EffectScene, _ settings: EffectSettings, threads: Int
  ) throws(EffectError) -> EffectImage {
    let place = try settings.number("place", -1)
    guard (-1...1).contains(place) else {
      throw EffectError(
        .outOfRange, effect: rawValue, expected: "a place of -1 to 1", found: "\(place)")
    }
    let shown = try settings.choice("show", Shown.view)
    let share = shown == .view ? abs(place) : 1
    let pair = try StereoEffect(
      amplitude: .percentOfWidth(try settings.number("amount", 2) * share),
      focus: .nearness(try settings.number("focus", 0.5))
    ).pair(of: scene, threads: threads)
    let color =
      shown == .anaglyph ? pair.anaglyph(threads: threads) : place < 0 ? pair.left : pair.right
    return EffectImage(color: color, notes: pair.notes)
  }

  /// A matte of the scene, white inside.
  private func matte(
    of scene: EffectScene, _ settings: EffectSettings, threads: Int
  ) throws(EffectError) -> EffectImage {
    let kind = try settings.choice("kind", Matte.Kind.portraitEffects)
    let (mattes, notes) = try MattesEffect().mattes(of: scene, threads: threads)
    guard let matte = mattes.first(where: { $0.kind == kind }) else {
      throw EffectError(
        .missing, effect: rawValue, expected: "a matte of \(kind.rawValue)", found: "none")
    }
    return EffectImage(
      color: matte.coverage.map { RGB8(red: $0, green: $0, blue: $0) }, notes: notes)
  }
}
