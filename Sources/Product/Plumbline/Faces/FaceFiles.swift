import PlumblineExport
import PlumblineFaces
import PlumblineGeometry
import PlumblineImages
import PlumblineModel
import PlumblineNumerics
import PlumblineRecordings

/// The files of one face's mesh.
package struct FaceFiles: Sendable {
  /// Which of the 52 shapes the model lacks.
  package let missingShapes: [String]
  /// The share of the texture that the photo shows; the rest is mirrored or filled.
  package let photoShare: Double?
  /// The face at rest, its shapes, and the weight of each shape in the photo.
  let animated: AnimatedFace
  /// The completed head at rest, as its page shows it, laid out as the texture is.
  let pageHead: CompletedHead
  /// Its shapes.
  let pageTargets: [MorphTarget]
  /// The texture as a JPEG; `nil` for a mesh without a layout.
  let textureJPEG: [UInt8]?
  private let baseName: String
  /// The face at rest with its shapes.
  private let moving: MeshDocument
  /// The face as it looks in the photo.
  private let still: MeshDocument

  /// Bakes the texture of a face and puts its meshes together.
  ///
  /// - Parameters:
  ///   - result: The face.
  ///   - photo: Where it was found.
  ///   - baseName: The name of the files without their ending, such as `face-1`.
  /// - Throws: `MeshError` for a mesh that no format can hold. Cost: some 0.5 s.
  package init(_ result: FaceResult, of photo: PhotoFaces, baseName: String) throws {
    let model = photo.models.fitter.model
    let animated = AnimatedFace.separated(result, model: model)
    let pose = result.fit.state.cameraFromHead
    let details = HeadDetails(result, of: photo)
    let painted = HeadTexture(result, of: photo, head: details.head, details: details)
    let texture = try painted.map { painted in
      MeshTexture(
        bytes: try JPEGPhotoWriter().bytes(
          of: PhotoContents(color: painted.baked.colors), options: PhotoWritingOptions()),
        mediaType: .jpeg)
    }
    let shapes = Array(zip(animated.targets.map(\.name), animated.weights))
    func gazeAtRest(isLeft: Bool) -> SIMD3<Double>? {
      details.head.eyes.first { $0.isLeft == isLeft }?.gazeAtRest(shapes, cameraFromHead: pose)
    }
    let atRest = CompletedHead.completing(
      animated.neutral, model: model, cameraFromHead: pose, shape: animated.shape,
      gazes: (gazeAtRest(isLeft: true), gazeAtRest(isLeft: false)))
    pageHead = atRest
    pageTargets = animated.targets.map {
      atRest.continued($0, of: model, cameraFromHead: pose).inMicrometers
    }
    var moving = try MeshDocument(
      name: baseName, mesh: atRest.mesh, texture: texture, morphTargets: pageTargets,
      morphWeights: animated.weights, origin: photo.analysis.origin, statement: result.statement)
    // Without the photo's light, programs light the head by their own lamps.
    moving.containsLight = details.light == nil
    self.moving = moving
    still = try MeshDocument(
      name: baseName, mesh: details.head.mesh, texture: texture, origin: photo.analysis.origin,
      statement: result.statement)
    self.baseName = baseName
    missingShapes = animated.missingNames
    photoShare = painted?.photoShare
    self.animated = animated
    textureJPEG = texture?.bytes
  }

  /// The files, names without a folder.
  ///
  /// - Throws: `MeshError` for a mesh that a format cannot hold. Cost: some 0.2 s.
  package var files: [Extraction.File] {
    get throws {
      var files = [
        Extraction.File(name: "\(baseName).glb", bytes: try GLBWriter(moving).bytes()),
        Extraction.File(
          name: "\(baseName).usdz", bytes: try USDZWriter(moving).bytes(baseName: baseName)),
      ]
      for file in OBJWriter(still).files(baseName: baseName)
        + MeshPLYWriter(still).files(baseName: baseName)
      where !files.contains(where: { $0.name == file.name }) {
        files.append(Extraction.File(name: file.name, bytes: file.bytes))
      }
      return files
    }
  }
}

extension MorphTarget {
  /// The target in whole micrometers; moves of less than half a micrometer become 0.
  ///
  /// No face is known to a hundred micrometers, and files get less than half as long.
  fileprivate var inMicrometers: MorphTarget {
    func rounded(_ meters: Float) -> Float { Float((Double(meters) * 1e6).rounded() / 1e6) }
    return MorphTarget(
      name: name,
      deltas: deltas.map {
        PackedPoint(x: rounded($0.x), y: rounded($0.y), z: rounded($0.z))
      })
  }
}

extension FaceResult {
  /// The reliability of the mesh, in one sentence.
  var statement: String {
    let percent = (100 * scale.sigmaShare).fixed(1)
    guard let refined else {
      return
        "scale \(scale.source.rawValue), ± \(percent) % (1 sigma) of all lengths; the shape is "
        + "that of a statistical model fitted to landmarks"
    }
    let sigmas = mesh.sigmaMeters.map { sigmas in
      zip(sigmas, refined.residualMeters).filter { !$0.1.isNaN }.map(\.0).sorted()
    }
    let middle = sigmas?.middleOfSorted.map { Double($0) } ?? .nan
    return
      "± \((1000 * middle).fixed(2)) mm (1 sigma) along normals where measured, sigma of each vertex "
      + "elsewhere; all lengths ± \(percent) %"
  }
}

extension MorphableModel {
  /// For each vertex, the one on the other side of the head that is nearest to its mirror image on the mean
  /// face; O(vertices²), divided into cells, some 10 ms.
  var mirroredVertices: [UInt32] {
    let cell: Float = 0.005
    func key(_ point: PackedPoint, mirrored: Bool) -> SIMD3<Int32> {
      let x = mirrored ? -point.x : point.x
      let scaled = SIMD3(x, point.y, point.z) / cell
      return SIMD3<Int32>(scaled.rounded(.down))
    }
    var cells: [SIMD3<Int32>: [Int]] = [:]
    for (vertex, point) in mean.enumerated() {
      cells[key(point, mirrored: false), default: []].append(vertex)
    }
    return mean.enumerated().map { vertex, point in
      let home = key(point, mirrored: true)
      var best = vertex
      var least = Float.infinity
      for dx: Int32 in -1...1 {
        for dy: Int32 in -1...1 {
          for dz: Int32 in -1...1 {
            for other in cells[home &+ SIMD3(dx, dy, dz)] ?? [] {
              let way = SIMD3(
                mean[other].x + point.x, mean[other].y - point.y, mean[other].z - point.z)
              let square = (way * way).sum()
              if square < least {
                least = square
                best = other
              }
            }
          }
        }
      }
      return UInt32(best)
    }
  }
}
