import PlumblineReconstruction
import PlumblineVerification

extension SurfaceErrors {
  /// What the vertices of a fused surface share.
  ///
  /// - **Along normals**: the error that neighbors and successive frames share, divided by the root of the
  ///   number of views, as root mean square of the vertices.
  /// - **Of place**: the variance of a coordinate of what a view sees, relative to the first view, in the mean of
  ///   the views: see ``PlaceDrift``. Two places farther apart than a view then differ by twice that, nearer
  ///   ones by less.
  /// - **Near** is the side of a square of the area that one view sees: slow errors of depth and the pose are
  ///   common to what is seen at once.
  /// - **Scale**: where poses were refined they follow the depths, so an error of the scale of depths is one
  ///   of all lengths. At recorded poses it moves surfaces along their rays instead, and lengths keep the
  ///   scale of the poses: then its size at the depth of a view is added along the normals, and no share is
  ///   left. There overlapping frames measure both it and the drift of the poses: see ``RecordedPath``.
  ///
  /// - Parameters:
  ///   - errors: Those of the vertices as fused.
  ///   - drift: How far the places of its views are uncertain, as a variance in m².
  ///   - extent: What one of them sees.
  ///   - depthScale: One standard deviation of the scale of all depths, as a share.
  ///   - recorded: What overlapping frames say of the recorded poses; `nil` where poses were refined.
  /// - Returns: The law by which `measure` counts. Cost: O(*n*).
  static func shared(
    by errors: VertexErrors, drift: Double,
    extent: FrameExtent, depthScale: Double, recorded: RecordedPath?
  ) -> SurfaceErrors {
    let moved = (recorded?.depthScale(within: depthScale) ?? 0) * extent.depthMeters
    // Of a random path the mean variance is half of that of its end.
    let place = min(drift, recorded?.largestVariance.map { $0 / 2 } ?? .infinity)
    return SurfaceErrors(
      alongNormalMeters: (errors.sharedSquare(isDivided: true) + moved * moved).squareRoot(),
      ofPlaceMeters: place.squareRoot(),
      nearMeters: extent.sideMeters, lengthShare: recorded == nil ? depthScale : 0)
  }
}

extension VertexErrors {
  /// One standard deviation of each vertex along its normal, of all causes but the scale of lengths, in
  /// meters.
  ///
  /// A vertex for which no view was counted has the shared error of one view.
  func sigmaMeters(with shared: SurfaceErrors) -> [Float] {
    let more = commonVariance(with: shared)
    let oneView = sharedSquare(isDivided: false)
    return noiseMeters.indices.map { vertex in
      let (noise, own) = (Double(noiseMeters[vertex]), Double(sharedMeters[vertex]))
      let slow = own.isFinite ? own * own / Double(max(1, views[vertex])) : oneView
      return Float((noise * noise + slow + more).squareRoot())
    }
  }

  /// What of the law is not in the vertices' own parts, and so in the ± of all alike: the place of the views, and
  /// at recorded poses the scale of depths; in m².
  func commonVariance(with shared: SurfaceErrors) -> Double {
    let (normal, place) = (shared.alongNormalMeters, shared.ofPlaceMeters)
    return max(0, normal * normal + place * place - sharedSquare(isDivided: true))
  }

  /// The mean square of the error that views share, divided by their number or of one view, in m²; 0 without
  /// any.
  fileprivate func sharedSquare(isDivided: Bool) -> Double {
    var (squares, count) = (0.0, 0)
    for (shared, views) in zip(sharedMeters, views) where shared.isFinite {
      squares += Double(shared * shared) / Double(isDivided ? max(1, views) : 1)
      count += 1
    }
    return count > 0 ? squares / Double(count) : 0
  }
}
