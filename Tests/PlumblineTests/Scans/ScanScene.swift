import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport

@testable import Plumbline

/// A room of 4 × 3 × 5 meters with spheres in it, as a LiDAR camera of 64 × 48 pixels records it: the input of
/// scans whose findings are known.
struct ScanScene {
  struct Sphere {
    var center: SIMD3<Double>
    var radius: Double
  }
  /// Points `p` with `normal · p = offset`, seen from the side of the normal.
  var planes: [(normal: SIMD3<Double>, offset: Double)] = [
    ([1, 0, 0], -2), ([-1, 0, 0], -2), ([0, 1, 0], -1.5), ([0, -1, 0], -1.5), ([0, 0, 1], -2.5),
    ([0, 0, -1], -2.5),
  ]
  var spheres: [Sphere] = [
    Sphere(center: [-0.6, 0.6, 1.6], radius: 0.5), Sphere(center: [0.9, -0.4, 1.9], radius: 0.4),
  ]

  static let camera = PinholeIntrinsics(
    focalLength: [55, 55], principalPoint: [31.5, 23.5], size: RasterSize(width: 64, height: 48))

  /// Poses along a gentle arc, 15 mm and half a degree from one to the next.
  static func path(_ count: Int) -> [RigidTransform] {
    (0..<count).map { index in
      let t = Double(index)
      return RigidTransform(
        rotation: Rotation(axisAngle: [0, 0.009 * t, 0]) ?? .identity,
        translation: [0.012 * t, -0.004 * t, 0.009 * t])
    }
  }

  /// Depths along the axis with noise of 2 mm; NaN where nothing is hit.
  func depth(from pose: RigidTransform, seed: UInt64) -> Raster<Float> {
    var generator = SeededGenerator(seed: seed)
    var depth = Raster<Float>(size: Self.camera.size, repeating: .nan)
    for y in 0..<Self.camera.size.height {
      for x in 0..<Self.camera.size.width {
        let ray = pose.rotation * Self.camera.unproject([Double(x), Double(y)], depth: 1)
        let hits = planes.compactMap { plane -> Double? in
          let slope = (plane.normal * ray).sum()
          let t = (plane.offset - (plane.normal * pose.translation).sum()) / slope
          return slope < 0 && t > 0 ? t : nil
        }
        let near = spheres.compactMap { sphere -> Double? in
          let from = pose.translation - sphere.center
          let (a, b) = ((ray * ray).sum(), (ray * from).sum())
          let root = b * b - a * ((from * from).sum() - sphere.radius * sphere.radius)
          return root > 0 ? (-b - root.squareRoot()) / a : nil
        }.filter { $0 > 0 }
        if let least = (hits + near).min() {
          depth[x, y] = Float(least + 0.002 * generator.gaussian())
        }
      }
    }
    return depth
  }

  /// A frame as ARKit's LiDAR gives it.
  static func capture(
    _ depth: Raster<Float>, recorded: RigidTransform?, index: Int, hasUnit: Bool = true
  ) -> Capture {
    var source = CaptureSource(camera: .lidar, interface: .arkit)
    source.make = "Apple"
    source.model = "iPhone 15 Pro"
    var capture = Capture(source: source)
    capture.timestampSeconds = 100 + Double(index) / 30
    capture.worldFromCamera = recorded
    var record = DepthRecord(
      values: .depth(DepthMap(meters: depth)), storedType: "fdep",
      accuracy: hasUnit ? .absolute : .relative)
    record.isFiltered = false
    record.calibration = CameraCalibration(intrinsics: camera)
    record.confidence = ConfidenceMap(
      levels: Raster(size: depth.size, repeating: 2), maximumLevel: 2)
    capture.depth = record
    return capture
  }

  /// A recording of captures.
  static func recording(_ captures: [Capture], axes: WorldAxes = .yUp) -> Recording {
    Recording(
      layout: "test",
      frames: captures.indices.map {
        RecordedFrame(name: "f\($0)", timestampSeconds: captures[$0].timestampSeconds)
      }, worldAxes: axes
    ) { index, _ in captures[index] }
  }

  /// A recording of this scene along a path, with its recorded poses and a change of each frame's scene.
  func recording(
    _ path: [RigidTransform], recorded: [RigidTransform?]? = nil,
    change: (Int, inout ScanScene) -> Void = { _, _ in }
  ) -> Recording {
    Self.recording(
      path.enumerated().map { index, pose in
        var scene = self
        change(index, &scene)
        return Self.capture(
          scene.depth(from: pose, seed: UInt64(index) + 1),
          recorded: recorded.map { $0[index] } ?? pose, index: index)
      })
  }
}

extension ScanBuilder {
  /// A builder with voxels that are cheap for the room.
  static var coarse: ScanBuilder {
    var settings = ScanSettings()
    settings.voxelMeters = 0.05
    settings.hasColor = false
    return ScanBuilder(settings)
  }
}
