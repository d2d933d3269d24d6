import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import PlumblineSimulation

/// Frames for the tests of screens: with known depths, and from the simulator.
enum Frames {
  static let size = RasterSize(width: 8, height: 6)

  /// A TrueDepth frame whose depth in meters is given by pixel; gray color of twice the size.
  static func capture(
    at seconds: Double = 0, orientation: ImageOrientation = .up,
    accuracy: DepthRecord.Accuracy = .absolute, focal: Double = 8,
    _ depthAt: (_ x: Int, _ y: Int) -> Float
  ) -> Capture {
    var source = CaptureSource(camera: .trueDepth, interface: .avfoundation)
    source.isGeometryCorrected = false
    var capture = Capture(source: source)
    capture.timestampSeconds = seconds
    let colorSize = RasterSize(width: 2 * size.width, height: 2 * size.height)
    capture.color = Raster(size: colorSize) { x, y in
      RGB8(red: UInt8(10 * x), green: UInt8(10 * y), blue: 100)
    }
    (capture.colorSize, capture.colorOrientation) = (colorSize, orientation)
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: size, depthAt))), storedType: "fdep",
      accuracy: accuracy)
    record.isFiltered = false
    record.orientation = orientation
    record.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(focal, focal),
        principalPoint: SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2, size: size))
    capture.depth = record
    return capture
  }

  /// Frames of the simulated camera, small and quick.
  static func simulated(
    _ count: Int, change: (inout LiveCameraSettings) -> Void = { _ in }
  ) async throws -> [DepthCameraEvent] {
    var settings = LiveCameraSettings()
    settings.size = RasterSize(width: 64, height: 48)
    settings.scene = .wall
    settings.viewCount = 2
    settings.frameLimit = count
    change(&settings)
    var events: [DepthCameraEvent] = []
    let camera = SimulatedDepthCamera(settings, pace: .asFastAsPossible)
    for try await event in camera.events() { events.append(event) }
    return events
  }
}

extension DepthCameraEvent {
  /// The frame; `nil` for other events.
  var frame: Capture? { if case .capture(let capture) = self { capture } else { nil } }
}
