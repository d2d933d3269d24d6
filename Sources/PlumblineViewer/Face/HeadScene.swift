public import PlumblineGeometry
public import PlumblineModel

/// What the page of a face draws: a head, how it can change, and its images.
public struct HeadScene: Sendable {
  /// The surface at weights of 0, in the camera's frame, meters.
  ///
  /// `sigmaMeters` and `residualMeters` are what is painted; NaN in the latter means that the vertex was
  /// not measured.
  public var mesh: TriangleMesh
  /// The morph targets of the surface.
  public var targets: [MorphTarget]
  /// How much of each target the photo shows, usually from 0 to 1.
  public var weights: [Float]
  /// One standard deviation of all lengths together, as a share of them.
  public var scaleSigmaShare: Double
  /// Where the head is: x to its left, y up, z out of the face; `nil` where that is not known, and the
  /// head is seen as its camera sees it.
  public var cameraFromHead: RigidTransform?
  /// The image of the mesh's texture layout as a JPEG; `nil` without one.
  public var textureJPEG: [UInt8]?
  /// The photo with landmarks as a JPEG; `nil` without one.
  public var landmarksJPEG: [UInt8]?
  /// The photo with the residual as a JPEG; `nil` without one.
  public var residualJPEG: [UInt8]?

  /// Creates a scene from its parts.
  ///
  /// - Precondition: Each target fits the mesh, and there are as many finite weights as targets.
  public init(
    mesh: TriangleMesh, targets: [MorphTarget] = [], weights: [Float] = [],
    scaleSigmaShare: Double, cameraFromHead: RigidTransform? = nil, textureJPEG: [UInt8]? = nil,
    landmarksJPEG: [UInt8]? = nil, residualJPEG: [UInt8]? = nil
  ) {
    precondition(
      targets.allSatisfy { $0.fits(vertexCount: mesh.vertexCount) },
      "a target does not fit \(mesh.vertexCount) vertices")
    precondition(
      weights.count == targets.count && weights.allSatisfy(\.isFinite),
      "\(targets.count) targets need as many finite weights, not \(weights)")
    self.mesh = mesh
    self.targets = targets
    self.weights = weights
    self.scaleSigmaShare = scaleSigmaShare
    self.cameraFromHead = cameraFromHead
    self.textureJPEG = textureJPEG
    self.landmarksJPEG = landmarksJPEG
    self.residualJPEG = residualJPEG
  }
}
