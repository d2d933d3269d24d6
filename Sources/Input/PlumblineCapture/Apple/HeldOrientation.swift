#if os(iOS)
  internal import Synchronization

  /// The current orientation of the device, written by the motion sensors and read for each frame.
  final class HeldOrientation: Sendable {
    private let state = Mutex(DeviceOrientation.portrait)

    /// The last unambiguous orientation.
    var current: DeviceOrientation { state.withLock { $0 } }

    /// Updates the orientation from gravity, in g.
    func update(_ gravity: SIMD3<Double>) {
      guard let held = DeviceOrientation(gravity: gravity) else { return }
      state.withLock { $0 = held }
    }
  }
#endif
