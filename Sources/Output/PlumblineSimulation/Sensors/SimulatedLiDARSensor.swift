package import PlumblineModel

/// A time-of-flight sensor as delivered by ARKit: a small map without holes and with soft edges.
///
/// ARKit combines sparse dots with the color image by an unpublished network. This model has the
/// same effects: edges are invented between the dots, and noise is smooth.
package struct SimulatedLiDARSensor: Sendable {
  /// One standard deviation of a pixel's depth: √(constant² + (perMeterSquared · z²)²), in meters.
  ///
  /// - Source: What overlapping frames of a LiDAR recording leave at full confidence;
  ///   `Documentation/sensors.md`.
  package static let law = SigmaCurve(constantMeters: 0.0015, perMeterSquared: 0.001)
  /// A factor of the noise.
  package var noiseFactor = 1.0
  /// The spacing of the measured dots in pixels of the map.
  package var dotSpacing = 8
  /// The fraction of pixels within two of a depth step that get a value between both sides, besides the
  /// edges that are soft anyway.
  package var flyingPixelShare = 0.0
  /// The measurable depths in meters.
  package var range: ClosedRange<Double> = 0.2...5

  /// Creates a sensor with the properties of a tablet.
  package init() {}

  /// Takes one image; equal seeds give equal maps on every platform.
  ///
  /// Cost: O(pixels · surfaces).
  func measurement(
    of scene: SimulatedScene, from camera: SimulatedCamera, rays: CameraRayGrid, seed: UInt64
  ) -> SensorMeasurement {
    let truth = SceneRenderer(
      scene: scene, rays: rays, sceneFromCamera: camera.sceneFromCamera
    ).depth()
    var generator = SeededGenerator(seed: seed)
    let errors = DotErrors(truth.size, spacing: dotSpacing, &generator)
    var depth = Raster(size: truth.size) { x, y -> Float in
      let mean = Self.softened(truth, x, y)
      guard range.contains(mean) else { return DepthMap.missing }
      return Float(mean + errors.value(x, y) * noiseFactor * Self.law.sigmaMeters(atDepth: mean))
    }
    if flyingPixelShare > 0 { addFlyingPixels(to: &depth, truth, &generator) }
    return SensorMeasurement(
      truth: truth, disparity: DepthMap(meters: depth).disparityMap,
      calibration: camera.calibration, isFiltered: true)
  }

  /// The mean of a pixel and its neighbors; NaN where none of them hits anything.
  private static func softened(_ truth: DepthMap, _ x: Int, _ y: Int) -> Double {
    let size = truth.size
    var sum: Float = 0
    var count: Float = 0
    for row in max(y - 1, 0)...min(y + 1, size.height - 1) {
      for column in max(x - 1, 0)...min(x + 1, size.width - 1)
      where truth.meters[column, row].isFinite {
        sum += truth.meters[column, row]
        count += 1
      }
    }
    return Double(sum / count)
  }

  private func addFlyingPixels(
    to depth: inout Raster<Float>, _ truth: DepthMap, _ generator: inout SeededGenerator
  ) {
    let size = truth.size
    for y in 0..<size.height {
      for x in 0..<size.width {
        // Drawn for every pixel, so that one edge never changes the numbers of another.
        let (draw, place) = (generator.uniform(), generator.uniform())
        guard draw < flyingPixelShare, depth[x, y].isFinite else { continue }
        var (near, far) = (Float.infinity, Float(0))
        for row in max(y - 2, 0)...min(y + 2, size.height - 1) {
          for column in max(x - 2, 0)...min(x + 2, size.width - 1) {
            let meters = truth.meters[column, row]
            guard meters.isFinite else { continue }
            (near, far) = (min(near, meters), max(far, meters))
          }
        }
        // A step: more than a surface does that leans by 80°, at any depth.
        guard far > near * 1.1 else { continue }
        depth[x, y] = near + (far - near) * Float(place)
      }
    }
  }
}

/// One error for each dot, mixed between dots by weights whose squares add up to 1.
private struct DotErrors {
  private let spacing: Int
  private let columns: Int
  private let errors: [Double]

  init(_ size: RasterSize, spacing: Int, _ generator: inout SeededGenerator) {
    self.spacing = spacing
    columns = size.width / spacing + 2
    errors = (0..<columns * (size.height / spacing + 2)).map { _ in generator.gaussian() }
  }

  /// The error of a pixel, with a standard deviation of 1.
  func value(_ x: Int, _ y: Int) -> Double {
    let (left, top) = (x / spacing, y / spacing)
    let u = Double(x % spacing) / Double(spacing)
    let v = Double(y % spacing) / Double(spacing)
    func row(_ y: Int) -> Double {
      errors[y * columns + left] * (1 - u) + errors[y * columns + left + 1] * u
    }
    let squares = ((1 - u) * (1 - u) + u * u) * ((1 - v) * (1 - v) + v * v)
    return (row(top) * (1 - v) + row(top + 1) * v) / squares.squareRoot()
  }
}
