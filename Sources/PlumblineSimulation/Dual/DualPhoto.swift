public import PlumblineModel

/// A scene photographed by both cameras of a phone at once, and what is true about both images.
public struct DualPhoto: Sendable {
  /// The image and calibration of one camera.
  public struct Side: Sendable {
    /// Its name, such as `tele`.
    public var name: String
    /// The image.
    public var color: Raster<RGB8>
    /// The exact depth of each pixel center, in meters; NaN where nothing is seen.
    public var depth: DepthMap
    /// The calibration that the file states, at its reference size, with extrinsics.
    public var claimed: CameraCalibration
    /// The true calibration of the image, in its own pixels.
    public var truth: CameraCalibration
    /// The pose of the camera in the scene.
    public var sceneFromCamera: RigidTransform
  }

  /// The cameras.
  public let preset: DualCameraPreset
  /// The reference camera's image.
  public let first: Side
  /// The other camera's image.
  public let second: Side
  /// The seed of the images' noise.
  public let seed: UInt64

  /// Takes both images; equal arguments give equal bits on every platform.
  ///
  /// - Parameters:
  ///   - scene: What is seen.
  ///   - preset: The cameras.
  ///   - sceneFromFirst: Where the reference camera stands.
  ///   - size: The size of both images, of the shape of the presets'.
  ///   - formation: What the cameras do to light.
  ///   - seed: The seed of the noise.
  /// - Precondition: The size has the shape 4:3.
  /// - Complexity: O(pixels · surfaces): about 0.6 µs a pixel in a release build.
  public init(
    of scene: SimulatedScene, by preset: DualCameraPreset, from sceneFromFirst: RigidTransform,
    size: RasterSize, formation: ImageFormation = ImageFormation(), seed: UInt64
  ) {
    func side(_ name: String, _ claimed: CameraCalibration, _ seed: UInt64) -> Side {
      let truth = preset.truth(claimed).scaled(to: size)
      let referenceFromCamera = claimed.extrinsics?.referenceFromCamera ?? .identity
      let place = sceneFromFirst * referenceFromCamera
      let view = SceneRenderer(
        scene: scene, rays: CameraRayGrid(truth), sceneFromCamera: place
      ).view()
      return Side(
        name: name, color: formation.image(of: view.radiance, seed: seed), depth: view.depth,
        claimed: claimed, truth: truth, sceneFromCamera: place)
    }
    self.preset = preset
    self.seed = seed
    first = side(preset.firstName, preset.first, seed)
    second = side(preset.secondName, preset.second, seed ^ 0x5EC0_4D)
  }
}
