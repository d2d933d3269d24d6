package import PlumblineGeometry
public import PlumblineModel

/// A depth map as a surface is fitted to it: meters, their ±, and no pixel that lies between two surfaces.
public struct MeasuredSurface: Sendable {
  /// Meters along the optical axis; NaN where nothing was measured or a pixel is not believed.
  public let meters: Raster<Float>
  /// One standard deviation of each depth, meters, independent from pixel to pixel but for
  /// ``pixelsPerSample``.
  public let sigmas: SigmaCurve
  /// The camera of the map, scaled to its size.
  public let camera: CameraCalibration
  /// How many neighboring pixels share one error at a vertex: 1 for raw maps, more for filtered ones, whose noise
  /// no mean takes away.
  public let pixelsPerSample: Double
  /// How errors of pixels that lie farther apart are alike: ``CorrelatedNoise/independent`` for raw maps.
  let correlation: CorrelatedNoise
  /// How many measured pixels were left out since they lie between two surfaces.
  public let flyingCount: Int

  /// A step to a neighbor of more than this share of the depth, beside its noise, is between two surfaces.
  ///
  /// Skin that is turned by 75° away from the camera climbs 3.7 pixels a pixel; at the 560 pixels of focal
  /// length of TrueDepth maps that is 0.7 % of the depth, so twice that.
  static let maximumStep: Float = 0.015
  /// How many pixels a filtered map's errors are shared by: photos' maps are smoothed over about 3 × 3 of
  /// the 640 × 480, and rounded in steps that whole patches share.
  package static let filteredPixelsPerSample = 16.0

  /// Takes a map.
  ///
  /// - Parameters:
  ///   - map: The depth, corrected, in meters.
  ///   - sigmas: The ± by distance of what differs from pixel to pixel.
  ///   - camera: The map's camera, of its size.
  ///   - isFiltered: Whether the phone has smoothed it and filled its holes.
  /// - Precondition: The camera has the map's size. Cost: O(*n*).
  package init(_ map: DepthMap, sigmas: SigmaCurve, camera: CameraCalibration, isFiltered: Bool) {
    precondition(camera.intrinsics.size == map.size, "a camera of another size than its map")
    self.sigmas = sigmas
    self.camera = camera
    pixelsPerSample = isFiltered ? Self.filteredPixelsPerSample : 1
    correlation = isFiltered ? .trueDepth : .independent
    let meters = map.meters.packed
    var kept = meters
    var flying = 0
    let (width, height) = (map.size.width, map.size.height)
    for y in 0..<height {
      for x in 0..<width {
        let own = meters.samples[y * width + x]
        guard own > 0 else { continue }
        let limit =
          Self.maximumStep * own + 3 * Float(sigmas.sigmaMeters(atDepth: Double(own)))
        func jumps(_ other: Float) -> Bool { abs(other - own) > limit }
        if (x > 0 && jumps(meters.samples[y * width + x - 1]))
          || (x + 1 < width && jumps(meters.samples[y * width + x + 1]))
          || (y > 0 && jumps(meters.samples[(y - 1) * width + x]))
          || (y + 1 < height && jumps(meters.samples[(y + 1) * width + x]))
        {
          kept.samples[y * width + x] = .nan
          flying += 1
        }
      }
    }
    self.meters = kept
    flyingCount = flying
  }
}

extension MeasuredSurface {
  /// How many pixels know as much as one alone of a surface that is smoothed over a length.
  ///
  /// The smoothing takes errors of vertices as independent. Errors of a filtered map are alike over a length that no
  /// vertex reaches across: *n* pixels of a square as wide as the length know its height only as well as
  /// ``CorrelatedNoise/effectiveCount(ofMeanOver:mapWidth:)`` independent ones, so each counts for that share.
  ///
  /// - Parameters:
  ///   - meters: The length on the surface, meters; above 0.
  ///   - depth: The depth of the surface, meters; above 0.
  /// - Returns: At least ``pixelsPerSample``; that for a raw map. O(1).
  package func pixelsPerSample(smoothedOver meters: Double, atDepth depth: Double) -> Double {
    guard correlation.lengthShare > 0 else { return pixelsPerSample }
    let side = max(1, meters * camera.intrinsics.focalLength.x / depth)
    // The columns of the sensor, which an upright map has as rows.
    let columns = max(self.meters.width, self.meters.height)
    let known = correlation.effectiveCount(ofMeanOver: side, mapWidth: columns)
    return max(pixelsPerSample, side * side / known)
  }

  /// How far behind a vertex depth must lie for the photo to show something else there, in meters.
  ///
  /// Such as the wall behind an ear that the model has and a person has not: hair and the model's error are less deep.
  static let backgroundMeters: Float = 0.025
  /// How many pixels of the map around a vertex may show it: edges of filtered maps are as wide.
  static let backgroundReach = 2
  /// Below this cosine between normal and line of sight a vertex lies near the head's outline: 60° aslant.
  static let outlineFacing = 0.5

  /// For each vertex whether the map has something far behind it at its pixel or close by, or nothing at the outline.
  ///
  /// What is too far away has no depth, and pixels between head and wall are not believed. Holes elsewhere, as in hair,
  /// say nothing, nor does what lies outside of the map.
  ///
  /// - Parameter mesh: A mesh in the camera's frame, with normals.
  /// - Returns: `true` also for vertices behind the camera. O(*n*).
  package func backgroundVertices(of mesh: TriangleMesh) -> [Bool] {
    mesh.positions.indices.map { vertex in
      let position = mesh.positions[vertex]
      guard position.z > 0 else { return true }
      let sight = position.vector / (position.vector * position.vector).sum().squareRoot()
      let facing = -((mesh.normals?[vertex].vector ?? .zero) * sight).sum()
      return isBackground(
        around: camera.pixel(of: position.vector), beyond: position.z + Self.backgroundMeters,
        orNothing: facing < Self.outlineFacing)
    }
  }

  private func isBackground(
    around pixel: SIMD2<Double>, beyond limit: Float, orNothing: Bool
  ) -> Bool {
    let (x, y) = (pixel.x.rounded(), pixel.y.rounded())
    guard x >= 0, y >= 0, x < Double(meters.width), y < Double(meters.height) else { return false }
    let reach = Self.backgroundReach
    for row in max(0, Int(y) - reach)...min(meters.height - 1, Int(y) + reach) {
      for column in max(0, Int(x) - reach)...min(meters.width - 1, Int(x) + reach) {
        let depth = meters[column, row]
        if depth > limit || (orNothing && depth.isNaN) { return true }
      }
    }
    return false
  }
}
