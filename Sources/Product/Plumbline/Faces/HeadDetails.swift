package import PlumblineFaces
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineNumerics

/// What is said of a head beside its lengths: what was added to the face, and what was done to its colors.
package struct HeadDetails: Sendable {
  /// Where the photo shows the face and its skin.
  let evidence: SkinEvidence
  /// The light that was taken away; `nil` where it was kept, or where too little skin shows it.
  package let light: FaceLight?
  /// Whether the light was to be kept.
  let keepsLight: Bool
  /// The head as it looks in the photo.
  let head: CompletedHead
  /// Whether the mesh encloses a volume.
  package let isClosed: Bool
  /// The names of ARKit's shapes that the model has, and of those that it lacks.
  package let shapeNames: (present: [String], missing: [String])

  /// Assesses a face of a photo; some 50 ms.
  package init(_ face: FaceResult, of photo: PhotoFaces) {
    let model = photo.models.fitter.model
    let evidence = SkinEvidence.found(
      face, model: model, photo: photo.image, mattes: photo.mattes)
    self.evidence = evidence
    keepsLight = photo.keepsLight
    light =
      photo.keepsLight
      ? nil : face.mesh.normals.flatMap { FaceLight.fitted(toSkin: evidence.skin, normals: $0) }
    let pose = face.fit.state.cameraFromHead
    let shape = face.fit.state.shape
    let ahead = CompletedHead.completing(
      face.mesh, model: model, cameraFromHead: pose, shape: shape)
    func gaze(isLeft: Bool) -> SIMD3<Double>? {
      ahead.eyes.first { $0.isLeft == isLeft }?.gaze(face.observation)
    }
    head = CompletedHead.completing(
      face.mesh, model: model, cameraFromHead: pose, shape: shape,
      gazes: (gaze(isLeft: true), gaze(isLeft: false)))
    isClosed = head.mesh.topology.isWatertight
    shapeNames = ARKitShapes.names(in: model)
  }

  /// What the head has not, in words.
  package var absentParts: [String] {
    let kinds = Set(head.parts.map(\.kind))
    let mouth = kinds.contains(.teeth) ? [] : ["teeth"]
    return mouth + (kinds.contains(.gumsAndTongue) ? [] : ["gums", "tongue"]) + ["hair", "lashes"]
  }

  /// The part of `plumbline.face/1` about the mesh.
  var headDocument: JSONValue {
    .object([
      ("faceVertices", .integer(head.faceVertexCount)),
      ("vertices", .integer(head.mesh.vertexCount)), ("closed", .bool(isClosed)),
      (
        "added",
        .array(
          head.parts.map { part in
            .object([
              ("part", .string(part.kind.rawValue)), ("firstVertex", .integer(part.firstVertex)),
              ("vertices", .integer(part.vertexCount)), ("source", .string(part.source.rawValue)),
              ("plusMinusMillimeters", .number(plusMinus(part))),
            ])
          })
      ),
      ("absent", .array(absentParts.map { .string($0) })),
      ("shapes", .array(shapeNames.present.map { .string($0) })),
      ("missingShapes", .array(shapeNames.missing.map { .string($0) })),
    ])
  }

  /// The part of `plumbline.face/1` about the texture.
  var textureDocument: JSONValue {
    let limits = FaceLight.limits
    return .object([
      (
        "light",
        .object([
          ("removed", .bool(light != nil)),
          (
            "reason",
            light != nil
              ? .null : .string(keepsLight ? "kept as requested" : "too little skin shows it")
          ),
          ("brightestToDarkest", .number(light?.ratio)),
          ("explainedPercent", .number(light.map { 100 * $0.explainedShare })),
          ("skinVertices", .integer(light?.vertexCount ?? 0)),
          ("limits", .numbers([Double(limits.lowerBound), Double(limits.upperBound)])),
        ])
      )
    ])
  }

  /// The median ± of a part's vertices, millimeters.
  private func plusMinus(_ part: CompletedHead.Part) -> Double? {
    guard let sigmas = head.mesh.sigmaMeters else { return nil }
    let own = sigmas[part.firstVertex..<part.firstVertex + part.vertexCount].sorted()
    return own.isEmpty ? nil : 1000 * Double(own[own.count / 2])
  }

  /// The light and the mesh in a few words, a line each.
  package var lines: [(name: String, text: String)] {
    var lines: [(name: String, text: String)] = []
    if let light {
      let share = Int((100 * light.explainedShare).rounded())
      lines.append(
        (
          "light of the photo",
          "taken away where skin shows it: \(light.ratio.fixed(2)) : 1, \(share) % of its differences"
        ))
    } else {
      lines.append(
        ("light of the photo", keepsLight ? "kept" : "kept, since too little skin shows it"))
    }
    let counts = [
      (CompletedHead.Part.Source.model, "of the model"), (.proportions, "by people's proportions"),
    ]
    .compactMap { source, words in
      let count = head.parts.filter { $0.source == source }.reduce(0) { $0 + $1.vertexCount }
      return count > 0 ? "\(count) vertices \(words)" : nil
    }
    let absent = absentParts.prefix(3)
    lines.append(
      (
        "added, not measured",
        counts.joined(separator: ", ") + ": back of the head, eyes, openings; "
          + (isClosed ? "closed" : "not closed")
          + (absent.isEmpty ? "" : "; no " + absent.joined(separator: ", "))
      ))
    return lines
  }
}
