internal import CKernels
internal import PlumblineGeometry
internal import PlumblineModel

/// Converts ICT-FaceKit's face to a ``MorphableModel``.
///
/// A fit uses the face of its head: the first 9409 vertices and the polygons between them. Where the files have the whole
/// head, its other parts are kept as ``ModelParts``, without tears, lashes and shells for drawing eyes. Lengths are
/// centimeters; the frame already is that of ``MorphableModel``.
///
/// - Source: USC ICT Vision and Graphics Lab, *ICT-FaceKit*, MIT license, its README of 2023: ranges of
///   vertices, names of files, and that each mode is a mesh of its own beside `generic_neutral_mesh.obj`.
public enum ICTFaceKit {
  /// The name by which the model is stored.
  public static let name = "ict-facekit"
  /// The license of the model.
  public static let license = "MIT, © 2020 USC Institute for Creative Technologies"
  /// The file of the mean face, the only one whose polygons are read.
  package static let meanFile = "generic_neutral_mesh.obj"
  /// How many vertices the face has; they are the first of each file.
  public static let vertexCount = 9409
  /// The maximum number of modes of identity that are looked for; their names have three digits.
  static let maximumIdentityCount = 200
  /// The maximum number of expressions that are looked for.
  static let maximumExpressionCount = 100

  /// How many vertices the whole head has.
  package static let wholeVertexCount = 26719
  /// The parts behind the face that are kept, in the order of their vertices; the last one ends before the tears.
  package static let keptParts: [ModelParts.Part] = [
    ModelParts.Part(kind: .back, vertexCount: 1839),
    ModelParts.Part(kind: .mouth, vertexCount: 2046),
    ModelParts.Part(kind: .eyeSocket, vertexCount: 384),
    ModelParts.Part(kind: .eyeSocket, vertexCount: 384),
    ModelParts.Part(kind: .gumsAndTongue, vertexCount: 2977),
    ModelParts.Part(kind: .teeth, vertexCount: 4412),
    ModelParts.Part(kind: .leftEye, vertexCount: 1570),
    ModelParts.Part(kind: .rightEye, vertexCount: 1570),
  ]

  /// The file of a mode of identity.
  package static func identityFile(_ index: Int) -> String {
    let digits = "\(index)"
    return "identity" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".obj"
  }

  /// The names of the expressions among the files of a folder, in the order of their bytes.
  ///
  /// Pupils are not part of the face, so their shapes are left out.
  public static func expressionNames(amongFiles names: [String]) -> [String] {
    names.filter { name in
      name.hasSuffix(".obj") && name != meanFile && !name.hasPrefix("identity")
        && !name.hasPrefix("PupilDilate") && !name.hasPrefix(".")
    }.map { String($0.dropLast(4)) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Reads the model.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files.
  ///   - read: Gives the bytes of a file of the folder.
  /// - Returns: The model.
  /// - Throws: ``MorphableModelError`` naming the file, and what `read` throws. Cost: that of parsing the
  ///   faces of some 155 files, a second or two.
  public static func model(
    amongFiles names: [String], reading read: (String) throws -> [UInt8]
  ) throws -> MorphableModel {
    guard names.contains(meanFile) else {
      throw MorphableModelError(
        "the folder", expected: "\(meanFile), as in FaceXModel of ICT-FaceKit", found: "none")
    }
    let whole = try OBJGeometry(read(meanFile), named: meanFile)
    guard whole.positions.count >= vertexCount else {
      throw MorphableModelError(
        meanFile, expected: "at least \(vertexCount) vertices", found: "\(whole.positions.count)")
    }
    let face = whole.part(ofFirst: vertexCount)
    let mean = face.positions
    let isWhole = whole.positions.count >= wholeVertexCount
    let kept =
      vertexCount + (isWhole ? keptParts.reduce(0) { $0 + $1.vertexCount } : 0)
    var behind: [[PackedPoint]] = []
    func deltas(_ file: String) throws -> [PackedPoint] {
      let positions = try OBJGeometry.positions(of: read(file), named: file, atMost: kept)
      guard positions.count == kept else {
        throw MorphableModelError(
          file, expected: "at least \(kept) vertices, as \(meanFile) has",
          found: "\(positions.count)")
      }
      let deltas = zip(positions, whole.positions).map {
        PackedPoint(x: ($0.x - $1.x) / 100, y: ($0.y - $1.y) / 100, z: ($0.z - $1.z) / 100)
      }
      behind.append(Array(deltas.dropFirst(vertexCount)))
      return Array(deltas.prefix(vertexCount))
    }
    var identity: [[PackedPoint]] = []
    while identity.count < maximumIdentityCount, names.contains(identityFile(identity.count)) {
      identity.append(try deltas(identityFile(identity.count)))
    }
    let expressions = expressionNames(amongFiles: names)
    guard !identity.isEmpty, (1...maximumExpressionCount).contains(expressions.count) else {
      throw MorphableModelError(
        "the folder", expected: "identity000.obj and files of expressions",
        found: "\(identity.count) and \(expressions.count)")
    }
    var model = try MorphableModel(
      name: name, license: license,
      mean: mean.map { PackedPoint(x: $0.x / 100, y: $0.y / 100, z: $0.z / 100) },
      identity: identity,
      expressions: try expressions.map { (name: $0, deltas: try deltas($0 + ".obj")) },
      triangles: face.triangles, texture: face.texture, anchors: anchors)
    guard isWhole else { return model }
    model.parts = try ModelParts(
      parts: keptParts,
      mean: whole.positions[vertexCount..<kept].map {
        PackedPoint(x: $0.x / 100, y: $0.y / 100, z: $0.z / 100)
      }, modes: behind,
      triangles: whole.triangles.filter {
        (vertexCount..<kept).contains(Int($0.maximum)) && !$0.repeatsCorner
      }, faceVertexCount: vertexCount, modeCount: model.modeCount)
    return model
  }

  /// Where MediaPipe's landmarks lie on the face; `Documentation/faces.md` says how they were found.
  static let anchors: [LandmarkAnchor?] = withUnsafeBytes(of: plb_ict_face_kit_anchors) { bytes in
    bytes.assumingMemoryBound(to: plb_face_anchor.self).map { anchor in
      LandmarkAnchor(
        vertices: [
          Int(anchor.vertices.0), Int(anchor.vertices.1), Int(anchor.vertices.2),
        ],
        shares: [anchor.shares.0, anchor.shares.1, anchor.shares.2])
    }
  }
}
