internal import PlumblineModel

/// A time-of-flight scanner as ARKit hands it out: a small map without holes and with soft edges.
///
/// ARKit fuses sparse dots with the color image by a network that is not published; this has the
/// same consequences: edges are invented between the dots, noise is smooth.
public struct SimulatedLiDARSensor: Sendable {
  /// The standard deviation of depth: a part in meters, and a share of the depth.
  ///
  /// Made up within what users report: about 1 cm at 1 m.
  public var sigma = (meters: 0.003, share: 0.004)
  /// The distance of the dots that are really measured, in pixels of the map.
  public var dotSpacing = 8
  /// The depths that it can measure, in meters.
  public var range: ClosedRange<Double> = 0.2...5

  /// Creates a scanner with the properties of a tablet.
  public init() {}

  /// Takes one image; equal seeds give equal maps on every platform.
  ///
  /// Cost: O(pixels · surfaces).
  func measurement(
    of scene: SimulatedScene, from camera: SimulatedCamera, rays: CameraRayGrid, seed: UInt64
  ) -> SensorMeasurement {
    let truth = SceneRenderer(
      scene: scene, rays: rays, sceneFromCamera: camera.sceneFromCamera
    ).depth()
    let size = truth.size
    var generator = SeededGenerator(seed: seed)
    // One error for each dot, linear in between.
    let columns = size.width / dotSpacing + 2
    let errors = (0..<columns * (size.height / dotSpacing + 2)).map { _ in generator.gaussian() }
    let depth = Raster(size: size) { x, y -> Float in
      var sum: Float = 0
      var count: Float = 0
      for row in max(y - 1, 0)...min(y + 1, size.height - 1) {
        for column in max(x - 1, 0)...min(x + 1, size.width - 1)
        where truth.meters[column, row].isFinite {
          sum += truth.meters[column, row]
          count += 1
        }
      }
      let mean = Double(sum / count)
      guard range.contains(mean) else { return DepthMap.missing }
      let (left, top) = (x / dotSpacing, y / dotSpacing)
      let u = Double(x % dotSpacing) / Double(dotSpacing)
      let v = Double(y % dotSpacing) / Double(dotSpacing)
      func row(_ y: Int) -> Double {
        errors[y * columns + left] * (1 - u) + errors[y * columns + left + 1] * u
      }
      let error = row(top) * (1 - v) + row(top + 1) * v
      return Float(mean + error * (sigma.meters + sigma.share * mean))
    }
    return SensorMeasurement(
      truth: truth, disparity: DepthMap(meters: depth).disparityMap,
      calibration: camera.calibration, isFiltered: true)
  }
}
