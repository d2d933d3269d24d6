public import PlumblineGeometry
import PlumblineModel

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
  package init(
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
    let placement = LandmarkPlacement.placed(
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
  package var landmarkPixels: [SIMD2<Float>] { observation.landmarks?.points ?? [] }

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

/// A part of a face, by which residuals are reported.
public enum FaceRegion: String, Sendable, CaseIterable {
  /// Above the eyebrows.
  case forehead
  /// The eyebrows.
  case eyebrows
  /// The lids and what lies around the eyes.
  case eyes
  /// The nose.
  case nose
  /// Between eyes, nose, mouth and contour.
  case cheeks
  /// The lips.
  case lips
  /// Below the lips.
  case chin
  /// Ears, scalp and neck, where no landmark lies.
  case head
}

extension MorphableModel {
  /// The region of each vertex: that of the nearest landmark on the mean face; O(vertices · landmarks).
  public var regions: [FaceRegion] {
    let known: [(Set<Int>, FaceRegion)] = [
      (Set(LandmarkRegion.rightEye.landmarks + LandmarkRegion.leftEye.landmarks), .eyes),
      (
        Set(LandmarkRegion.rightEyebrow.landmarks + LandmarkRegion.leftEyebrow.landmarks),
        .eyebrows
      ),
      (Set(LandmarkRegion.lips.landmarks), .lips), (Set(LandmarkRegion.nose.landmarks), .nose),
    ]
    func place(_ landmark: Int) -> SIMD3<Float>? {
      anchors[landmark].map { mean[$0.vertices.x].simd }
    }
    let brows = place(105).map(\.y) ?? .infinity
    let lip = place(LandmarkIndex.lowerLip).map(\.y) ?? -.infinity
    var marks: [(SIMD3<Float>, FaceRegion)] = []
    for landmark in anchors.indices {
      guard let point = place(landmark) else { continue }
      let region =
        known.first { $0.0.contains(landmark) }?.1
        ?? (point.y > brows ? .forehead : point.y < lip ? .chin : .cheeks)
      marks.append((point, region))
    }
    let reach = FaceFit.reachMeters
    return mean.map { vertex in
      var nearest = FaceRegion.head
      var least = reach * reach
      for (point, region) in marks {
        let way = vertex.simd - point
        let square = (way * way).sum()
        if square < least {
          least = square
          nearest = region
        }
      }
      return nearest
    }
  }
}

/// The residuals between a face and its depth in one region.
public struct RegionResidual: Sendable, Hashable {
  /// The region.
  public var region: FaceRegion
  /// The share of its vertices that were measured.
  public var measuredShare: Double
  /// The median of absolute distances along the normal, meters; `nil` where nothing was measured.
  public var medianMeters: Double?
  /// The distance below which 95 % are, meters.
  public var p95Meters: Double?
  /// The median of the vertices' ±, meters.
  public var sigmaMeters: Double
}
