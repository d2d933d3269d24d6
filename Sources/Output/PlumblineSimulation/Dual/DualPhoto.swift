import PlumblineExport
package import PlumblineIO
package import PlumblineModel

/// A scene photographed by both cameras of a phone at once, with the ground truth of both images.
package struct DualPhoto: Sendable {
  /// The image and calibration of one camera.
  package struct Side: Sendable {
    /// Its name, such as `tele`.
    package var name: String
    /// The image.
    package var color: Raster<RGB8>
    /// The exact depth of each pixel center, in meters; NaN where the ray hits nothing.
    package var depth: DepthMap
    /// The calibration that the file states, at its reference size, with extrinsics.
    package var claimed: CameraCalibration
    /// The true calibration of the image, in its own pixels.
    package var truth: CameraCalibration
    /// The pose of the camera in the scene.
    package var sceneFromCamera: RigidTransform
  }

  /// The cameras.
  package let preset: DualCameraPreset
  /// The reference camera's image.
  package let first: Side
  /// The other camera's image.
  package let second: Side
  /// The seed of the images' noise.
  package let seed: UInt64

  /// Takes both images; equal arguments give equal bits on every platform.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - preset: The cameras.
  ///   - sceneFromFirst: The pose of the reference camera.
  ///   - size: The size of both images, with the aspect ratio of the presets.
  ///   - formation: The image formation of the cameras.
  ///   - seed: The seed of the noise.
  /// - Precondition: The size has the aspect ratio 4:3.
  /// - Complexity: O(pixels · surfaces): about 0.6 µs a pixel in a release build.
  package init(
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

extension DualPhoto {
  /// Both photos in an iPhone's format and the ground truth: `tele.jpg`, `wide.jpg`,
  /// `truth/depth_tele.npy`, `truth/depth_wide.npy` and `truth/truth.json`, with the cameras'
  /// names.
  ///
  /// Each photo contains a coarse, relative disparity map, since files store their calibration with
  /// it.
  /// - Returns: Names and bytes; one version of the JPEG library gives the same bytes for equal
  ///   images.
  /// - Throws: Errors of the JPEG encoder.
  package func files() throws(CaptureReadingError) -> [SimulatedFile] {
    var files: [SimulatedFile] = []
    for side in [first, second] {
      files.append(SimulatedFile(name: "\(side.name).jpg", bytes: try photo(side)))
    }
    for side in [first, second] {
      files.append(
        SimulatedFile(
          name: "truth/depth_\(side.name).npy", bytes: NPYWriter().bytes(side.depth.meters)))
    }
    files.append(SimulatedFile(name: "truth/truth.json", bytes: JSONWriter().bytes(truth)))
    return files
  }

  private func photo(_ side: Side) throws(CaptureReadingError) -> [UInt8] {
    var exif = PhotoExif(
      model: preset.model, lensModel: "\(preset.model) back \(side.name) camera, simulated")
    exif.focalLengthHundredths = side.name == "tele" ? 600 : 425
    var photo = ApplePhoto(color: side.color, exif: exif)
    let coarse = RasterSize(width: 64, height: 48)
    let disparity = DisparityMap(
      inverseMeters: side.depth.meters.scaledNearest(to: coarse).map { 1 / $0 })
    // A map with a single value has no range for quantization.
    let values = disparity.inverseMeters.samples.filter { !$0.isNaN }
    if let low = values.min(), let high = values.max(), low < high {
      photo.depth = ApplePhoto.DepthImage(
        SensorMeasurement(
          truth: side.depth, disparity: disparity, calibration: side.claimed, isFiltered: true,
          accuracy: .relative), calibration: side.claimed)
    }
    var writer = ApplePhotoWriter()
    writer.colorQuality = 95
    return try writer.bytes(of: photo)
  }

  private var truth: JSONValue {
    [
      "schema": "plumbline.dual-truth/1", "synthetic": .string(SimulationWriter.notice),
      "software": .string(SimulationWriter.software), "preset": .string(preset.name),
      "seed": .string(seed.description),
      "conventions":
        "meters; x right, y down, z forward; matrices row after row; pixels with the first center at (0, 0)",
      "cameras": .array([first, second].map(Self.camera)),
    ]
  }

  private static func camera(_ side: Side) -> JSONValue {
    let pinhole = side.truth.intrinsics
    let (r, t) = (side.sceneFromCamera.rotation, side.sceneFromCamera.translation)
    return [
      "name": .string(side.name), "photo": .string("\(side.name).jpg"),
      "depth": .string("truth/depth_\(side.name).npy"),
      "width": .integer(pinhole.size.width), "height": .integer(pinhole.size.height),
      "fx": .number(pinhole.focalLength.x), "fy": .number(pinhole.focalLength.y),
      "cx": .number(pinhole.principalPoint.x), "cy": .number(pinhole.principalPoint.y),
      "sceneFromCamera": .array([
        .numbers([r.x.x, r.y.x, r.z.x, t.x]), .numbers([r.x.y, r.y.y, r.z.y, t.y]),
        .numbers([r.x.z, r.y.z, r.z.z, t.z]), .numbers([0, 0, 0, 1]),
      ]),
    ]
  }
}
