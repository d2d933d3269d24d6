internal import PlumblineModel

/// A structured-light depth camera, made of the effects that real ones show.
///
/// Each effect is one property and can be switched off by 0. The order is that of the device:
/// geometry (shadow, range), matching (noise, flying pixels), then the phone's own filter, then
/// rounding to the half precision in which iPhones deliver disparity.
public struct SimulatedTrueDepthSensor: Sendable {
  /// The projector's position in the camera frame, in meters.
  ///
  /// It stands to the right of the camera here, so its shadows lie at the left of things.
  public var projectorInCamera: SIMD3<Double> = [0.028, 0, 0]
  /// The standard deviation of disparity, in 1/m: 0.002 is 0.4 mm at 0.45 m.
  ///
  /// - Source: the spread on a flat board that a public evaluation of TrueDepth measured at
  ///   0.2 m, 0.3 to 0.5 mm with quantization; see `Documentation/simulator.md`.
  public var disparitySigma = 0.002
  /// The share of pixels beside a jump in depth that take a value between the two sides.
  public var flyingPixelShare = 0.3
  /// The ratio of depths of two neighbors that counts as a jump.
  public var jumpRatio = 1.03
  /// The depths that it can measure, in meters.
  public var range: ClosedRange<Double> = 0.15...6
  /// Whether holes are filled and the map smoothed, as photos are.
  public var isFiltered = false
  /// Whether values are rounded to half precision.
  public var roundsToHalf = true

  /// Creates a sensor with the properties of a phone.
  public init() {}

  /// A sensor without any error: its map is the truth.
  public static var perfect: SimulatedTrueDepthSensor {
    var sensor = SimulatedTrueDepthSensor()
    sensor.projectorInCamera = .zero
    sensor.disparitySigma = 0
    sensor.flyingPixelShare = 0
    sensor.range = 0...Double.greatestFiniteMagnitude
    sensor.roundsToHalf = false
    return sensor
  }

  /// Takes one image; equal seeds give equal maps on every platform.
  ///
  /// - Complexity: O(pixels · surfaces).
  public func measurement(
    of scene: SimulatedScene, from camera: SimulatedCamera, seed: UInt64
  ) -> SensorMeasurement {
    let rays = CameraRayGrid(camera.calibration)
    return measurement(of: scene, from: camera, rays: rays, seed: seed)
  }

  /// As above, with the camera's rays at hand, and the truth if it is known already.
  func measurement(
    of scene: SimulatedScene, from camera: SimulatedCamera, rays: CameraRayGrid,
    truth known: DepthMap? = nil, seed: UInt64
  ) -> SensorMeasurement {
    let renderer = SceneRenderer(
      scene: scene, rays: rays, sceneFromCamera: camera.sceneFromCamera)
    let truth = known ?? renderer.depth()
    var generator = SeededGenerator(seed: seed)
    var disparity = truth.disparityMap.inverseMeters
    removeUnseen(from: &disparity, truth: truth, renderer)
    addMatchingErrors(to: &disparity, truth: truth, &generator)
    if isFiltered { disparity = DisparityFilter.filtered(disparity, jumpRatio: Float(jumpRatio)) }
    var map = DisparityMap(inverseMeters: disparity)
    if roundsToHalf {
      map = DisparityMap(halfPrecisionInverseMeters: map.halfPrecisionInverseMeters)
    }
    return SensorMeasurement(
      truth: truth, disparity: map, calibration: camera.calibration, isFiltered: isFiltered)
  }

  private func removeUnseen(
    from disparity: inout Raster<Float>, truth: DepthMap, _ renderer: SceneRenderer
  ) {
    let projector = renderer.sceneFromCamera * projectorInCamera
    for y in 0..<truth.size.height {
      for x in 0..<truth.size.width {
        let depth = Double(truth.meters[x, y])
        guard range.contains(depth) else {
          disparity[x, y] = DepthMap.missing
          continue
        }
        if projectorInCamera == .zero { continue }
        let point = renderer.ray(x, y).point(at: depth)
        // Half a millimeter of tolerance keeps the rounding of the depth from shading its point.
        if !renderer.scene.isVisible(point, from: projector, tolerance: 5e-4) {
          disparity[x, y] = DepthMap.missing
        }
      }
    }
  }

  private func addMatchingErrors(
    to disparity: inout Raster<Float>, truth: DepthMap, _ generator: inout SeededGenerator
  ) {
    let size = truth.size
    for y in 0..<size.height {
      for x in 0..<size.width {
        // Both draws happen for every pixel, so one effect never shifts the numbers of another.
        let noise = generator.gaussian()
        let share = generator.uniform()
        guard disparity[x, y].isFinite else { continue }
        let own = Double(truth.meters[x, y])
        let right = Double(truth.meters[min(x + 1, size.width - 1), y])
        let below = Double(truth.meters[x, min(y + 1, size.height - 1)])
        let other = abs(right - own) > abs(below - own) ? right : below
        var value = 1 / own
        if share < flyingPixelShare, max(own, other) > jumpRatio * min(own, other) {
          value += (1 / other - value) * share / flyingPixelShare
        }
        disparity[x, y] = Float(value + disparitySigma * noise)
      }
    }
  }
}
