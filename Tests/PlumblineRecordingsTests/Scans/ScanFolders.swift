import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
import PlumblineTestSupport

/// Scans in the layouts of apps and data sets, as their public documentation describes them.
enum ScanFolders {
  private static func text(_ numbers: [Double]) -> String {
    "[" + numbers.map(\.description).joined(separator: ",") + "]"
  }

  private static func png(_ view: PlaneScene.View) -> [UInt8] { PNGEncoder().encoded(view.depth) }

  /// Polycam's raw data in a folder `scan`.
  static func polycam(_ scene: PlaneScene, isCorrected: Bool = true) -> MemoryFolder {
    var folder = MemoryFolder()
    for view in scene.views {
      let time = Int((view.seconds * 1_000_000).rounded())
      let rows = view.worldFromCamera.graphicsRows
      let matrix = (0..<12).map { "\"t_\($0 / 4)\($0 % 4)\":\(rows[$0])" }.joined(separator: ",")
      let k = view.intrinsics
      let camera =
        "{\"fx\":\(k.focalLength.x),\"fy\":\(k.focalLength.y),\"cx\":\(k.principalPoint.x),"
        + "\"cy\":\(k.principalPoint.y),\"width\":64,\"height\":48,\"blur_score\":181.5,"
      folder.files["scan/keyframes/cameras/\(time).json"] = Array(
        (camera + (isCorrected ? "\"t_00\":1}" : "\(matrix)}")).utf8)
      folder.files["scan/keyframes/images/\(time).jpg"] = PlaneScene.colorPNG
      if isCorrected {
        folder.files["scan/keyframes/corrected_cameras/\(time).json"] = Array(
          "\(camera)\(matrix)}".utf8)
        folder.files["scan/keyframes/corrected_images/\(time).jpg"] = PlaneScene.colorPNG
      }
      folder.files["scan/keyframes/depth/\(time).png"] = png(view)
      folder.files["scan/keyframes/confidence/\(time).png"] = PlaneScene.confidence([0, 127, 255])
    }
    folder.files["scan/mesh_info.json"] = Array(
      "{\"alignmentTransform\":[1,0,0,0,0,1,0,0,0,0,1,0,0.5,0,-2,1]}".utf8)
    folder.files["scan/raw.glb"] = [1]
    return folder
  }

  /// A scan of 3D Scanner App with a color image for the first view alone.
  static func scannerApp3D(_ scene: PlaneScene) -> MemoryFolder {
    var folder = MemoryFolder(["info.json": Array("{\"title\":\"scan\"}".utf8)])
    for (index, view) in scene.views.enumerated() {
      let digits = String(100_000 + index).dropFirst()
      let k = view.intrinsics
      let matrix: [Double] = [
        k.focalLength.x, 0, k.principalPoint.x, 0, k.focalLength.y, k.principalPoint.y, 0, 0, 1,
      ]
      folder.files["frame_\(digits).json"] = Array(
        ("{\"cameraPoseARFrame\":\(text(view.worldFromCamera.graphicsRows)),"
          + "\"intrinsics\":\(text(matrix)),\"time\":\(view.seconds),\"motionQuality\":0.875}").utf8
      )
      folder.files["depth_\(digits).png"] = png(view)
      folder.files["conf_\(digits).png"] = PlaneScene.confidence()
    }
    folder.files["frame_00000.jpg"] =
      (try? JPEGEncoder(quality: 90).encoded(PlaneScene.color)) ?? []
    return folder
  }

  /// One video of ARKitScenes; poses are written 1 ms late.
  static func arkitScenes(_ scene: PlaneScene) -> MemoryFolder {
    var folder = MemoryFolder()
    var trajectory = ""
    for view in scene.views {
      // Three decimals, as the data set has them.
      let milliseconds = Int((view.seconds * 1000).rounded())
      let stem = "41254925_\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
      let cameraFromWorld = view.worldFromCamera.inverse
      let turn = cameraFromWorld.rotation.axisAngle
      let move = cameraFromWorld.translation
      let numbers = [turn.x, turn.y, turn.z, move.x, move.y, move.z]
      trajectory += (view.seconds + 0.001).fixed(3) + " "
      trajectory += numbers.map(\.description).joined(separator: " ") + "\n"
      let k = view.intrinsics
      let camera =
        "64 48 \(k.focalLength.x) \(k.focalLength.y) \(k.principalPoint.x) \(k.principalPoint.y)"
      folder.files["lowres_wide_intrinsics/\(stem).pincam"] = Array(camera.utf8)
      folder.files["lowres_depth/\(stem).png"] = png(view)
      folder.files["confidence/\(stem).png"] = PlaneScene.confidence()
      folder.files["lowres_wide/\(stem).png"] = PlaneScene.colorPNG
    }
    folder.files["lowres_wide.traj"] = Array(trajectory.utf8)
    return folder
  }

  /// What a writer makes of the scene.
  static func written(
    _ scene: PlaneScene, axes: WorldAxes = .yUp,
    _ makeWriter: (any RecordingOutput, RecordingHeader) -> any RecordingWriter
  ) throws -> MemoryFolder {
    let output = MemoryOutput()
    var writer = makeWriter(output, RecordingHeader(worldAxes: axes, origin: "a test"))
    for (index, capture) in scene.captures.enumerated() {
      try writer.append(capture, name: "\(index)")
    }
    try writer.finish()
    return output.folder
  }

  static func nerfstudio(_ scene: PlaneScene, axes: WorldAxes = .yUp) throws -> MemoryFolder {
    try written(scene, axes: axes) { NerfstudioRecordingWriter(output: $0, header: $1) }
  }

  static func colmap(
    _ scene: PlaneScene, _ encoding: COLMAPRecordingWriter.Encoding
  ) throws -> MemoryFolder {
    try written(scene) { COLMAPRecordingWriter(output: $0, header: $1, encoding: encoding) }
  }
}

extension MemoryFolder {
  /// The same folder with its files under other names; those that get none are left out.
  func renamed(_ rename: (String) -> String?) -> MemoryFolder {
    var folder = MemoryFolder()
    for (name, bytes) in files {
      if let other = rename(name) { folder.files[other] = bytes }
    }
    return folder
  }

  /// The same folder with a text put in place of another one in a file.
  func replacing(_ old: String, with new: String, in name: String) -> MemoryFolder {
    var folder = self
    let text = String(decoding: files[name] ?? [], as: UTF8.self)
    folder.files[name] = Array(text.replacing(old, with: new).utf8)
    return folder
  }
}
