extension DeviceOrientation {
  /// How a device is held, out of its gravity; `nil` while it lies flat or is between two ways.
  ///
  /// The caller keeps the last one then, so the answer does not flicker: a way counts from 30° off
  /// flat and only where it leads the other axis clearly. Both limits are this project's.
  /// - Source: Apple, *CMDeviceMotion.gravity* and *Getting raw accelerometer events*: x points right
  ///   and y up on the screen in portrait, in g; *UIDeviceOrientation* for the names.
  /// - Parameter gravity: The direction in which things fall, in g.
  public init?(gravity: SIMD3<Double>) {
    let (x, y) = (abs(gravity.x), abs(gravity.y))
    guard max(x, y) >= 0.5, max(x, y) >= 1.2 * min(x, y) else { return nil }
    if y > x {
      self = gravity.y < 0 ? .portrait : .portraitUpsideDown
    } else {
      self = gravity.x < 0 ? .landscapeLeft : .landscapeRight
    }
  }
}
