internal import PlumblineModel

extension SimulatedScene {
  /// A living room of 4.4 m by 4.6 m, seen from inside: floor, walls, table, shelf, sofa, ball.
  ///
  /// The origin is a person's eye, 1.4 m above the floor.
  public static func room() -> SimulatedScene {
    let wall = Pattern.mottled(
      Paint(albedo: [0.68, 0.66, 0.60]), Paint(albedo: [0.62, 0.60, 0.55]), blobs: [0.5, 0.5, 0.5])
    let boards = Pattern.mottled(
      Paint(albedo: [0.42, 0.28, 0.17]), Paint(albedo: [0.27, 0.16, 0.09]),
      blobs: [0.09, 0.3, 1.1])
    let white = Pattern.uniform(Paint(albedo: [0.72, 0.72, 0.72]))
    let oak = Pattern.mottled(
      Paint(albedo: [0.50, 0.35, 0.20]), Paint(albedo: [0.40, 0.26, 0.14]),
      blobs: [0.4, 0.03, 0.03])
    var surfaces: [any SceneSurface] = [
      Plane(through: [0, 1.4, 0], normal: [0, -1, 0], pattern: boards),
      Plane(through: [0, -1.1, 0], normal: [0, 1, 0], pattern: white),
      Plane(through: [0, 0, 3.4], normal: [0, 0, -1], pattern: wall),
      Plane(through: [-2.2, 0, 0], normal: [1, 0, 0], pattern: wall),
      Plane(through: [2.2, 0, 0], normal: [-1, 0, 0], pattern: wall),
      Plane(through: [0, 0, -1.2], normal: [0, 0, 1], pattern: wall),
      Ellipsoid(
        center: [0.35, 1.28, 1.35], radius: 0.12,
        pattern: .uniform(Paint(albedo: [0.70, 0.20, 0.08], gloss: 0.05))),
    ]
    surfaces += table(at: [-0.55, 1.4, 2.2], oak)
    surfaces += sofa(at: [1.45, 1.4, 2.45])
    surfaces += shelf(at: [-1.5, 1.4, 3.22], oak)
    surfaces.append(
      OrientedBox(
        center: [0.56, -0.14, 3.39], halfSize: [0.42, 0.28, 0.02],
        pattern: .checker(
          Paint(albedo: [0.18, 0.30, 0.36]), Paint(albedo: [0.70, 0.62, 0.42]), edge: 0.14)))
    return SimulatedScene(
      surfaces: surfaces,
      lighting: Lighting(
        lamps: [
          Lighting.Lamp(
            position: [-0.4, -0.85, 0.9], strength: [2.9, 2.75, 2.4], radius: 0.15)
        ],
        sky: [0.26, 0.27, 0.29], ground: [0.20, 0.19, 0.17]))
  }

  private static func table(at foot: SIMD3<Double>, _ wood: Pattern) -> [any SceneSurface] {
    let legs = [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map { x, z in
      OrientedBox(
        center: foot + SIMD3(0.50 * x, -0.35, 0.30 * z), halfSize: [0.03, 0.35, 0.03],
        pattern: wood)
    }
    return [
      OrientedBox(
        center: foot + [0, -0.72, 0], halfSize: [0.58, 0.02, 0.38], pattern: wood),
      // A vase and a book.
      Ellipsoid(
        center: foot + [-0.22, -0.86, 0.05], semiaxes: [0.07, 0.13, 0.07],
        pattern: .uniform(Paint(albedo: [0.20, 0.42, 0.44], gloss: 0.08))),
      OrientedBox(
        center: foot + [0.20, -0.755, -0.05], halfSize: [0.11, 0.015, 0.15],
        rotation: .aboutY(halfTangent: 0.2),
        pattern: .uniform(Paint(albedo: [0.55, 0.12, 0.12]))),
    ] + legs
  }

  private static func sofa(at foot: SIMD3<Double>) -> [any SceneSurface] {
    let cloth = Pattern.mottled(
      Paint(albedo: [0.22, 0.27, 0.24]), Paint(albedo: [0.18, 0.22, 0.20]),
      blobs: [0.04, 0.04, 0.04])
    return [
      OrientedBox(center: foot + [0, -0.21, 0], halfSize: [0.42, 0.21, 0.70], pattern: cloth),
      OrientedBox(
        center: foot + [0.38, -0.58, 0], halfSize: [0.12, 0.26, 0.70],
        rotation: .aboutZ(halfTangent: 0.06), pattern: cloth),
      Ellipsoid(
        center: foot + [0.12, -0.56, -0.40], semiaxes: [0.09, 0.19, 0.22],
        rotation: .aboutZ(halfTangent: 0.15),
        pattern: .uniform(Paint(albedo: [0.66, 0.52, 0.22]))),
    ]
  }

  private static func shelf(at foot: SIMD3<Double>, _ wood: Pattern) -> [any SceneSurface] {
    let sides = [-0.44, 0.44].map { x in
      OrientedBox(
        center: foot + [x, -0.9, 0], halfSize: [0.02, 0.9, 0.17], pattern: wood)
    }
    let floors = [0.05, 0.48, 0.92, 1.36, 1.78].map { height in
      OrientedBox(
        center: foot + [0, -height, 0], halfSize: [0.42, 0.015, 0.17], pattern: wood)
    }
    let colors: [SIMD3<Double>] = [
      [0.45, 0.12, 0.10], [0.12, 0.25, 0.40], [0.55, 0.46, 0.28], [0.16, 0.32, 0.18],
    ]
    let books = (0..<12).map { index in
      let (column, row) = (index % 4, index / 4)
      let height = 0.13 + 0.02 * Double((index * 5) % 3)
      return OrientedBox(
        center: foot
          + SIMD3(
            -0.32 + 0.11 * Double(column) + 0.06 * Double(row),
            -0.495 - 0.44 * Double(row) - height,
            -0.02), halfSize: [0.035, height, 0.11],
        pattern: .uniform(Paint(albedo: colors[(index * 3 + row) % 4])))
    }
    return sides + floors + books
  }
}
