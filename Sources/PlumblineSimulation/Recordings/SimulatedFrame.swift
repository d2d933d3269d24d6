public import PlumblineModel
public import PlumblineVision

/// One frame of a simulated recording, and what is true about it.
public struct SimulatedFrame: Sendable {
  /// Its number, from 0.
  public var index: Int
  /// Milliseconds on the device's clock.
  public var timestampMilliseconds: Int
  /// The color image.
  public var color: Raster<RGB8>
  /// The exact depth, what the sensor says, and what the device claims, at its reference size.
  public var measurement: SensorMeasurement
  /// The true calibration of the color image, in its own pixels.
  public var trueColor: CameraCalibration
  /// The true calibration of the depth map, in its own pixels.
  public var trueDepth: CameraCalibration
  /// Where the camera stands; a determinant of −1 says that its images are mirrored.
  public var sceneFromCamera: RigidTransform
  /// The pose of the board in the camera's frame; `nil` without a board.
  public var cameraFromBoard: RigidTransform?
  /// The board's corners that the color image shows, in its pixels, exact.
  public var corners: [BoardCorner]

  /// The sensor's depth map, in meters.
  public var depth: DepthMap { measurement.disparity.depthMap }
}
