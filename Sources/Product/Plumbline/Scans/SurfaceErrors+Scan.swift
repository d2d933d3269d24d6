import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineVerification

extension SurfaceErrors {
  /// What the vertices of a fused surface share.
  ///
  /// - **Along normals**: the error that neighbors and successive frames share, divided by the root of the
  ///   number of views, as root mean square of the vertices.
  /// - **Of place**: half of the variance by which the place of the last view wandered from that of the
  ///   first, less where loops closed the path; see ``wandering(of:closedBy:depthMeters:)``. Two places farther apart than a view then differ by all of
  ///   it, nearer ones by less.
  /// - **Near** is the side of a square of the area that one view sees: slow errors of depth and the pose are
  ///   common to what is seen at once.
  /// - **Scale**: where poses were refined they follow the depths, so an error of the scale of depths is one
  ///   of all lengths. At recorded poses it moves surfaces along their rays instead, and lengths keep the
  ///   scale of the poses: then its size at the depth of a view is added along the normals, and no share is
  ///   left.
  ///
  /// - Parameters:
  ///   - errors: Those of the vertices as fused.
  ///   - frames: The frames of the surface, as they were tracked.
  ///   - loops: The loops that corrected their poses.
  ///   - extent: What one of them sees.
  ///   - depthScale: One standard deviation of the scale of all depths, as a share.
  ///   - isRefined: Whether the poses were refined.
  /// - Returns: The law by which `measure` counts. Cost: O(*n*).
  static func shared(
    by errors: VertexErrors, frames: [TrackedFrame], loops: [LoopClosure.Loop] = [],
    extent: FrameExtent, depthScale: Double, isRefined: Bool
  ) -> SurfaceErrors {
    let moved = isRefined ? 0 : depthScale * extent.depthMeters
    let place = wandering(of: frames, closedBy: loops, depthMeters: extent.depthMeters)
    return SurfaceErrors(
      alongNormalMeters: (errors.sharedSquare(isDivided: true) + moved * moved).squareRoot(),
      ofPlaceMeters: (place / 2).squareRoot(),
      nearMeters: extent.sideMeters, lengthShare: isRefined ? depthScale : 0)
  }

  /// The variance by which two places of a path differ in the mean, one coordinate in m², where loops closed it.
  ///
  /// A random path that is held at both ends differs at the shares *s* and *t* of its way by
  /// V·|s − t|·(1 − |s − t|), a sixth of V in the mean of all pairs. V is that of the path as tracked, or what the
  /// longest loop had found it off by if that is more: errors that successive poses have in common show there. What
  /// lies before the first loop and behind the last one is held at one end.
  ///
  /// - Source: the covariance of a Brownian bridge.
  static func wandering(
    of frames: [TrackedFrame], closedBy loops: [LoopClosure.Loop], depthMeters: Double
  ) -> Double {
    guard let first = loops.map({ min($0.first, $0.second) }).min(),
      let last = loops.map({ max($0.first, $0.second) }).max()
    else { return wandering(of: frames, depthMeters: depthMeters) }
    let inside = frames.filter { (first...last).contains($0.index) }
    let held = wandering(of: inside, depthMeters: depthMeters)
    let longest = loops.filter { $0.trackedMeters != nil }.max { $0.pathMeters < $1.pathMeters }
    let found = longest?.trackedMeters ?? 0
    return wandering(of: frames, depthMeters: depthMeters) - held + max(held, found * found / 3) / 6
  }

  /// The variance of one coordinate of the last view's surface relative to the first one's, in m².
  ///
  /// A frame that was registered adds the error of its pose as far as it sees new surface (1 − overlap): old
  /// surface holds it in place. One that lies where its recorded motion says adds the error of that motion.
  /// Errors that successive poses have in common, as those that depths share, are not in it.
  static func wandering(of frames: [TrackedFrame], depthMeters: Double) -> Double {
    var sum = 0.0
    var previous: TrackedFrame?
    for frame in frames where frame.isFused {
      defer { previous = frame }
      switch frame.state {
      case .started, .lost, .skipped: continue
      case .tracked, .relocalized:
        guard let estimate = frame.estimate else { continue }
        let new = max(0, 1 - (frame.quality?.overlap ?? 0))
        sum += new * estimate.variance(atDepth: depthMeters)
      case .followed:
        guard let from = previous?.recordedWorldFromCamera, let to = frame.recordedWorldFromCamera
        else { continue }
        sum +=
          PosePrior.recordedMotion(from: from, previous: from, current: to).estimate
          .variance(atDepth: depthMeters)
      }
    }
    return sum
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

extension PoseEstimate {
  /// The mean variance of a coordinate of a point that far from the camera, in m²: that of the translation,
  /// and of the rotation across the line to the point.
  fileprivate func variance(atDepth depth: Double) -> Double {
    var (turn, shift) = (0.0, 0.0)
    for axis in 0..<3 {
      turn += covariance[axis, axis]
      shift += covariance[axis + 3, axis + 3]
    }
    return shift / 3 + depth * depth * turn * 2 / 9
  }
}
