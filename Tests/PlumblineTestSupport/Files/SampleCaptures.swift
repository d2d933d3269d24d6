package import PlumblineModel

/// Small captures with everything that a recording can hold, for writers and their readers.
///
/// Depth grows by whole millimeters, so that formats which round to them lose nothing; colors are
/// smooth, so that JPEG keeps them within a few levels.
package enum SampleCaptures {
  /// The size of color images; depth maps have half of it.
  package static let colorSize = RasterSize(width: 64, height: 48)
  /// The size of depth maps.
  package static let depthSize = RasterSize(width: 32, height: 24)

  /// Some frames at 30 Hz from second 100, each with its own camera numbers and pose.
  package static func frames(_ count: Int) -> [Capture] { (0..<count).map(frame) }

  /// One frame.
  package static func frame(_ index: Int) -> Capture {
    var source = CaptureSource(camera: .lidar, interface: .arkit)
    source.make = "Apple"
    source.model = "iPhone 15 Pro"
    var capture = Capture(source: source)
    capture.timestampSeconds = 100 + Double(index) / 30
    capture.colorSize = colorSize
    capture.color = Raster(size: colorSize) { x, y in
      RGB8(red: UInt8(3 * x), green: UInt8(4 * y), blue: UInt8(40 + index % 100))
    }
    let turn = 0.01 * Double(index)
    // A small turn about y by its half tangent, so that the matrix is orthogonal to rounding.
    let cosine = (1 - turn * turn) / (1 + turn * turn)
    let sine = 2 * turn / (1 + turn * turn)
    capture.worldFromCamera = RigidTransform(
      rotation: Rotation(x: [cosine, 0, -sine], y: [0, 1, 0], z: [sine, 0, cosine]),
      translation: [0.02 * Double(index), 1.4, -0.01 * Double(index)])
    let depth = DepthMap(
      millimeters: Raster(size: depthSize) { x, y in
        x == 3 && y == 2 ? 0 : UInt16(900 + 10 * x + 7 * y + index)
      })
    var record = DepthRecord(values: .depth(depth), storedType: "fdep", accuracy: .absolute)
    record.isFiltered = false
    record.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [50 + 0.125 * Double(index), 50 + 0.125 * Double(index)],
        principalPoint: [31.25, 24.5], size: colorSize))
    record.confidence = ConfidenceMap(
      levels: Raster(size: depthSize) { x, y in UInt8((x + y + index) % 3) }, maximumLevel: 2)
    capture.depth = record
    return capture
  }

  /// Motion samples at 100 Hz over some frames.
  package static func motion(frames count: Int) -> [MotionSample] {
    (0..<(count * 10 / 3)).map { index in
      var sample = MotionSample(timestampSeconds: 100 + Double(index) / 100)
      sample.rotationRate = [0.01 * Double(index), -0.25, 0.5]
      sample.specificForce = [0.125, 9.75, 0.0625 * Double(index % 16)]
      return sample
    }
  }
}
