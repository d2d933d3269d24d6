#if canImport(AVFoundation) && canImport(ARKit)
  internal import Synchronization

  /// How the device is held, written by the motion sensors and read for each frame.
  final class HeldOrientation: Sendable {
    private let state = Mutex(DeviceOrientation.portrait)

    /// The last way that was clear.
    var current: DeviceOrientation { state.withLock { $0 } }

    /// Takes gravity, in g.
    func update(_ gravity: SIMD3<Double>) {
      guard let held = DeviceOrientation(gravity: gravity) else { return }
      state.withLock { $0 = held }
    }
  }
#endif
