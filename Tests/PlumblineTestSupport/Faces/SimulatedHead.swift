package import PlumblineFaces
package import PlumblineGeometry
package import PlumblineModel
import PlumblineSimulation

/// A head whose every point is known, as a TrueDepth camera and a landmark network see it.
///
/// The head is one of the model's, with detail that no mode has, before a wall.
package struct SimulatedHead: Sendable {
  /// The model it is made of.
  package let model: MorphableModel
  /// Its coefficients.
  package let shape: FaceShape
  /// The pose of the head.
  package let cameraFromHead: RigidTransform
  /// Its true vertices, in the camera's frame, meters.
  package let truth: TriangleMesh
  /// The camera, of the depth map and of the image that landmarks lie in.
  package let camera: CameraCalibration
  /// The sensor's depth map, meters.
  package let depth: DepthMap
  /// The landmarks, in pixels of the camera.
  package let landmarks: FaceLandmarks

  /// What is put into a head; each effect can be switched off by 0.
  package struct Settings: Sendable {
    /// The standard deviation of the detail that no mode has, meters.
    package var detailMeters = 0.0006
    /// The reach of one bump of it, meters: one standard deviation of a Gaussian.
    package var detailReachMeters = 0.005...0.010
    /// The standard deviation of disparity, 1/m: ``SimulatedTrueDepthSensor/disparitySigma``.
    package var disparitySigma = 0.002
    /// How far errors of disparity are alike, pixels of this head's map: one standard deviation of a Gaussian; 0 for
    /// pixels that err by themselves.
    package var noiseReachPixels = 0.0
    /// The step of stored disparity, 1/m; 0 for maps of floating point.
    package var disparityStep = 0.0
    /// The standard deviation of landmarks, meters on the skin, of errors that neighbors share.
    package var landmarkMeters = 0.0015
    /// The same of errors that each landmark has for itself, pixels.
    package var landmarkPixels = 0.3
    /// The distances of the heads, meters.
    package var distance = 0.3...0.5
    /// The maximum turn to a side, radians.
    package var yaw = 0.45
    /// The maximum nod and tilt, radians.
    package var tilt = 0.25
    /// The spread of identities: 1 as the model says.
    package var identitySigma = 1.0
    /// The maximum share of an expression.
    package var expression = 0.6
    /// How many expressions are shown, as a share of all.
    package var expressionShare = 0.12
    /// How many pixels of the camera of 480 × 640 stand for one of this head's, in each direction: laws of
    /// few pixels are tested sooner.
    package var pixelStep = 1

    /// Settings of a phone held before a face.
    package init() {}
  }

  /// Makes the head of a seed; equal seeds give equal heads.
  ///
  /// - Parameters:
  ///   - model: What the head is made of.
  ///   - seed: Of all that is drawn.
  ///   - settings: How far the head and what is seen of it err.
  ///   - given: The coefficients, where they are not to be drawn: one head in several images. Detail is
  ///     of the seed.
  ///   - yaw: The turn to a side, radians, where it is not to be drawn.
  package init(
    _ model: MorphableModel, seed: UInt64, settings: Settings = Settings(),
    shape given: FaceShape? = nil, yaw: Double? = nil
  ) {
    var generator = SeededGenerator(seed: seed)
    var shape = FaceShape(restingIn: model)
    for k in shape.identity.indices {
      shape.identity[k] = Float(
        settings.identitySigma * min(2.5, max(-2.5, generator.gaussian())))
    }
    for k in shape.expression.indices {
      let (isShown, share) = (generator.uniform() < settings.expressionShare, generator.uniform())
      if isShown { shape.expression[k] = Float(settings.expression * share) }
    }
    if let given { shape = given }
    func within(_ limit: Double) -> Double { limit * (2 * generator.uniform() - 1) }
    let drawnTurn = within(settings.yaw)
    let turn = yaw ?? drawnTurn
    let nod = within(settings.tilt)
    let roll = within(settings.tilt)
    let range = settings.distance
    let distance =
      range.lowerBound + (range.upperBound - range.lowerBound) * generator.uniform()
    let facing = Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1])
    let rotation =
      (Rotation(axisAngle: [0, 0, roll]) ?? .identity)
      * (Rotation(axisAngle: [nod, 0, 0]) ?? .identity)
      * (Rotation(axisAngle: [0, turn, 0]) ?? .identity) * facing
    let center = rotation * SIMD3(0, 0, 0.1)
    let cameraFromHead = RigidTransform(
      rotation: rotation,
      translation: SIMD3(within(0.02), within(0.02), distance) - center)
    let step = settings.pixelStep
    let size = RasterSize(width: 480 / step, height: 640 / step)
    let camera = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(564, 564) / Double(step),
        principalPoint: SIMD2(240.1, 320.1) / Double(step) - 0.5, size: size))

    var truth = model.surface
    truth.positions = Self.detailed(
      model, model.positions(of: shape), settings: settings, &generator
    ).map { point in
      let placed = cameraFromHead * point
      return PackedPoint(x: Float(placed.x), y: Float(placed.y), z: Float(placed.z))
    }
    let drawing = MeshRasterization(truth, camera: camera.intrinsics)
    depth = Self.sensed(drawing.depthMeters, settings: settings, &generator)
    landmarks = Self.seen(
      model, truth, camera.intrinsics, distance: distance, settings: settings, &generator)
    self.model = model
    self.shape = shape
    self.cameraFromHead = cameraFromHead
    self.truth = truth
    self.camera = camera
  }

  /// The head's vertices with bumps along their normals.
  private static func detailed(
    _ model: MorphableModel, _ positions: [PackedPoint], settings: Settings,
    _ generator: inout SeededGenerator
  ) -> [SIMD3<Double>] {
    guard settings.detailMeters > 0 else { return positions.map(\.vector) }
    var surface = model.surface
    surface.positions = positions
    let normals = surface.areaWeightedNormals
    var heights = [Double](repeating: 0, count: positions.count)
    let reach = settings.detailReachMeters
    for _ in 0..<600 {
      let center = positions[Int(generator.uniform() * Double(positions.count - 1))].vector
      let height = generator.gaussian()
      let width =
        reach.lowerBound + (reach.upperBound - reach.lowerBound) * generator.uniform()
      for (vertex, point) in positions.enumerated() {
        let way = point.vector - center
        let ratio = (way * way).sum() / (width * width)
        if ratio < 16 { heights[vertex] += height / (1 + ratio) / (1 + ratio) }
      }
    }
    let spread =
      (heights.reduce(0) { $0 + $1 * $1 } / Double(max(1, heights.count))).squareRoot()
    let scale = spread > 0 ? settings.detailMeters / spread : 0
    return positions.indices.map { vertex in
      positions[vertex].vector + normals[vertex].vector * (scale * heights[vertex])
    }
  }

  /// A map as the sensor gives it: a wall behind, noise of disparity, pixels between two surfaces.
  private static func sensed(
    _ depth: Raster<Float>, settings: Settings, _ generator: inout SeededGenerator
  ) -> DepthMap {
    let wall = 1.2
    let drawn = (0..<depth.size.pixelCount).map { _ in (generator.gaussian(), generator.uniform()) }
    let noises = Self.spread(
      drawn.map(\.0), width: depth.width, reach: settings.noiseReachPixels)
    var map = depth
    for y in 0..<depth.height {
      for x in 0..<depth.width {
        let (noise, share) = (noises[y * depth.width + x], drawn[y * depth.width + x].1)
        let own = depth[x, y] > 0 ? Double(depth[x, y]) : wall
        let next = x + 1 < depth.width && depth[x + 1, y] > 0 ? Double(depth[x + 1, y]) : wall
        var disparity = 1 / own
        if share < 0.3, max(own, next) > 1.03 * min(own, next) {
          disparity += (1 / next - disparity) * share / 0.3
        }
        disparity += settings.disparitySigma * noise
        if settings.disparityStep > 0 {
          disparity = (disparity / settings.disparityStep).rounded() * settings.disparityStep
        }
        map[x, y] = Float(1 / max(0.05, disparity))
      }
    }
    return DepthMap(meters: map)
  }

  /// Numbers of variance 1 that are alike over a reach, from such that are independent: three means over rows and
  /// columns, which together are near a Gaussian.
  private static func spread(_ numbers: [Double], width: Int, reach: Double) -> [Double] {
    let half = Int(reach.rounded())
    guard half > 0 else { return numbers }
    let height = numbers.count / width
    func averaged(_ values: [Double], count: Int, lines: Int, step: Int, next: Int) -> [Double] {
      var result = values
      for line in 0..<lines {
        var sum = 0.0
        func value(_ place: Int) -> Double {
          values[line * next + min(count - 1, max(0, place)) * step]
        }
        for place in -half...half { sum += value(place) }
        for place in 0..<count {
          result[line * next + place * step] = sum / Double(2 * half + 1)
          sum += value(place + half + 1) - value(place - half)
        }
      }
      return result
    }
    var values = numbers
    for _ in 0..<3 {
      values = averaged(values, count: width, lines: height, step: 1, next: width)
      values = averaged(values, count: height, lines: width, step: width, next: 1)
    }
    let variance = values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
    return variance > 0 ? values.map { $0 / variance.squareRoot() } : values
  }

  private static func seen(
    _ model: MorphableModel, _ truth: TriangleMesh, _ camera: PinholeIntrinsics, distance: Double,
    settings: Settings, _ generator: inout SeededGenerator
  ) -> FaceLandmarks {
    // Errors that neighbors share: a sum of bumps of 15 mm.
    var bumps: [(center: SIMD3<Double>, error: SIMD2<Double>)] = []
    for _ in 0..<150 {
      let vertex = Int(generator.uniform() * Double(model.vertexCount - 1))
      bumps.append(
        (model.mean[vertex].vector, SIMD2(generator.gaussian(), generator.gaussian())))
    }
    var places: [SIMD2<Double>] = []
    var depths: [Float] = []
    var errors: [SIMD2<Double>] = []
    for anchor in model.anchors {
      var point = SIMD3<Double>.zero
      var mean = SIMD3<Double>.zero
      if let anchor {
        for corner in 0..<3 {
          let share = Double(anchor.shares[corner])
          point += truth.positions[anchor.vertices[corner]].vector * share
          mean += model.mean[anchor.vertices[corner]].vector * share
        }
      }
      var error = SIMD2<Double>.zero
      for bump in bumps {
        let way = mean - bump.center
        error += bump.error / (1 + (way * way).sum() / (0.01 * 0.01))
      }
      errors.append(error)
      places.append(camera.project(point))
      depths.append(Float((point.z - distance) / distance * camera.focalLength.x))
    }
    let spread =
      (errors.reduce(0) { $0 + ($1 * $1).sum() } / Double(2 * errors.count)).squareRoot()
    let scale =
      spread > 0 ? settings.landmarkMeters / spread / distance * camera.focalLength.x : 0
    var points = zip(places, errors).map { place, error -> SIMD2<Float> in
      let own = SIMD2(generator.gaussian(), generator.gaussian()) * settings.landmarkPixels
      return SIMD2<Float>(place + error * scale + own)
    }
    // Irises take no part in the fit; they lie where the eyes' corners do.
    let irises = FaceLandmarks.count - FaceLandmarks.meshCount
    points += Array(repeating: points[33], count: irises)
    depths += Array(repeating: 0, count: irises)
    return FaceLandmarks(
      points: points, relativeDepths: depths,
      sigmasPixels: Array(
        repeating: Float(settings.landmarkPixels), count: FaceLandmarks.count), presence: 1)
  }
}
