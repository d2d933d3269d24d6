public import PlumblineModel

extension MotionSample {
  /// A sample out of `CMDeviceMotion`: its gravity and user acceleration, both in g.
  ///
  /// - Source: Apple, *CMDeviceMotion*: the device's acceleration is the sum of both, and gravity
  ///   points down; an accelerometer feels the opposite (ROS REP 145).
  /// - Parameters:
  ///   - timestampSeconds: Seconds since the device started, the clock of camera frames too.
  ///   - rotationRate: Radians per second.
  ///   - gravity: In g.
  ///   - userAcceleration: In g.
  public init(
    timestampSeconds: Double, rotationRate: SIMD3<Double>, gravity: SIMD3<Double>,
    userAcceleration: SIMD3<Double>
  ) {
    self.init(timestampSeconds: timestampSeconds)
    self.rotationRate = rotationRate
    specificForce = (gravity + userAcceleration) * -Self.standardGravity
  }
}
