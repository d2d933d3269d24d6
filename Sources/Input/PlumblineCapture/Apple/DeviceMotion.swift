#if os(iOS)
  internal import CoreMotion
  internal import Foundation
  internal import PlumblineModel

  /// The motion sensors beside a camera; they stop when the last reference is released.
  final class DeviceMotion {
    private let manager = CMMotionManager()

    /// Starts the sensors at 100 Hz, if the device has them.
    ///
    /// - Parameters:
    ///   - buffer: Receives the samples.
    ///   - held: Receives the orientation of the device.
    init(into buffer: DepthCameraEventBuffer, held: HeldOrientation) {
      guard manager.isDeviceMotionAvailable else { return }
      manager.deviceMotionUpdateInterval = 0.01
      // A serial queue, so that samples keep their order.
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      manager.startDeviceMotionUpdates(to: queue) { motion, _ in
        guard let motion else { return }
        held.update([motion.gravity.x, motion.gravity.y, motion.gravity.z])
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
