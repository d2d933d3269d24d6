import PlumblineExport
import PlumblineGeometry
import PlumblineImages
import PlumblineModel
import PlumblineTestSupport

/// Documents with all that a mesh can have.
enum SampleDocuments {
  /// A ball with an image, sigma in some vertices, and three targets: one of few vertices, one of
  /// all, one of none.
  static func ball(
    rings: Int = 12, segments: Int = 16, hasImage: Bool = true, hasTargets: Bool = true,
    hasColors: Bool = true, weights: [Float]? = nil
  ) throws -> MeshDocument {
    var mesh = try SampleMeshes.ball(
      radius: 0.1, center: [0.02, -0.03, 0.5], rings: rings, segments: segments)
    var random = SeededGenerator(seed: 21)
    mesh.sigmaMeters = mesh.positions.map { _ in
      random.chance(0.2) ? .nan : Float(random.uniform(in: 0.001..<0.003))
    }
    mesh.residualMeters = mesh.positions.map { _ in
      random.chance(0.3) ? .nan : Float(random.uniform(in: -0.002..<0.002))
    }
    if hasColors {
      mesh.colors = mesh.positions.map { _ in
        RGB8(
          red: UInt8(random.integer(below: 256)), green: UInt8(random.integer(below: 256)),
          blue: UInt8(random.integer(below: 256)))
      }
    }
    func delta() -> PackedPoint {
      PackedPoint(
        x: Float(random.uniform(in: 0.001..<0.01)), y: Float(random.uniform(in: -0.01..<0.01)),
        z: Float(random.uniform(in: -0.01..<0.01)))
    }
    let targets = [
      try MorphTarget(
        name: "jawOpen", indices: [0, 3, 17, 40], deltas: [delta(), delta(), delta(), delta()]),
      MorphTarget(name: "browInnerUp", deltas: mesh.positions.map { _ in delta() }),
      try MorphTarget(name: "2 \"odd\"", indices: [], deltas: []),
    ]
    let texture = MeshTexture(bytes: image(), mediaType: .png)
    return try MeshDocument(
      name: "head", mesh: mesh, texture: hasImage ? texture : nil,
      morphTargets: hasTargets ? targets : [], morphWeights: hasTargets ? weights : nil,
      origin: ExportOrigin(producer: "plumbline 0.1.0", sourceSHA256: "abc"),
      statement: "± 1.2 mm")
  }

  /// An image of four quarters: red, green / blue, white, with a darker cross.
  static func image() -> [UInt8] {
    let raster = Raster(size: RasterSize(width: 64, height: 32)) { x, y in
      let isLight = x % 16 < 13 && y % 8 < 6
      let code: UInt8 = isLight ? 255 : 120
      return RGB8(
        red: x < 32 && y < 16 || x >= 32 && y >= 16 ? code : 0,
        green: x >= 32 ? code : 0, blue: y >= 16 ? code : 0)
    }
    return PNGEncoder().encoded(raster)
  }
}
