import PlumblineFaces
import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport

/// What one simulated head gave: distances to its true surface, in meters, where skin is seen.
struct HeadRow {
  /// By landmarks alone, as they lie.
  let alone: [Float]
  /// By landmarks alone, moved and turned onto the truth: the shape's own error.
  let aloneAligned: [Float]
  /// With depth, the model alone.
  let fitted: [Float]
  /// With depth, refined.
  let refined: [Float]
  /// How many refined vertices lie within their ±.
  let coveredCount: Int
  /// By landmarks alone: how much too large the head is, over the ± of that.
  let scaleError: Double
  let scaleSigma: Double
  /// Milliseconds by landmarks alone, with depth, and of the refinement.
  let times: (alone: Double, fit: Double, refinement: Double)

  init(seed: UInt64, _ refiner: FaceRefiner, settings: SimulatedHead.Settings) throws {
    let fitter = refiner.fitter
    let model = fitter.model
    let head = SimulatedHead(model, seed: seed, settings: settings)
    let plain = FaceObservation(landmarks: head.landmarks, camera: head.camera)
    var whole = plain
    let surface = head.measured
    whole.depth = surface
    var clock = ContinuousClock.now
    func lap() -> Double {
      let now = ContinuousClock.now
      defer { clock = now }
      return (now - clock) / .milliseconds(1)
    }
    let lone = try fitter.fit(plain)
    let aloneTime = lap()
    let fit = try fitter.fit(whole)
    let fitTime = lap()
    let refined = refiner.refined(fit, by: surface)
    times = (aloneTime, fitTime, lap())

    let skin = fitter.comparedVertices
    func errors(_ positions: [PackedPoint]) -> [Float] {
      head.errors(of: positions, among: skin).filter { !$0.isNaN }.map(abs)
    }
    let lonePositions = lone.positions(in: model)
    alone = errors(lonePositions)
    aloneAligned = errors(Self.aligned(lonePositions, to: head.truth.positions, among: skin))
    fitted = errors(fit.positions(in: model))
    let signed = head.errors(of: refined.positions, among: skin)
    self.refined = signed.filter { !$0.isNaN }.map(abs)
    coveredCount = signed.indices.count {
      !signed[$0].isNaN && abs(signed[$0]) <= refined.sigmaMeters[$0]
    }
    scaleError = Self.size(lone, model) / Self.size(head, model) - 1
    scaleSigma = lone.sizeSigmaShare(in: model)
  }

  /// The size of a head: the root mean square distance of its landmarks from their center, meters.
  private static func size(_ fit: FaceFit, _ model: MorphableModel) -> Double {
    size(model.positions(of: fit.state.shape), model)
  }

  private static func size(_ head: SimulatedHead, _ model: MorphableModel) -> Double {
    size(model.positions(of: head.shape), model)
  }

  private static func size(_ positions: [PackedPoint], _ model: MorphableModel) -> Double {
    let points = model.anchors.compactMap { $0.map { positions[$0.vertices.x].vector } }
    let center = points.reduce(.zero, +) / Double(points.count)
    let sum = points.reduce(0) { $0 + (($1 - center) * ($1 - center)).sum() }
    return (sum / Double(points.count)).squareRoot()
  }

  /// Points moved and turned onto others by all that count.
  private static func aligned(
    _ points: [PackedPoint], to truth: [PackedPoint], among chosen: [Bool]
  ) -> [PackedPoint] {
    let indices = chosen.indices.filter { chosen[$0] }
    let count = Double(indices.count)
    let from = indices.reduce(SIMD3<Double>.zero) { $0 + points[$1].vector } / count
    let to = indices.reduce(SIMD3<Double>.zero) { $0 + truth[$1].vector } / count
    guard
      let rotation = PoseStart.bestRotation(
        from: indices.map { points[$0].vector - from }, to: indices.map { truth[$0].vector - to })
    else { return points }
    return points.map { point in
      let moved = rotation * (point.vector - from) + to
      return PackedPoint(x: Float(moved.x), y: Float(moved.y), z: Float(moved.z))
    }
  }
}
