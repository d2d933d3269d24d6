internal import PlumblineGeometry
public import PlumblineModel
import PlumblineNumerics

/// A fitted face whose surface was moved onto what was measured.
public struct RefinedFace: Sendable {
  /// The fit that it stands on.
  public let fit: FaceFit
  /// The vertices in the camera's frame, meters.
  public let positions: [PackedPoint]
  /// How far each vertex was moved along its normal, meters; 0 far from any measurement.
  public let displacementMeters: [Float]
  /// One standard deviation of each vertex along its normal, meters: noise, the model's spread where
  /// nothing was measured, not the common scale.
  public let sigmaMeters: [Float]
  /// What is left between the surface and the depth, along the normal, meters; positive where the surface
  /// lies before what was measured; NaN where nothing was.
  public let residualMeters: [Float]
  /// The absolute distances of all pixels of the face that were used, meters, rising.
  public let pixelResidualMeters: [Float]
  /// The share of the face's pixels in the depth map whose depth was used.
  public let measuredShare: Double
  /// One standard deviation of the head's difference from the model, meters, found on this face.
  public let detailSigmaMeters: Double
}

/// Refines a fitted face by depth.
package struct FaceRefiner: Sendable {
  /// The fitter's model and vertices.
  package let fitter: FaceFitter
  /// How far a difference from the model reaches: its correlation falls to 0.14 there, meters.
  package var rangeMeters = 0.014
  /// A distance beyond which a pixel sees something else, meters.
  package var gateMeters: Float = 0.008
  /// What no mean over pixels takes away, meters: rounding of the association and of the mesh.
  package var floorSigmaMeters: Float = 0.00005
  /// The least and the maximum spread that ``RefinedFace/detailSigmaMeters`` may be found as.
  package var detailLimitsMeters = 0.0002...0.003
  /// The spread of people around the model that noise of this size or more leaves unknown, meters.
  ///
  /// Where the sensor's noise is above the spread of the residuals, their difference says nothing; people still
  /// differ from the model. Half of it is used where the noise hides it.
  package var peopleDetailMeters = 0.0008

  /// Prepares a refiner.
  package init(_ fitter: FaceFitter) { self.fitter = fitter }

  /// Refines one fit by the depth of its image.
  ///
  /// - Complexity: O(pixels + steps · vertices): some 0.3 s.
  package func refined(_ fit: FaceFit, by surface: MeasuredSurface) -> RefinedFace {
    let model = fitter.model
    let base = PlacedFace(model, fit.state)
    var seen = residuals(base, surface)
    let detail = detailSigma(seen)
    let prior = SurfacePrior.field(
      on: base.inHead, model, sigmaMeters: detail, rangeMeters: rangeMeters)
    var displacement = [Float](repeating: 0, count: model.vertexCount)
    var sigmas: [Float] = []
    var face = base
    // The errors of neighbors are alike in a filtered map: what the vertices of half a range, which the field hardly
    // bends in, know together counts. Over a whole range it would give up detail that is there (FaceRefinerTests).
    let shared = surface.pixelsPerSample(
      smoothedOver: rangeMeters / 2, atDepth: fit.state.cameraFromHead.translation.z)
    for round in 0..<2 {
      let isLast = round == 1
      var weights = [Float](repeating: 0, count: model.vertexCount)
      var targets = weights
      for vertex in weights.indices where seen.sigmas[vertex] < .infinity {
        let sigma = seen.sigmaMeters(of: vertex, counting: shared, as: surface.pixelsPerSample)
        weights[vertex] = 1 / (sigma * sigma + floorSigmaMeters * floorSigmaMeters)
        targets[vertex] = displacement[vertex] - seen.meters[vertex]
      }
      if isLast { rejectOutliers(&weights, seen) }
      let solution = SurfaceDisplacement.mostLikely(
        under: prior, model, targets: targets, weights: weights, seed: 1,
        laneCount: isLast ? SurfaceDisplacement.laneCount : 8)
      displacement = solution.meters
      sigmas = solution.sigmas
      face = base.displaced(by: displacement, model)
      if !isLast { seen = residuals(face, surface) }
    }
    let left = residuals(face, surface, collects: true)
    return RefinedFace(
      fit: fit, positions: face.inCamera, displacementMeters: displacement,
      sigmaMeters: sigmasWithModel(sigmas, detail: detail, face: base, fit: fit),
      residualMeters: left.meters, pixelResidualMeters: left.pixelMeters.sorted(),
      measuredShare: left.seenCount > 0 ? Double(left.usedCount) / Double(left.seenCount) : 0,
      detailSigmaMeters: detail)
  }

  private func residuals(
    _ face: PlacedFace, _ surface: MeasuredSurface, collects: Bool = false
  ) -> SurfaceResiduals {
    SurfaceResiduals.compared(
      face, fitter.model, to: surface, among: fitter.compared, gateMeters: gateMeters,
      collects: collects)
  }

  /// The spread of the head around the model: that of the residuals, less the noise's.
  ///
  /// Noise that is larger hides it; then it is at least half of the noise, up to half of
  /// ``peopleDetailMeters``.
  ///
  /// - Source: 1.4826 times the median of absolute values is the standard deviation of normal numbers.
  private func detailSigma(_ seen: SurfaceResiduals) -> Double {
    var distances: [Double] = []
    var variances: [Double] = []
    for vertex in seen.meters.indices where seen.sigmas[vertex] < .infinity {
      distances.append(abs(Double(seen.meters[vertex])))
      variances.append(Double(seen.sigmas[vertex] * seen.sigmas[vertex]))
    }
    guard let distance = distances.upperMedian,
      let noise = variances.upperMedian
    else { return detailLimitsMeters.upperBound }
    let spread = 1.4826 * distance
    let variance = max(0, spread * spread - noise)
    let hidden = min(noise.squareRoot(), peopleDetailMeters) / 2
    return min(
      detailLimitsMeters.upperBound,
      max(detailLimitsMeters.lowerBound, hidden, variance.squareRoot()))
  }

  /// Leaves out vertices that what lies around them contradicts: hair, glasses, wrong pixels.
  private func rejectOutliers(_ weights: inout [Float], _ left: SurfaceResiduals) {
    for vertex in weights.indices where weights[vertex] > 0 {
      let sigma = left.sigmas[vertex]
      let limit = 4 * (sigma * sigma + 0.0003 * 0.0003).squareRoot()
      if abs(left.meters[vertex]) > limit { weights[vertex] = 0 }
    }
  }

  /// The ± of the field, and beside it the fit's own where nothing was measured.
  ///
  /// Where the field's variance is still that of the prior, all that is known of a vertex is the fit.
  func sigmasWithModel(
    _ sigmas: [Float], detail: Double, face: PlacedFace, fit: FaceFit
  ) -> [Float] {
    guard let inverse = fit.information.cholesky?.inverseRows else { return sigmas }
    let model = fitter.model
    let origin = SIMD3<Float>(fit.state.cameraFromHead.translation)
    // At a rim the prior is wider than inside, and a vertex of no triangle has none: twice the spread at most.
    let maximum = Float(2 * detail * detail)
    return sigmas.indices.map { vertex in
      let variance = min(maximum, sigmas[vertex] * sigmas[vertex])
      let open = min(1, variance / Float(detail * detail))
      guard open > 0.1 else { return variance.squareRoot() }
      let row = model.derivative(
        ofVertex: vertex, along: face.normals[vertex], arm: face.inCamera[vertex].simd - origin,
        face, length: inverse.stride)
      return (variance + open * Float(inverse.variance(of: row))).squareRoot()
    }
  }
}

