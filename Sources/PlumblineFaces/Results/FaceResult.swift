public import PlumblineGeometry
internal import PlumblineModel

/// One face of an image, as a mesh in meters with the ± of what is known of it.
public struct FaceResult: Sendable {
  /// The landmarks it was fitted to.
  public let observation: FaceObservation
  /// The fit.
  public let fit: FaceFit
  /// The fit moved onto the depth; `nil` without metric depth.
  public let refined: RefinedFace?
  /// Whether its lengths were measured.
  public let scale: FaceScale
  /// The surface in the camera's frame, meters, with ± and residuals.
  public let mesh: TriangleMesh
  /// The landmarks in space.
  public let landmarks: [LandmarkPoint]
  /// Lengths with their ±.
  public let measurements: [FaceMeasurement]
  /// What is left between surface and depth, region by region; empty without depth.
  public let regions: [RegionResidual]

  /// Assesses a fit.
  ///
  /// - Parameters:
  ///   - observation: Landmarks, camera and depth.
  ///   - fit: The fit.
  ///   - refined: The fit moved onto the depth, where there is any.
  ///   - model: The model of the fit.
  ///   - scaleSigmaShare: With depth, one standard deviation of lengths that the camera's calibration
  ///     and the sensor's scale leave open, as a share.
  ///   - isCameraKnown: Whether the camera is a calibration and not a guess.
  public init(
    _ observation: FaceObservation, _ fit: FaceFit, refined: RefinedFace?, model: MorphableModel,
    scaleSigmaShare: Double, isCameraKnown: Bool
  ) {
    self.observation = observation
    self.fit = fit
    self.refined = refined
    let positions = refined?.positions ?? fit.positions(in: model)
    let sigmas = refined?.sigmaMeters ?? fit.shapeSigmas(in: model)
    if refined != nil {
      scale = FaceScale(source: .measured, sigmaShare: scaleSigmaShare)
    } else {
      scale = FaceScale(
        source: isCameraKnown ? .assumed : .unknown, sigmaShare: fit.sizeSigmaShare(in: model))
    }
    var mesh = model.surface
    mesh.positions = positions
    mesh.normals = mesh.areaWeightedNormals
    mesh.sigmaMeters = sigmas
    mesh.residualMeters = refined?.residualMeters
    self.mesh = mesh
    let isMeasured = refined?.residualMeters.map { !$0.isNaN } ?? positions.map { _ in false }
    let placement = LandmarkPlacement(
      observation, model, positions: positions, sigmas: sigmas, isMeasured: isMeasured)
    landmarks = placement.points
    let scale = scale
    measurements =
      landmarks.isEmpty
      ? [] : FaceMeasurement.Kind.allCases.map { placement.measurement($0, scale: scale) }
    regions =
      refined.map { refined in
        Self.residuals(refined, regions: model.regions)
      } ?? []
  }

  /// The landmarks that were seen, in pixels of the image; none where the face was followed by depth
  /// alone.
  public var landmarkPixels: [SIMD2<Float>] { observation.landmarks?.points ?? [] }

  private static func residuals(
    _ refined: RefinedFace, regions: [FaceRegion]
  ) -> [RegionResidual] {
    FaceRegion.allCases.compactMap { region in
      let vertices = regions.indices.filter { regions[$0] == region }
      guard !vertices.isEmpty else { return nil }
      let distances = vertices.map { Double(abs(refined.residualMeters[$0])) }
        .filter { !$0.isNaN }.sorted()
      let sigmas = vertices.map { Double(refined.sigmaMeters[$0]) }.sorted()
      func quantile(_ values: [Double], _ share: Double) -> Double? {
        values.isEmpty ? nil : values[min(values.count - 1, Int(share * Double(values.count)))]
      }
      return RegionResidual(
        region: region, measuredShare: Double(distances.count) / Double(vertices.count),
        medianMeters: quantile(distances, 0.5), p95Meters: quantile(distances, 0.95),
        sigmaMeters: quantile(sigmas, 0.5) ?? .nan)
    }
  }
}
