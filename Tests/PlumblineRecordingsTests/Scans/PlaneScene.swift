import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

/// A tilted plane in a world with +Y up, seen from several places: whatever mistake a reader makes
/// with axes, rows, columns or inverses, its points leave the plane or its poses differ.
struct PlaneScene {
  static let colorSize = RasterSize(width: 64, height: 48)
  static let depthSize = RasterSize(width: 16, height: 12)

  /// One pose of the camera.
  struct View {
    var seconds: Double
    var worldFromCamera: RigidTransform
    var intrinsics: PinholeIntrinsics
    var depth: Raster<UInt16>
  }

  var views: [View] = []
  let normal: SIMD3<Double>
  let distance: Double

  /// Some views, 0.1 s apart from second 12.5.
  init(count: Int = 3, seed: UInt64 = 7) {
    var random = SeededGenerator(seed: seed)
    let direction = SIMD3(0.2, 0.15, 1.0)
    normal = direction / (direction * direction).sum().squareRoot()
    distance = -2
    // x right, y down and z forward, as seen by someone who looks along −z.
    let looking = Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1])
    for index in 0..<count {
      let turn = SIMD3(
        random.uniform(in: -0.3..<0.3), random.uniform(in: -0.3..<0.3),
        random.uniform(in: -0.5..<0.5))
      guard let rotation = Rotation(axisAngle: turn) else { continue }
      let worldFromCamera = RigidTransform(
        rotation: rotation * looking,
        translation: [
          random.uniform(in: -0.5..<0.5), random.uniform(in: 1..<1.5),
          random.uniform(in: -0.2..<0.2),
        ])
      let intrinsics = PinholeIntrinsics(
        focalLength: [55 + Double(index) / 4, 54], principalPoint: [30.25, 25.5],
        size: Self.colorSize)
      let depthCamera = intrinsics.scaled(to: Self.depthSize)
      let depth = Raster<UInt16>(size: Self.depthSize) { x, y in
        if x == 2, y == 1 { return 0 }
        let ray =
          worldFromCamera.rotation * depthCamera.unproject([Double(x), Double(y)], depth: 1)
        let start = (normal * worldFromCamera.translation).sum()
        return UInt16((1000 * (distance - start) / (normal * ray).sum()).rounded())
      }
      views.append(
        View(
          seconds: 12.5 + Double(index) / 10, worldFromCamera: worldFromCamera,
          intrinsics: intrinsics, depth: depth))
    }
  }

  /// The color image of all views.
  static let color = Raster<RGB8>(size: colorSize) { x, y in
    RGB8(red: UInt8(3 * x), green: UInt8(4 * y), blue: 90)
  }
  static let colorPNG = PNGEncoder().encoded(color)

  /// Confidence codes 0, 1 and 2 in turn, or others in their places.
  static func confidence(_ codes: [UInt8] = [0, 1, 2]) -> [UInt8] {
    PNGEncoder().encoded(Raster<UInt8>(size: depthSize) { x, y in codes[(x + y) % 3] })
  }

  /// Expects poses, cameras, times and depths of the scene; `order` says which view each frame shows,
  /// and the tolerance of matrix entries and meters which digits a format keeps.
  func expect(
    _ recording: Recording, shows order: [Int]? = nil, tolerance: Double = 1e-12,
    hasTimes: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let order = order ?? Array(views.indices)
    try #require(recording.frames.count == order.count, sourceLocation: sourceLocation)
    for (index, viewIndex) in order.enumerated() {
      let view = views[viewIndex]
      let capture = try recording.capture(at: index, color: .none)
      let pose = try #require(capture.worldFromCamera, sourceLocation: sourceLocation)
      let differences = zip(pose.rowMajor, view.worldFromCamera.rowMajor).map { abs($0 - $1) }
      #expect((differences.max() ?? 1) <= tolerance, sourceLocation: sourceLocation)
      if hasTimes {
        // Times are written with microseconds.
        let time = try #require(capture.timestampSeconds, sourceLocation: sourceLocation)
        #expect(abs(time - view.seconds) < 1e-9, sourceLocation: sourceLocation)
        #expect(
          recording.frames[index].timestampSeconds == time, sourceLocation: sourceLocation)
      }
      let record = try #require(capture.depth, sourceLocation: sourceLocation)
      let camera = try #require(record.calibration?.intrinsics, sourceLocation: sourceLocation)
      #expect(camera.size == view.intrinsics.size, sourceLocation: sourceLocation)
      let moved = [
        camera.focalLength - view.intrinsics.focalLength,
        camera.principalPoint - view.intrinsics.principalPoint,
      ]
      // Half pixels added and taken away again may cost the last bit.
      #expect(
        moved.allSatisfy { max(abs($0.x), abs($0.y)) < 1e-12 }, sourceLocation: sourceLocation)
      guard case .depth(let map) = record.values else {
        Issue.record("no depth", sourceLocation: sourceLocation)
        return
      }
      let expected = DepthMap(millimeters: view.depth).meters.samples.map(\.bitPattern)
      #expect(map.meters.samples.map(\.bitPattern) == expected, sourceLocation: sourceLocation)
      // Depth is rounded to 1 mm, so no point is more than 0.5 mm along its ray off the plane.
      #expect(
        try farthest(map, camera, pose, sourceLocation) < 0.001, sourceLocation: sourceLocation)
    }
  }

  /// The largest distance of a frame's points from the plane in meters.
  private func farthest(
    _ map: DepthMap, _ camera: PinholeIntrinsics, _ pose: RigidTransform,
    _ sourceLocation: SourceLocation
  ) throws -> Double {
    let small = camera.scaled(to: map.size)
    var farthest = 0.0
    var count = 0
    for y in 0..<map.size.height {
      for x in 0..<map.size.width where !map.meters[x, y].isNaN {
        let depth = Double(map.meters[x, y])
        let point = pose * small.unproject([Double(x), Double(y)], depth: depth)
        farthest = max(farthest, abs((normal * point).sum() - distance))
        count += 1
      }
    }
    #expect(count == map.size.pixelCount - 1, sourceLocation: sourceLocation)
    return farthest
  }

  /// The same scene as captures, for writers.
  var captures: [Capture] {
    views.map { view in
      var capture = Capture(source: CaptureSource(camera: .lidar, interface: .arkit))
      capture.timestampSeconds = view.seconds
      capture.worldFromCamera = view.worldFromCamera
      capture.color = Self.color
      capture.colorSize = Self.colorSize
      var record = DepthRecord(
        values: .depth(DepthMap(millimeters: view.depth)), storedType: "u16", accuracy: .absolute)
      record.calibration = CameraCalibration(intrinsics: view.intrinsics)
      capture.depth = record
      return capture
    }
  }
}

extension RigidTransform {
  /// The rows of the 4×4 matrix of an ARKit or OpenGL camera, y up and z backward, at this place.
  var graphicsRows: [Double] {
    let (x, y, z, t) = (rotation.x, rotation.y, rotation.z, translation)
    return [
      x.x, -y.x, -z.x, t.x, x.y, -y.y, -z.y, t.y, x.z, -y.z, -z.z, t.z, 0, 0, 0, 1,
    ]
  }
}