extension PlacedFace {
  /// The face with each vertex moved along its normal.
  func displaced(by meters: [Float], _ model: MorphableModel) -> PlacedFace {
    var moved = inHead
    for vertex in moved.indices where meters[vertex] != 0 {
      let way = turned(normals[vertex]) * meters[vertex]
      moved[vertex].x += way.x
      moved[vertex].y += way.y
      moved[vertex].z += way.z
    }
    return PlacedFace(model, state, inHead: moved)
  }
}

extension MorphableModel {
  /// How a vertex moves along a direction of the camera's frame by each unknown of a fit, filled by 0 up to
  /// a length.
  func derivative(
    ofVertex vertex: Int, along direction: SIMD3<Float>, arm: SIMD3<Float>, _ face: PlacedFace,
    length: Int
  ) -> [Float] {
    let moment = cross(arm, direction)
    let turned = face.turned(direction)
    var row = [Float](repeating: 0, count: length)
    for axis in 0..<3 {
      row[axis] = moment[axis]
      row[3 + axis] = direction[axis]
    }
    let start = 3 * vertex * stride
    for k in 0..<modeCount {
      row[6 + k] =
        turned.x * basis[start + k] + turned.y * basis[start + stride + k]
        + turned.z * basis[start + 2 * stride + k]
    }
    return row
  }
}
