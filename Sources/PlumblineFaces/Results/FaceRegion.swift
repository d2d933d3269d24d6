internal import PlumblineModel

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
