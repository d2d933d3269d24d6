package import PlumblineModel

/// A surface that frames are fused into and registered against.
package protocol FusedModel: Sendable {
  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - frame: Its own recorded pose is not used.
  ///   - worldFromCamera: The pose of its camera.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Throws: Where the model reaches a limit, such as that of memory.
  mutating func integrate(_ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int) throws

  /// The surface near a pose; its camera and pose may be others than those that are asked for.
  func view(camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int) -> SurfaceView
}
