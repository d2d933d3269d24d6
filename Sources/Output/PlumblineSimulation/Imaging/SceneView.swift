package import PlumblineModel

/// The view of one camera of a scene, before lens blur and noise.
struct SceneView: Sendable {
  /// The mean light over each pixel, linear.
  var radiance: Raster<SIMD3<Float>>
  /// The exact depth of each pixel center, in meters; NaN where the ray hits nothing.
  var depth: DepthMap
}

/// Renders a scene; each pixel is the mean over its area.
///
/// Flat artwork is averaged over the parallelogram of a pixel on it, see
/// ``SceneSurface/meanPaint``. Where neighbors hit different surfaces, a depth step or a crease, a
/// pixel is sampled by 16 rays on a lattice.
struct SceneRenderer {
  let scene: SimulatedScene
  let rays: CameraRayGrid
  let sceneFromCamera: RigidTransform

  private struct PixelHit {
    var parameter: Double
    var surface: Int
  }

  /// The exact depth of each pixel's center, in meters; O(pixels · surfaces).
  func depth() -> DepthMap {
    DepthMap(
      meters: Raster(size: rays.size) { x, y in
        Float(self.hit(rays.slopes[rays.index(x, y)]).parameter)
      })
  }

  /// Color and depth; O(pixels · surfaces).
  func view() -> SceneView {
    let size = rays.size
    let stride = size.width + 2
    let hits = rays.slopes.map { hit($0) }
    var depth = [Float](repeating: .nan, count: size.pixelCount)
    let radiance = Raster(size: size) { x, y in
      let index = rays.index(x, y)
      let own = hits[index]
      depth[y * size.width + x] = Float(own.parameter)
      let direction = rays.slopes[index]
      let stepX = (rays.slopes[index + 1] - rays.slopes[index - 1]) / 2
      let stepY = (rays.slopes[index + stride] - rays.slopes[index - stride]) / 2
      let isEdge =
        Self.isEdge(hits[index - 1], own, hits[index + 1])
        || Self.isEdge(hits[index - stride], own, hits[index + stride])
      guard isEdge else {
        return SIMD3<Float>(self.light(own, direction, stepX, stepY))
      }
      var sum = SIMD3<Double>.zero
      for sample in 0..<16 {
        // No two of the sixteen share a row or a column, since 16 and 7 are coprime.
        let u = (Double(sample) + 0.5) / 16 - 0.5
        let v = (Double((7 * sample) & 15) + 0.5) / 16 - 0.5
        let slope = direction + stepX * u + stepY * v
        sum += self.light(self.hit(slope), slope, stepX / 4, stepY / 4)
      }
      return SIMD3<Float>(sum / 16)
    }
    return SceneView(
      radiance: radiance, depth: DepthMap(meters: Raster(size: size, samples: depth)))
  }

  /// The ray of a pixel's center.
  func ray(_ x: Int, _ y: Int) -> Ray { ray(rays.slopes[rays.index(x, y)]) }

  private func ray(_ slope: SIMD2<Double>) -> Ray {
    Ray(
      origin: sceneFromCamera.translation,
      direction: turned(SIMD3(slope, 1), by: sceneFromCamera.rotation))
  }

  private func hit(_ slope: SIMD2<Double>) -> PixelHit {
    guard let hit = scene.firstHit(of: ray(slope)) else {
      return PixelHit(parameter: .nan, surface: -1)
    }
    return PixelHit(parameter: hit.parameter, surface: hit.surface)
  }

  /// Whether the middle one of three neighbors in a row is at an edge or a crease.
  ///
  /// The inverse depth of a plane is linear over a pinhole image, so a change of slope is a crease;
  /// a right angle changes it by about 1/f of its value, a lens by far less than the threshold.
  private static func isEdge(_ before: PixelHit, _ own: PixelHit, _ after: PixelHit) -> Bool {
    guard before.surface == own.surface, after.surface == own.surface else { return true }
    guard own.surface >= 0 else { return false }
    let bend = own.parameter / before.parameter + own.parameter / after.parameter - 2
    return abs(bend) > 4e-4
  }

  /// The light of a pixel on one surface, over the parallelogram spanned by its steps there.
  private func light(
    _ hit: PixelHit, _ slope: SIMD2<Double>, _ stepX: SIMD2<Double>, _ stepY: SIMD2<Double>
  ) -> SIMD3<Double> {
    guard hit.surface >= 0 else { return .zero }
    let ray = ray(slope)
    let surface = scene.surfaces[hit.surface]
    let point = ray.point(at: hit.parameter)
    let normal = surface.normal(at: point)
    // A neighbor's ray meets the tangent plane where n·(o + t·d) is constant, which gives dp =
    // t·(dd − d·(n·dd)/(n·d)).
    let facing = dot(normal, ray.direction)
    guard facing != 0 else { return .zero }
    func step(_ slopeStep: SIMD2<Double>) -> SIMD3<Double> {
      let turn = turned(SIMD3(slopeStep, 0), by: sceneFromCamera.rotation)
      return (turn - ray.direction * (dot(normal, turn) / facing)) * hit.parameter
    }
    let paint = surface.meanPaint(around: point, stepX: step(stepX), stepY: step(stepY))
    return scene.light(
      paint: paint, at: point, normal: normal, toCamera: -normalized(ray.direction))
  }
}

/// The ray directions of all pixels of a camera, with a border of one pixel, reusable for many
/// frames.
///
/// Exact undistortion needs a search per pixel; a sequence of frames from one camera does it once.
package struct CameraRayGrid: Sendable {
  /// The size of the image, without the border.
  let size: RasterSize
  /// `x/z` and `y/z` of each pixel, row after row, including the border.
  let slopes: [SIMD2<Double>]

  /// The rays of a calibration; O(pixels).
  package init(_ calibration: CameraCalibration) {
    size = calibration.intrinsics.size
    var slopes: [SIMD2<Double>] = []
    slopes.reserveCapacity((size.width + 2) * (size.height + 2))
    let intrinsics = calibration.intrinsics
    for y in -1...size.height {
      for x in -1...size.width {
        let pixel = SIMD2(Double(x), Double(y))
        let ideal = calibration.distortion?.undistorted(pixel) ?? pixel
        slopes.append((ideal - intrinsics.principalPoint) / intrinsics.focalLength)
      }
    }
    self.slopes = slopes
  }

  private init(size: RasterSize, slopes: [SIMD2<Double>]) {
    self.size = size
    self.slopes = slopes
  }

  /// The rays after scaling only the focal length; O(pixels).
  func withFocalLength(scaledBy factor: Double) -> CameraRayGrid {
    factor == 1 ? self : CameraRayGrid(size: size, slopes: slopes.map { $0 / factor })
  }

  /// The index of a pixel in `slopes`; −1 and the size itself are the border.
  @inline(__always)
  func index(_ x: Int, _ y: Int) -> Int { (y &+ 1) &* (size.width &+ 2) &+ x &+ 1 }
}
