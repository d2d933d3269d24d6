#if canImport(AVFoundation) && canImport(ARKit)
  internal import CoreMotion
  internal import Foundation
  internal import PlumblineModel

  /// The motion sensors beside a camera; stops with its last reference.
  final class DeviceMotion {
    private let manager = CMMotionManager()

    /// Starts the sensors at 100 Hz, where the device has them.
    init(into buffer: DepthCameraEventBuffer) {
      guard manager.isDeviceMotionAvailable else { return }
      manager.deviceMotionUpdateInterval = 0.01
      manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, _ in
        guard let motion else { return }
        let sample = MotionSample(
          timestampSeconds: motion.timestamp,
          rotationRate: [motion.rotationRate.x, motion.rotationRate.y, motion.rotationRate.z],
          gravity: [motion.gravity.x, motion.gravity.y, motion.gravity.z],
          userAcceleration: [
            motion.userAcceleration.x, motion.userAcceleration.y, motion.userAcceleration.z,
          ])
        buffer.offer(.motion([sample]))
      }
    }

    deinit { manager.stopDeviceMotionUpdates() }
  }
#endif
