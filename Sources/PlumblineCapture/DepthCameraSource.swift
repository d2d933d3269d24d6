/// A live depth camera, a simulated one, or a recording played again.
public protocol DepthCameraSource: Sendable {
  /// Starts the camera; it delivers events in the order of time until it ends or the consumer stops.
  ///
  /// The buffer between camera and consumer is bounded; what does not fit is dropped and reported
  /// as ``DepthCameraEvent/dropped(_:)``, never silently.
  func events() -> DepthCameraEvents
}
