public import PlumblineModel
public import PlumblineVision

/// One frame of a calibration sequence: the board as the image shows it, what the sensor measured
/// on it, and what the device says of its camera.
///
/// It holds a few kilobytes, so that hundreds of frames can be assessed together while their images
/// are read one after the other.
public struct BoardFrame: Sendable {
  /// The name of the frame in messages.
  public var name: String
  /// The board as the image shows it.
  public var view: BoardView
  /// What the sensor measured on the board; `nil` when the frame has no depth.
  public var depth: BoardDepthSamples?
  /// The device's own numbers at the size of the image, with the lens as it describes it; `nil` when
  /// not given.
  public var factory: CameraCalibration?
  /// Whether the device says that it corrected the geometry of its images; `nil` when not said.
  public var isGeometryCorrected: Bool?

  /// Creates a frame; O(corners).
  ///
  /// - Parameters:
  ///   - name: What messages call the frame.
  ///   - view: The board as the image shows it.
  ///   - depth: The map of the image's field of view, in any size of its aspect ratio.
  ///   - factory: The device's own numbers.
  ///   - isGeometryCorrected: What the device says of its images.
  /// - Precondition: The calibration belongs to the size of the image.
  public init(
    name: String, view: BoardView, depth: DepthMap? = nil, factory: CameraCalibration? = nil,
    isGeometryCorrected: Bool? = nil
  ) {
    precondition(
      factory.map { $0.intrinsics.size == view.imageSize } ?? true,
      "a calibration for another size than the image's")
    self.name = name
    self.view = view
    self.depth = depth.map { BoardDepthSamples($0, on: view) }
    self.factory = factory
    self.isGeometryCorrected = isGeometryCorrected
  }
}
