import PlumblineFaces
import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport

/// The model of formulas, made once, and what tests ask of it.
enum SyntheticFaces {
  private static let face = Result { try SyntheticFace() }
  private static let coarse = Result { try SyntheticFace(columns: 27, rows: 31) }

  /// 41 × 45 vertices.
  static func model() throws -> MorphableModel { try face.get().model }
  /// 27 × 31 vertices, for laws that need many heads.
  static func coarseModel() throws -> MorphableModel { try coarse.get().model }

  /// Heads without any error: no detail, no noise, landmarks exactly at the anchors.
  static var exact: SimulatedHead.Settings {
    var settings = SimulatedHead.Settings()
    settings.detailMeters = 0
    settings.disparitySigma = 0
    settings.landmarkMeters = 0
    settings.landmarkPixels = 0
    return settings
  }

  /// Heads in an image of 120 × 160 pixels.
  static var small: SimulatedHead.Settings {
    var settings = SimulatedHead.Settings()
    settings.pixelStep = 4
    settings.landmarkPixels = 0.08
    return settings
  }

  /// A shape whose coefficients are drawn.
  static func shape(of model: MorphableModel, seed: UInt64) -> FaceShape {
    var generator = SeededGenerator(seed: seed)
    return FaceShape(
      identity: (0..<model.identityCount).map { _ in Float(generator.gaussian()) },
      expression: model.expressionNames.map { _ in Float(generator.uniform()) })
  }

  /// A flat square of the plane z = 0, counter-clockwise seen from +z, with one mode.
  static func plane(side: Int, spacing: Float) throws -> MorphableModel {
    let mean = (0..<side * side).map {
      PackedPoint(x: Float($0 % side) * spacing, y: Float($0 / side) * spacing, z: 0)
    }
    var triangles: [TriangleIndices] = []
    for row in 0..<side - 1 {
      for column in 0..<side - 1 {
        let a = UInt32(row * side + column)
        let (b, c, d) = (a + 1, a + 1 + UInt32(side), a + UInt32(side))
        // Diagonals alternate, so that no direction is special.
        triangles +=
          (row + column) % 2 == 0
          ? [TriangleIndices(a, b, c), TriangleIndices(a, c, d)]
          : [TriangleIndices(a, b, d), TriangleIndices(b, c, d)]
      }
    }
    return try MorphableModel(
      name: "plane", license: "", mean: mean, identity: [mean],
      expressions: [(name: "one", deltas: mean)], triangles: triangles, texture: nil,
      anchors: Array(repeating: nil, count: FaceLandmarks.meshCount))
  }
}

extension SimulatedHead {
  /// What is seen of it without depth.
  var plain: FaceObservation { FaceObservation(landmarks: landmarks, camera: camera) }
  /// What is seen of it with depth.
  var full: FaceObservation {
    FaceObservation(landmarks: landmarks, camera: camera, depth: measured)
  }

  /// The absolute errors of a surface along its normals, meters, rising.
  func absoluteErrors(of positions: [PackedPoint]) -> [Float] {
    errors(of: positions, among: positions.map { _ in true }).filter { !$0.isNaN }.map(abs)
      .sorted()
  }
}

extension Array where Element: Comparable {
  /// The middle of sorted numbers.
  var middle: Element? { isEmpty ? nil : self[count / 2] }
}
