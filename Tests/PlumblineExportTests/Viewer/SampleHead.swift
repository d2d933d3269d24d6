import Foundation
import PlumblineGeometry
import PlumblineModel
import PlumblineExport

/// A made-up head: an egg with a nose before a camera half a meter away, measured where it faces the camera.
struct SampleHead {
  static let center = SIMD3<Float>(0.02, -0.03, 0.5)
  static let radii = SIMD3<Float>(0.075, 0.11, 0.09)
  static let names = [
    "eyeBlinkLeft", "jawOpen", "mouthSmileLeft", "browInnerUp", "cheekPuff", "noseSneerLeft",
    "tongueOut",
  ]
  static let weights: [Float] = [0, 0.25, 0.5, 0, 0, 0, 0]

  let mesh: TriangleMesh
  let targets: [MorphTarget]
  /// The vertex of the chin and that of the nose's tip.
  let chin: Int
  let nose: Int

  /// Makes the head.
  ///
  /// - Parameters:
  ///   - columns: Vertices around, the first and the last at the seam of the texture.
  ///   - rows: Vertices from top to bottom.
  /// - Throws: Nothing: its lists fit.
  init(columns: Int = 49, rows: Int = 33) throws {
    var positions: [PackedPoint] = []
    var coordinates: [SIMD2<Float>] = []
    var isFront: [Bool] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let polar = Double(row + 1) / Double(rows + 1) * .pi
        let around = 2 * Double(column % (columns - 1)) / Double(columns - 1) * .pi
        coordinates.append(
          SIMD2(Float(column) / Float(columns - 1), Float(row) / Float(rows - 1)))
        guard column < columns - 1 else { continue }
        // The middle column faces the camera.
        let way = SIMD3<Float>(
          Float(-sin(polar) * sin(around)), Float(-cos(polar)), Float(sin(polar) * cos(around)))
        var point = way * Self.radii
        let beside = way.x * way.x + (way.y - 0.1) * (way.y - 0.1)
        if way.z < 0 { point.z -= 0.025 * Float(exp(Double(-beside * 40))) }
        point += Self.center
        positions.append(PackedPoint(x: point.x, y: point.y, z: point.z))
        isFront.append(way.z < -0.3)
      }
    }
    let across = columns - 1
    var triangles: [TriangleIndices] = []
    var places: [TriangleIndices] = []
    func vertex(_ column: Int, _ row: Int) -> UInt32 { UInt32(row * across + column % across) }
    func place(_ column: Int, _ row: Int) -> UInt32 { UInt32(row * columns + column) }
    for row in 0..<rows - 1 {
      for column in 0..<across {
        for corners in [[(0, 0), (0, 1), (1, 0)], [(1, 0), (0, 1), (1, 1)]] {
          let grid = corners.map { (column + $0.0, row + $0.1) }
          func joined(_ index: (Int, Int) -> UInt32) -> TriangleIndices {
            TriangleIndices(
              index(grid[0].0, grid[0].1), index(grid[1].0, grid[1].1),
              index(grid[2].0, grid[2].1))
          }
          triangles.append(joined(vertex))
          places.append(joined(place))
        }
      }
    }
    var mesh = try TriangleMesh(
      positions: positions, triangles: triangles,
      texture: TextureLayout(coordinates: coordinates, triangles: places))
    mesh.sigmaMeters = isFront.map { $0 ? 0.0005 : 0.003 }
    mesh.residualMeters = positions.enumerated().map { index, point in
      isFront[index] ? 0.0012 * sin(60 * point.x) * cos(45 * point.y) : .nan
    }
    self.mesh = mesh
    // Moves what lies about a position of the face, some of it by nothing.
    func target(_ name: String, at place: SIMD3<Float>, by way: SIMD3<Float>, reach: Float)
      -> MorphTarget
    {
      MorphTarget(
        name: name,
        deltas: positions.map { point in
          let off = (SIMD3(point.x, point.y, point.z) - Self.center) / Self.radii - place
          let share = max(0, 1 - (off * off).sum() / reach)
          return PackedPoint(x: way.x * share, y: way.y * share, z: way.z * share)
        })
    }
    targets = [
      target(Self.names[0], at: [0.4, -0.3, -0.85], by: [0, 0.006, 0], reach: 0.06),
      target(Self.names[1], at: [0, 0.8, -0.6], by: [0, 0.02, 0.005], reach: 0.4),
      target(Self.names[2], at: [0.4, 0.5, -0.75], by: [0.006, -0.007, 0], reach: 0.1),
      target(Self.names[3], at: [0, -0.5, -0.85], by: [0, -0.006, 0], reach: 0.1),
      target(Self.names[4], at: [0, 0.3, -0.8], by: [0, 0, -0.012], reach: 0.5),
      target(Self.names[5], at: [0.2, 0.1, -1], by: [0, -0.004, 0], reach: 0.06),
      MorphTarget(
        name: Self.names[6], deltas: positions.map { _ in PackedPoint(x: 0, y: 0, z: 0) }),
    ]
    nose = positions.indices.min { positions[$0].z < positions[$1].z } ?? 0
    chin = Int(vertex(across / 2, rows * 4 / 5))
  }

  /// The scene of the head.
  func scene(isMeasured: Bool = true, hasImages: Bool = true) -> HeadScene {
    var mesh = mesh
    if !isMeasured { mesh.residualMeters = nil }
    let image = SampleJPEG.encoded(
      Raster(size: RasterSize(width: 256, height: 256)) { x, y in
        let isLight = (x / 16 + y / 16) % 2 == 0
        return isLight
          ? RGB8(red: 225, green: 180, blue: 150) : RGB8(red: 150, green: 95, blue: 80)
      })
    return HeadScene(
      mesh: mesh, targets: targets, weights: Self.weights,
      scaleSigmaShare: isMeasured ? 0.01 : 0.05,
      cameraFromHead: RigidTransform(
        rotation: Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1]),
        translation: SIMD3<Double>(Self.center)),
      textureJPEG: hasImages ? image : nil, landmarksJPEG: hasImages ? image : nil,
      residualJPEG: hasImages && isMeasured ? image : nil)
  }
}

