internal import PlumblineModel

/// A sculpted head with shoulders, blended from ellipsoids.
///
/// Frame of the numbers below: meters from the center of the head, `x` to the viewer's right, `y`
/// down, `z` away from the viewer, so that the face looks towards −`z`. The proportions follow
/// drawing textbooks: eyes at half the height of the head, five eye widths across.
struct PortraitBust {
  /// The paints of one figure.
  struct Palette {
    var skin: Paint
    var lips: Paint
    var eyes: Paint
    var hair: Pattern
    var shirt: Pattern
    var collar: Paint
  }

  /// The position of the center of the head, in meters.
  var position: SIMD3<Double>
  /// The orientation of the figure; `.identity` is the frame above.
  var rotation: Rotation
  /// Its paints.
  var palette: Palette

  /// Shoulders and chest.
  var torso: BlendedSolid {
    BlendedSolid(
      parts: [part([0, 0.323, 0.060], [0.165, 0.150, 0.090], blend: 0.01, palette.shirt)]
        + mirrored { side in
          [
            part(
              [side * 0.125, 0.253, 0.065], [0.080, 0.060, 0.066], blend: 0.06, palette.shirt),
            part(
              [side * 0.200, 0.333, 0.065], [0.052, 0.110, 0.062], blend: 0.05, palette.shirt),
          ]
        } + [
          part(
            [0, 0.185, 0.044], [0.066, 0.021, 0.064], blend: 0.012, paint: 0.0006,
            .uniform(palette.collar))
        ])
  }

  /// Head and neck; large forms first, so that rays can skip details that they do not hit.
  var head: BlendedSolid {
    BlendedSolid(parts: skull + earsAndHair + eyes + noseAndMouth)
  }

  private var skull: [BlendedSolid.Part] {
    let skin = Pattern.uniform(palette.skin)
    return [
      part([0, 0.118, 0.036], [0.050, 0.094, 0.050], blend: 0.012, skin),
      part([0, -0.035, 0.020], [0.074, 0.084, 0.092], blend: 0.020, skin),
      part([0, 0.028, -0.012], [0.060, 0.076, 0.068], blend: 0.045, skin),
      part([0, 0.091, -0.050], [0.025, 0.017, 0.024], blend: 0.030, skin),
      part([0, 0.061, -0.060], [0.029, 0.026, 0.022], blend: 0.028, skin),
    ]
      + mirrored { side in
        [
          part([side * 0.040, 0.016, -0.051], [0.024, 0.021, 0.024], blend: 0.028, skin),
          part([side * 0.043, 0.058, -0.010], [0.016, 0.030, 0.034], blend: 0.022, skin),
          part([side * 0.027, -0.030, -0.068], [0.026, 0.0095, 0.014], blend: 0.0085, skin),
        ]
      }
  }

  private var earsAndHair: [BlendedSolid.Part] {
    let skin = Pattern.uniform(palette.skin)
    return [
      part(
        [0, -0.056, 0.028], [0.0790, 0.0790, 0.0960], blend: 0.006, paint: 0.001, palette.hair),
      part(
        [0, -0.090, -0.018], [0.0600, 0.0400, 0.0600], blend: 0.020, paint: 0.001,
        palette.hair),
    ]
      + mirrored { side in
        [
          part(
            [side * 0.0790, 0.002, 0.014], [0.0080, 0.0300, 0.0190], blend: 0.010, skin,
            turn: .aboutY(halfTangent: -0.10 * side) * .aboutX(halfTangent: 0.08)),
          part(
            [side * 0.0880, 0.000, 0.004], [0.0060, 0.0190, 0.0100], blend: 0.006, skin,
            isCarved: true,
            turn: .aboutY(halfTangent: -0.10 * side) * .aboutX(halfTangent: 0.08)),
        ]
      }
  }

  private var eyes: [BlendedSolid.Part] {
    let skin = Pattern.uniform(palette.skin)
    return mirrored { side in
      [
        part(
          [side * 0.031, -0.010, -0.090], [0.018, 0.0125, 0.016], blend: 0.014, skin,
          isCarved: true),
        part(
          [side * 0.0305, -0.009, -0.0675], [0.0130, 0.0125, 0.0120], blend: 0.001,
          .uniform(palette.eyes)),
        part(
          [side * 0.0312, -0.0190, -0.0700], [0.0170, 0.0058, 0.0115], blend: 0.003,
          paint: 0.0004, skin, turn: .aboutZ(halfTangent: 0.05 * side)),
        part(
          [side * 0.0312, 0.0012, -0.0685], [0.0155, 0.0052, 0.0100], blend: 0.003,
          paint: 0.0004, skin),
      ]
    }
  }

  private var noseAndMouth: [BlendedSolid.Part] {
    let skin = Pattern.uniform(palette.skin)
    let lips = Pattern.uniform(palette.lips)
    return [
      part(
        [0, 0.004, -0.0800], [0.0090, 0.034, 0.0150], blend: 0.0080, skin,
        turn: .aboutX(halfTangent: 0.10)),
      part([0, 0.0270, -0.0940], [0.0095, 0.0082, 0.0105], blend: 0.012, skin),
    ]
      + mirrored { side in
        [part([side * 0.0115, 0.0305, -0.0845], [0.0068, 0.0064, 0.0095], blend: 0.006, skin)]
      }
      + [
        part([0, 0.0555, -0.0815], [0.0215, 0.0052, 0.0085], blend: 0.0030, paint: 0.0016, lips),
        part([0, 0.0645, -0.0805], [0.0175, 0.0064, 0.0090], blend: 0.0030, paint: 0.0016, lips),
        part(
          [0, 0.0600, -0.0943], [0.0190, 0.0011, 0.0080], blend: 0.0010, lips, isCarved: true),
      ]
  }

  private func mirrored(_ parts: (_ side: Double) -> [BlendedSolid.Part]) -> [BlendedSolid.Part] {
    parts(-1) + parts(1)
  }

  /// One ellipsoid of the figure, rotated about its own center.
  private func part(
    _ center: SIMD3<Double>, _ semiaxes: SIMD3<Double>, blend: Double, paint: Double? = nil,
    _ pattern: Pattern, isCarved: Bool = false, turn: Rotation = .identity
  ) -> BlendedSolid.Part {
    BlendedSolid.Part(
      Ellipsoid(
        center: position + rotation * center, semiaxes: semiaxes, rotation: rotation * turn,
        pattern: pattern),
      blend: blend, paintBlend: paint, isCarved: isCarved)
  }
}
