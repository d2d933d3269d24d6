import PlumblineModel
package import PlumblineSimulation

extension SimulatedScene {
  /// A portrait with loose hair around the head and wide glasses: thin things that no depth map of a
  /// phone holds.
  ///
  /// `surfaces` are those of ``portrait(of:)``, then ``strandCount`` strands, then the glasses.
  package static func portraitWithHair() -> SimulatedScene {
    var scene = portrait(of: .first)
    scene.surfaces += strands + glasses
    return scene
  }

  /// How many strands of hair there are.
  package static let strandCount = 48

  /// The center of the bust's head, in meters.
  private static let head = SIMD3(0.004, -0.068, 0.432)

  /// Strands 0.8 mm thick that lead outward from the outline of the hair.
  private static var strands: [any SceneSurface] {
    let paint = Pattern.uniform(Paint(albedo: [0.20, 0.10, 0.07], gloss: 0.03))
    return (0..<strandCount).map { index in
      // Spread over 140° about the crown; lengths and tilts by multiples of irrational numbers.
      // The tangent by its series.
      let turn = Double(index) / Double(strandCount - 1) * 2 - 1
      let half = turn * 0.62
      let along = Rotation.aboutZ(halfTangent: half / (1 - half * half / 3))
      let length = 0.010 + 0.014 * (Double(index) * 0.618).truncatingRemainder(dividingBy: 1)
      let tilt = (Double(index) * 0.382).truncatingRemainder(dividingBy: 1) - 0.5
      let outward = along * SIMD3(0, -1, 0)
      let center = head + SIMD3(0, -0.056, 0.028) + outward * (0.077 + 0.6 * length)
      return Ellipsoid(
        center: center, semiaxes: [0.0004, length, 0.0004],
        rotation: along * .aboutZ(halfTangent: 0.3 * tilt), pattern: paint)
    }
  }

  /// Two round rims 1.6 mm thick that are wider than the face, of short pieces.
  private static var glasses: [any SceneSurface] {
    let paint = Pattern.uniform(Paint(albedo: [0.05, 0.04, 0.04], gloss: 0.05))
    let pieces = 28
    return [-1.0, 1.0].flatMap { side in
      (0..<pieces).map { index -> any SceneSurface in
        // The tangent of up to an eighth of a turn, within 2 %.
        let quarter = Rotation.aboutZ(halfTangent: 1)
        let step = Double(index % (pieces / 4)) / Double(pieces / 4)
        var turn = Rotation.aboutZ(halfTangent: step * (0.7854 + 0.2146 * step * step))
        for _ in 0..<index / (pieces / 4) { turn = quarter * turn }
        let center = head + SIMD3(side * 0.046, -0.008, -0.085) + turn * SIMD3(0.040, 0, 0)
        return Ellipsoid(
          center: center, semiaxes: [0.0008, 0.0075, 0.0008], rotation: turn, pattern: paint)
      }
    }
  }
}