extension SampleHead {
  /// The scene with a smaller egg behind the head, as something that was added to the face.
  func completedScene() -> HeadScene {
    var scene = scene()
    let count = UInt32(mesh.vertexCount)
    let added = mesh.positions.map {
      PackedPoint(x: $0.x, y: $0.y * 0.5 - 0.015, z: 0.6 + ($0.z - 0.5) * 0.5)
    }
    let triangles = mesh.triangles.map {
      TriangleIndices($0.first + count, $0.second + count, $0.third + count)
    }
    let layout = mesh.texture.flatMap {
      try? TextureLayout(coordinates: $0.coordinates, triangles: $0.triangles + $0.triangles)
    }
    let sigmas = added.indices.map { $0 % 2 == 0 ? Float(0.004) : 0.007 }
    if let whole = try? TriangleMesh(
      positions: mesh.positions + added, triangles: mesh.triangles + triangles, texture: layout,
      sigmaMeters: mesh.sigmaMeters.map { $0 + sigmas },
      residualMeters: mesh.residualMeters.map { $0 + added.map { _ in .nan } })
    {
      scene.mesh = whole
    }
    scene.face = (mesh.vertexCount, mesh.triangles.count)
    return scene
  }

  /// A `plumbline.facepage/1` document of the head.
  static func document(isMeasured: Bool) -> String {
    let scale =
      isMeasured
      ? #""scale": "measured", "scalePercent": 1, "badge": "MEASURED", "headline": "All lengths ± 1.0 %","#
      : #""scale": "assumed", "scalePercent": 5, "badge": "SHAPE ONLY", "headline": "The size of a usual head, ± 5.0 %","#
    let depth =
      isMeasured
      ? #"""
      "residual": {"medianMillimeters": 0.4, "p95Millimeters": 1.1, "pixels": 62774},
      "regions": [{"name": "nose", "measuredShare": 0.86, "medianMillimeters": 0.2,
                   "p95Millimeters": 0.8, "sigmaMillimeters": 0.4},
                  {"name": "chin", "measuredShare": 0.75, "medianMillimeters": 0.18,
                   "p95Millimeters": 0.79, "sigmaMillimeters": 0.5}],
      """# : #""residual": null, "regions": [],"#
    return #"{"schema": "plumbline.facepage/1", "file": "bust.heic", "face": 1, "# + scale + depth
      + #"""
      "statement": "± 0.50 mm (1 sigma) along normals where measured",
      "measurements": [
        {"name": "interpupillaryDistance", "label": "between the pupils", "millimeters": 66.3,
         "plusMinusMillimeters": 1.4},
        {"name": "noseWidth", "label": "width of the nose", "millimeters": 40.7,
         "plusMinusMillimeters": 0.9}],
      "landmarksPercent": 2.3, "photoPercent": 61.5, "missingShapes": ["tongueOut"],
      "models": {"runtime": "none", "landmarks": "made up", "morphable": "an egg",
                 "morphableLicense": "none"},
      "findings": [{"code": "face.covered", "severity": "caution", "message": "a beard hides the chin",
        "effect": {"zMillimeters": null, "lengthPercent": null}, "evidence": "none",
        "correction": "none"}]}
      """#
  }
}
