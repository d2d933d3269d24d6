package import PlumblineGeometry
package import PlumblineModel

/// One self-contained HTML page with a head to rotate, to animate and to measure on.
///
/// The page works from `file://`, makes no request (its own content security policy forbids all),
/// and depends only on its parts: the same parts give the same bytes.
package struct FacePage: Sendable {
  /// The name of the capture, as plain text of any origin.
  package var title: String
  /// The `plumbline.facepage/1` document, a JSON object whose strings may be of any origin; see
  /// `Documentation/faces-page.md`.
  package var documentJSON: String
  /// The scene that the page draws; `nil` shows only headline, numbers and findings.
  package var scene: HeadScene?

  /// The script's source expression in the content security policy of every face page, such as
  /// `sha256-…`.
  package static var scriptPolicyWord: String {
    PageAssets.policyWord(for: PageAssets.faceScript)
  }

  /// Creates a page from its parts.
  package init(title: String, documentJSON: String, scene: HeadScene?) {
    self.title = title
    self.documentJSON = documentJSON
    self.scene = scene
  }

  /// The page as UTF-8; O(*n*), some 4 MB for a head of 9,000 vertices with 52 shapes.
  package func html() -> [UInt8] {
    let payload = scene.map(HeadPayload.packed)
    let script = PageAssets.faceScript
    return PageTemplate(PageAssets.faceTemplate).filled([
      "title": Escaping.markup(title),
      "style": PageAssets.faceStyle,
      "script": script,
      "policy": Array(PageAssets.policyWord(for: script).utf8),
      "document": Escaping.script(json: documentJSON),
      "head": payload.map { Escaping.script(json: $0.parameters) } ?? [],
      "data": payload.map { Base64.encoded($0.data) } ?? [],
      "texture": Base64.encoded(scene?.textureJPEG ?? []),
      "landmarks": Base64.encoded(scene?.landmarksJPEG ?? []),
      "residual": Base64.encoded(scene?.residualJPEG ?? []),
    ])
  }
}

/// The contents of a face page: a head, its morph targets and its images.
package struct HeadScene: Sendable {
  /// The surface at weights of 0, in the camera's frame, in meters.
  ///
  /// `sigmaMeters` and `residualMeters` give its colors; NaN in the latter means that the vertex
  /// was not measured.
  package var mesh: TriangleMesh
  /// How many vertices and triangles of the mesh are the face, first in their lists; all others were added to it.
  package var face: (vertexCount: Int, triangleCount: Int)
  /// The morph targets of the surface.
  package var targets: [MorphTarget]
  /// The weight of each target in the photo, usually from 0 to 1.
  package var weights: [Float]
  /// The standard deviation of the common scale of all lengths, as a fraction.
  package var scaleSigmaShare: Double
  /// The pose of the head: x to its left, y up, z out of the face; `nil` if unknown, so that the
  /// head is displayed as its camera saw it.
  package var cameraFromHead: RigidTransform?
  /// The image of the mesh's texture layout as a JPEG; `nil` without one.
  package var textureJPEG: [UInt8]?
  /// The photo with landmarks as a JPEG; `nil` without one.
  package var landmarksJPEG: [UInt8]?
  /// The photo with the residual as a JPEG; `nil` without one.
  package var residualJPEG: [UInt8]?

  /// Creates a scene from its parts.
  ///
  /// - Precondition: Each target fits the mesh, there are as many finite weights as targets, and the face is not more
  ///   than the mesh.
  package init(
    mesh: TriangleMesh, face: (vertexCount: Int, triangleCount: Int)? = nil,
    targets: [MorphTarget] = [], weights: [Float] = [],
    scaleSigmaShare: Double, cameraFromHead: RigidTransform? = nil, textureJPEG: [UInt8]? = nil,
    landmarksJPEG: [UInt8]? = nil, residualJPEG: [UInt8]? = nil
  ) {
    precondition(
      targets.allSatisfy { $0.fits(vertexCount: mesh.vertexCount) },
      "a target does not fit \(mesh.vertexCount) vertices")
    precondition(
      weights.count == targets.count && weights.allSatisfy(\.isFinite),
      "\(targets.count) targets need as many finite weights, not \(weights)")
    let face = face ?? (mesh.vertexCount, mesh.triangles.count)
    precondition(
      face.vertexCount <= mesh.vertexCount && face.triangleCount <= mesh.triangles.count,
      "a face of \(face) in a mesh of \(mesh.vertexCount) vertices")
    self.mesh = mesh
    self.face = face
    self.targets = targets
    self.weights = weights
    self.scaleSigmaShare = scaleSigmaShare
    self.cameraFromHead = cameraFromHead
    self.textureJPEG = textureJPEG
    self.landmarksJPEG = landmarksJPEG
    self.residualJPEG = residualJPEG
  }
}
