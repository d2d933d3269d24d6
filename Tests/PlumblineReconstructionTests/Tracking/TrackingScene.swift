import PlumblineModel
import PlumblineReconstruction
import PlumblineSimulation

/// Planes and spheres whose depth and normals have closed forms: what a frame and a view of it must hold.
struct TrackingScene {
  /// Points `p` with `normal · p = offset`; the normal points to where the camera is.
  struct Plane {
    var normal: SIMD3<Double>
    var offset: Double
  }
  struct Sphere {
    var center: SIMD3<Double>
    var radius: Double
  }
  var planes: [Plane] = []
  var spheres: [Sphere] = []

  /// The inside of a room of 4 × 3 × 5 meters, with the camera near its middle.
  static let room = TrackingScene(planes: [
    Plane(normal: [1, 0, 0], offset: -2), Plane(normal: [-1, 0, 0], offset: -2),
    Plane(normal: [0, 1, 0], offset: -1.5), Plane(normal: [0, -1, 0], offset: -1.5),
    Plane(normal: [0, 0, 1], offset: -2.5), Plane(normal: [0, 0, -1], offset: -2.5),
  ])
  /// A sphere before a wall.
  static let sphereOnPlane = TrackingScene(
    planes: [Plane(normal: [0, 0, -1], offset: -1.2)],
    spheres: [Sphere(center: [0.05, 0.02, 1.0], radius: 0.25)])
  /// Walls, floor and ceiling along z without an end.
  static let tunnel = TrackingScene(planes: [
    Plane(normal: [1, 0, 0], offset: -1), Plane(normal: [-1, 0, 0], offset: -1),
    Plane(normal: [0, 1, 0], offset: -1), Plane(normal: [0, -1, 0], offset: -1),
  ])

  static let camera = PinholeIntrinsics(
    focalLength: [55, 55], principalPoint: [31.5, 23.5], size: RasterSize(width: 64, height: 48))

  /// The first surface on a ray in the world: the ray's parameter, and the normal there.
  func hit(
    from origin: SIMD3<Double>, along direction: SIMD3<Double>
  ) -> (parameter: Double, normal: SIMD3<Double>)? {
    var best: (parameter: Double, normal: SIMD3<Double>)?
    for plane in planes {
      let slope = (plane.normal * direction).sum()
      let parameter = (plane.offset - (plane.normal * origin).sum()) / slope
      if slope < 0, parameter > 0, parameter < best?.parameter ?? .infinity {
        best = (parameter, plane.normal)
      }
    }
    for sphere in spheres {
      let from = origin - sphere.center
      let a = (direction * direction).sum()
      let b = (direction * from).sum()
      let root = b * b - a * ((from * from).sum() - sphere.radius * sphere.radius)
      guard root > 0 else { continue }
      let parameter = (-b - root.squareRoot()) / a
      if parameter > 0, parameter < best?.parameter ?? .infinity {
        best = (parameter, (from + direction * parameter) / sphere.radius)
      }
    }
    return best
  }

  /// What a camera sees, without error; what is beyond 8 meters is missing.
  func view(
    worldFromCamera: RigidTransform, camera: PinholeIntrinsics = camera
  ) -> SurfaceView {
    var depth = Raster<Float>(size: camera.size, repeating: .nan)
    var normals = Raster(
      size: camera.size, repeating: PackedPoint(x: .nan, y: .nan, z: .nan))
    let inverse = worldFromCamera.rotation.inverse
    for y in 0..<camera.size.height {
      for x in 0..<camera.size.width {
        let ray = camera.unproject([Double(x), Double(y)], depth: 1)
        guard
          let hit = hit(
            from: worldFromCamera.translation, along: worldFromCamera.rotation * ray),
          hit.parameter < 8
        else { continue }
        depth[x, y] = Float(hit.parameter)
        let normal = inverse * hit.normal
        normals[x, y] = PackedPoint(
          x: Float(normal.x), y: Float(normal.y), z: Float(normal.z))
      }
    }
    return SurfaceView(
      depth: DepthMap(meters: depth), normals: normals,
      sigmaMeters: Raster(size: camera.size, repeating: 0), camera: camera,
      worldFromCamera: worldFromCamera)
  }

  /// A frame with independent noise of one σ.
  func frame(
    worldFromCamera: RigidTransform, sigmaMeters: Double = 0.001, seed: UInt64 = 0,
    recorded: RigidTransform? = nil, seconds: Double? = nil,
    camera: PinholeIntrinsics = camera
  ) -> ScanFrame {
    var generator = SeededGenerator(seed: seed)
    let exact = view(worldFromCamera: worldFromCamera, camera: camera).depth.meters
    let noisy = exact.map { seed == 0 ? $0 : $0 + Float(sigmaMeters * generator.gaussian()) }
    return ScanFrame(
      depth: DepthMap(meters: noisy),
      noiseMeters: Raster(size: camera.size, repeating: Float(sigmaMeters)),
      shared: SigmaCurve(), camera: camera, worldFromCamera: recorded, timestampSeconds: seconds)
  }
}

/// The distance and the angle between two poses.
func difference(_ a: RigidTransform, _ b: RigidTransform) -> (meters: Double, radians: Double) {
  let motion = a.inverse * b
  let r = motion.rotation.axisAngle
  return (
    (motion.translation * motion.translation).sum().squareRoot(), (r * r).sum().squareRoot()
  )
}

/// A pose by its rotation vector and its translation.
func pose(_ rotation: SIMD3<Double>, _ translation: SIMD3<Double>) -> RigidTransform {
  RigidTransform.identity.moved(rotation: .zero, translation: translation)
    .moved(rotation: rotation, translation: .zero)
}
