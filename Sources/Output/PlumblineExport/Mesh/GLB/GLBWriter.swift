package import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// Writes a mesh as one binary glTF 2.0 file.
///
/// Axes are glTF's (`y` up, `z` toward the viewer), the unit is the meter, and the image is
/// embedded. Vertices on texture seams are duplicated. Vertex colors are in linear light; they are
/// written only without an image, since glTF would multiply them with it. The surface is
/// double-sided; with an image or colors that contain their light it is unlit (`KHR_materials_unlit`).
/// Uncertainty and residual are the attributes `_SIGMA` and `_RESIDUAL`, where −1 and −1000000 mean unknown,
/// since glTF has no NaN; `_INVENTED` is 1 for vertices that were added. What vertices share is in the extras,
/// as lines. Morph targets move positions and normals. The document's weights are those of the mesh; nodes have
/// no weights of their own. See `Documentation/formats/glb.md`.
///
/// - Source: Khronos Group, *glTF 2.0 Specification* (ISO/IEC 12113:2022).
package struct GLBWriter: Sendable {
  /// The value in `_SIGMA` for an unknown uncertainty.
  package static let missingSigma: Float = -1
  /// The value in `_RESIDUAL` for an unknown residual.
  package static let missingResidual: Float = -1_000_000

  private let document: MeshDocument

  /// Creates a writer for a document; O(1).
  package init(_ document: MeshDocument) { self.document = document }

  /// The whole file; O(*n*).
  ///
  /// - Throws: `.limitExceeded` for a file of 4 GiB or more, whose length does not fit the header.
  package func bytes() throws(MeshError) -> [UInt8] {
    var body = GLBBody()
    let json = JSONWriter(layout: .compact).bytes(json(&body))
    let chunks = [(padded(json, with: 0x20), 0x4E4F_534A), (body.bytes, 0x004E_4942)]
    let total = 12 + chunks.reduce(0) { $0 + 8 + $1.0.count }
    guard total <= Int(UInt32.max) else {
      throw MeshError(
        .limitExceeded, at: "GLB", expected: "at most 4294967295 bytes", found: "\(total)")
    }
    var file: [UInt8] = []
    file.reserveCapacity(total)
    for number in [0x4654_6C67, 2, total] { file.appendLittleEndian(UInt32(number)) }
    for (bytes, kind) in chunks {
      file.appendLittleEndian(UInt32(bytes.count))
      file.appendLittleEndian(UInt32(kind))
      file += bytes
    }
    return file
  }

  private func padded(_ bytes: [UInt8], with filler: UInt8) -> [UInt8] {
    bytes + Array(repeating: filler, count: (4 - bytes.count % 4) % 4)
  }

  private func json(_ body: inout GLBBody) -> JSONValue {
    let mesh = meshJSON(&body)
    var members: [(key: String, value: JSONValue)] = [
      ("asset", assetJSON), ("scene", 0), ("scenes", [["nodes": [0]]]),
      ("nodes", [["name": .string(document.name), "mesh": 0, "extras": nodeExtras]]),
      ("meshes", [mesh]), ("materials", [materialJSON]),
    ]
    if isUnlit { members.append(("extensionsUsed", ["KHR_materials_unlit"])) }
    if let texture = document.texture {
      let view = body.addView(texture.bytes, target: nil)
      members += [
        ("textures", [["sampler": 0, "source": 0]]),
        (
          "images",
          [["bufferView": .integer(view), "mimeType": .string(texture.mediaType.rawValue)]]
        ),
        // Linear filtering with mipmaps; clamped, since a texture layout does not repeat.
        (
          "samplers",
          [["magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071]]
        ),
      ]
    }
    members += [
      ("accessors", .array(body.accessors)), ("bufferViews", .array(body.views)),
      ("buffers", [["byteLength": .integer(body.bytes.count)]]),
    ]
    return .object(members)
  }

  private var isUnlit: Bool {
    document.containsLight && (document.texture != nil || document.mesh.colors != nil)
  }

  private var assetJSON: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("version", "2.0"), ("generator", .string(document.origin.producer)),
    ]
    if let digits = document.origin.sourceSHA256 {
      members.append(("extras", ["sourceSHA256": .string(digits)]))
    }
    return .object(members)
  }

  private var nodeExtras: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("unit", "meter"), ("frame", .string(document.viewerStatement)),
    ]
    if let statement = document.statement { members.append(("uncertainty", .string(statement))) }
    if document.mesh.sigmaMeters != nil {
      members += [
        ("sigma", "one standard deviation along the normal, in meters"),
        ("missingSigma", .number(Self.missingSigma)),
      ]
    }
    if document.mesh.isInvented != nil {
      members.append(("invented", "1 where a vertex was invented to close a hole, else 0"))
    }
    if !document.errorLines.isEmpty {
      members.append(("statements", .array(document.errorLines.map { .string($0) })))
    }
    if document.mesh.residualMeters != nil {
      members += [
        ("residual", "mesh minus measurement along the normal, in meters; above 0 is outside"),
        ("missingResidual", .number(Self.missingResidual)),
      ]
    }
    return .object(members)
  }

  private var materialJSON: JSONValue {
    var surface: [(key: String, value: JSONValue)] = []
    if document.texture != nil { surface.append(("baseColorTexture", ["index": 0])) }
    surface += [("metallicFactor", 0), ("roughnessFactor", 1)]
    var members: [(key: String, value: JSONValue)] = [
      ("pbrMetallicRoughness", .object(surface)), ("doubleSided", true),
    ]
    if isUnlit { members.append(("extensions", ["KHR_materials_unlit": [:]])) }
    return .object(members)
  }

  private func meshJSON(_ body: inout GLBBody) -> JSONValue {
    let single = SingleIndexMesh(document.mesh)
    let indices = body.addIndices(single)
    var attributes: [(key: String, value: JSONValue)] = [
      (
        "POSITION",
        .integer(
          body.addPositions(single.attribute(document.mesh.positions).map(document.viewer)))
      ),
      (
        "NORMAL",
        .integer(body.addVectors(single.attribute(document.unitNormals).map(document.viewer)))
      ),
    ]
    // Texture coordinates of images have the same axes as in this package: v points down.
    if let coordinates = single.coordinates {
      attributes.append(("TEXCOORD_0", .integer(body.addPairs(coordinates))))
    }
    if document.texture == nil, let colors = document.mesh.colors {
      attributes.append(("COLOR_0", .integer(body.addColors(single.attribute(colors)))))
    }
    if let sigmas = document.mesh.sigmaMeters {
      let known = single.attribute(sigmas).map { $0.isFinite ? $0 : Self.missingSigma }
      attributes.append(("_SIGMA", .integer(body.addNumbers(known))))
    }
    if let invented = document.mesh.isInvented {
      attributes.append(
        (
          "_INVENTED",
          .integer(body.addNumbers(single.attribute(invented).map { $0 ? 1 : 0 }))
        ))
    }
    if let residuals = document.mesh.residualMeters {
      let known = single.attribute(residuals).map { $0.isFinite ? $0 : Self.missingResidual }
      attributes.append(("_RESIDUAL", .integer(body.addNumbers(known))))
    }
    var primitive: [(key: String, value: JSONValue)] = [
      ("attributes", .object(attributes)), ("indices", .integer(indices)), ("material", 0),
      ("mode", 4),
    ]
    guard !document.morphTargets.isEmpty else {
      return ["name": .string(document.name), "primitives": [.object(primitive)]]
    }
    primitive.append(("targets", targetsJSON(single, &body)))
    return [
      "name": .string(document.name), "primitives": [.object(primitive)],
      "weights": .array(document.morphWeights.map { .number($0) }),
      "extras": ["targetNames": .array(document.morphTargets.map { .string($0.name) })],
    ]
  }

  /// The positions and the normals of each target.
  private func targetsJSON(_ single: SingleIndexMesh, _ body: inout GLBBody) -> JSONValue {
    let normals = MorphNormals(document.mesh)
    let targets = document.morphTargets.map { target -> JSONValue in
      let turned = MorphTarget(name: target.name, deltas: normals.deltas(of: target))
      return .object(
        [("POSITION", target), ("NORMAL", turned)].map {
          name, target -> (key: String, value: JSONValue) in
          let moved = single.movedVertices(
            by: target, sourceVertexCount: document.mesh.vertexCount)
          let accessor = body.addDeltas(
            indices: moved.indices, moved.deltas.map(document.viewer),
            vertexCount: single.vertexCount)
          return (name, .integer(accessor))
        })
    }
    return .array(targets)
  }
}
