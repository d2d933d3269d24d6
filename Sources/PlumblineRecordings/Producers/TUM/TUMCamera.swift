/// A color camera of the TUM RGB-D benchmark, 640×480, to which its depth maps are registered.
///
/// - Source: Computer Vision Group TUM, *RGB-D SLAM Dataset and Benchmark*, File formats, "Intrinsic
///   camera calibration of the Kinect": `fx fy cx cy` and OpenCV's `d0 … d4` (k1 k2 p1 p2 k3).
struct TUMCamera: Sendable {
  let name: String
  let focalLength: SIMD2<Double>
  let principalPoint: SIMD2<Double>
  /// `k1`, `k2`, `k3`; `nil` for the rectified images of freiburg3.
  let radialTerms: SIMD3<Double>?
  /// `p1`, `p2`, which this package's lens does not hold.
  let tangentialTerms: SIMD2<Double>

  private static let all = [
    TUMCamera(
      name: "freiburg1", focalLength: [517.3, 516.5], principalPoint: [318.6, 255.3],
      radialTerms: [0.2624, -0.9531, 1.1633], tangentialTerms: [-0.0054, 0.0026]),
    TUMCamera(
      name: "freiburg2", focalLength: [520.9, 521.0], principalPoint: [325.1, 249.7],
      radialTerms: [0.2312, -0.7849, 0.9172], tangentialTerms: [-0.0033, -0.0001]),
    TUMCamera(
      name: "freiburg3", focalLength: [535.4, 539.2], principalPoint: [320.1, 247.6],
      radialTerms: nil, tangentialTerms: [0, 0]),
  ]

  /// The camera that the comments of a list name: `# file: 'rgbd_dataset_freiburg1_xyz.bag'`.
  ///
  /// - Returns: `nil` for none, and where two are named.
  static func named(in comments: [String]) -> TUMCamera? {
    let found = all.filter { camera in comments.contains { $0.contains(camera.name) } }
    return found.count == 1 ? found.first : nil
  }

  /// How far the terms that are left out move a corner, in pixels: `p1·(r² + 2y²) + 2·p2·x·y` and
  /// its twin.
  var tangentialPixels: Double {
    let corner = SIMD2(320.0, 240.0) / focalLength
    let square = (corner * corner).sum()
    let p = tangentialTerms
    let x = 2 * abs(p.x * corner.x * corner.y) + abs(p.y) * (square + 2 * corner.x * corner.x)
    let y = abs(p.x) * (square + 2 * corner.y * corner.y) + 2 * abs(p.y * corner.x * corner.y)
    let moved = SIMD2(x, y) * focalLength
    return (moved * moved).sum().squareRoot()
  }
}
