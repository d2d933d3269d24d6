import PlumblineModel
import PlumblineReconstruction

/// Frames of surfaces in closed form, without noise.
enum SceneFrames {
  static let camera = PinholeIntrinsics(
    focalLength: [60, 60], principalPoint: [31.37, 23.41], size: RasterSize(width: 64, height: 48))

  /// A frame whose depth is given for each ray (x/z, y/z); NaN for none.
  static func frame(
    noise: Float = 0.002, shared: SigmaCurve = SigmaCurve(), color: RGB8? = nil,
    seconds: Double? = nil, depth: (_ ray: SIMD3<Double>) -> Double
  ) -> ScanFrame {
    let size = camera.size
    let meters = Raster<Float>(size: size) { x, y in
      Float(depth(camera.unproject(SIMD2(Double(x), Double(y)), depth: 1)))
    }
    return ScanFrame(
      depth: DepthMap(meters: meters), noiseMeters: Raster(size: size, repeating: noise),
      shared: shared, camera: camera, color: color.map { Raster(size: size, repeating: $0) },
      timestampSeconds: seconds)
  }

  /// The depth of a ball, in the camera that sees it.
  static func ball(_ ray: SIMD3<Double>, center: SIMD3<Double>, radius: Double) -> Double {
    let (a, b) = ((ray * ray).sum(), (ray * center).sum())
    let root = b * b - a * ((center * center).sum() - radius * radius)
    return root < 0 ? .nan : (b - root.squareRoot()) / a
  }

  /// Twenty-six poses around the origin that look at it from a distance.
  static func poses(distance: Double) -> [RigidTransform] {
    var result: [RigidTransform] = []
    for i in -1...1 {
      for j in -1...1 {
        for k in -1...1 where (i, j, k) != (0, 0, 0) {
          var forward = SIMD3(Double(-i), Double(-j), Double(-k))
          forward /= (forward * forward).sum().squareRoot()
          let guess: SIMD3<Double> = abs(forward.z) < 0.8 ? [0, 0, 1] : [1, 0, 0]
          var right = SIMD3(
            guess.y * forward.z - guess.z * forward.y, guess.z * forward.x - guess.x * forward.z,
            guess.x * forward.y - guess.y * forward.x)
          right /= (right * right).sum().squareRoot()
          let down = SIMD3(
            forward.y * right.z - forward.z * right.y, forward.z * right.x - forward.x * right.z,
            forward.x * right.y - forward.y * right.x)
          result.append(
            RigidTransform(
              rotation: Rotation(x: right, y: down, z: forward), translation: -forward * distance))
        }
      }
    }
    return result
  }
}
