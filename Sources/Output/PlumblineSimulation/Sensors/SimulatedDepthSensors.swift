import PlumblineModel

/// A structured-light depth camera with the effects of real ones.
///
/// Each effect is one property and is disabled by 0. The order is that of the device: geometry
/// (shadow, range), matching (noise, flying pixels), then the phone's own filter, then rounding to
/// half precision, in which iPhones deliver disparity.
package struct SimulatedTrueDepthSensor: Sendable {
  /// The projector's position in the camera frame, in meters.
  ///
  /// It is to the right of the camera here, so its shadows are to the left of objects.
  package var projectorInCamera: SIMD3<Double> = [0.028, 0, 0]
  /// The standard deviation of disparity, in 1/m: 0.002 is 0.4 mm at 0.45 m.
  ///
  /// - Source: the spread on a flat board that a public evaluation of TrueDepth measured at
  ///   0.2 m, 0.3 to 0.5 mm with quantization; see `Documentation/simulator.md`.
  package var disparitySigma = 0.002
  /// The fraction of pixels beside a depth step that get a value between both sides.
  package var flyingPixelShare = 0.3
  /// The depth ratio of two neighbors from which on they form a depth step.
  package var jumpRatio = 1.03
  /// The measurable depths in meters.
  package var range: ClosedRange<Double> = 0.15...6
  /// Whether holes are filled and the map is smoothed, as in photos.
  package var isFiltered = false
  /// Whether values are rounded to half precision.
  package var roundsToHalf = true

  /// Creates a sensor with the properties of a phone.
  package init() {}

  /// A sensor without any error: its map is the truth.
  package static var perfect: SimulatedTrueDepthSensor {
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
  package func measurement(
    of scene: SimulatedScene, from camera: SimulatedCamera, seed: UInt64
  ) -> SensorMeasurement {
    let rays = CameraRayGrid(camera.calibration)
    return measurement(of: scene, from: camera, rays: rays, seed: seed)
  }

  /// As above, with given rays of the camera, and the ground truth if it is already known.
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
        // A tolerance of 0.5 mm avoids that a rounded depth shadows its own point.
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
        // Both draws happen for every pixel, so that one effect never changes the numbers of
        // another.
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

/// The filter of a phone for photos: it fills every hole, then smooths.
///
/// Apple does not publish its filter. This one has the same effects: no missing pixels, invented
/// values from the farther side of a hole, reduced noise within surfaces.
enum DisparityFilter {
  static func filtered(_ disparity: Raster<Float>, jumpRatio: Float) -> Raster<Float> {
    let filled = filled(disparity)
    return Raster(size: filled.size) { x, y in
      let center = filled[x, y]
      guard center.isFinite else { return center }
      var sum: Float = 0
      var count: Float = 0
      for row in max(y - 1, 0)...min(y + 1, filled.height - 1) {
        for column in max(x - 1, 0)...min(x + 1, filled.width - 1) {
          let value = filled[column, row]
          guard value * jumpRatio > center && value < center * jumpRatio else { continue }
          sum += value
          count += 1
        }
      }
      return count > 0 ? sum / count : center
    }
  }

  /// Fills each hole with the smaller disparity (the farther surface) at the two ends in its row.
  private static func filled(_ disparity: Raster<Float>) -> Raster<Float> {
    var result = disparity.packed
    for y in 0..<result.height {
      var x = 0
      while x < result.width {
        guard !result[x, y].isFinite else {
          x += 1
          continue
        }
        var end = x
        while end < result.width, !result[end, y].isFinite { end += 1 }
        // If an end lies outside the image, the row above, which is already filled, is used.
        for column in x..<end {
          let above = y > 0 ? result[column, y - 1] : Float.infinity
          let left = x > 0 ? result[x - 1, y] : above
          let right = end < result.width ? result[end, y] : above
          let value = min(left, right)
          result[column, y] = value < .infinity ? value : DepthMap.missing
        }
        x = end
      }
    }
    return result
  }
}
