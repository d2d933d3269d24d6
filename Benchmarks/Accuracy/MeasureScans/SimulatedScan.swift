import Foundation
import Plumbline
import PlumblineModel
import PlumblineRecordings
import PlumblineSimulation

/// What `simulate` wrote, made again from what its truth states: the scene and the camera's own way.
struct SimulatedScan {
  let folder: String
  let recording: SimulatedRecording
  /// From the frame in which surfaces of it lie: the world of its poses, else the first camera.
  let sceneFromMesh: RigidTransform
  let maximumDepth: Double

  private struct Truth: Decodable {
    struct Camera: Decodable { var name: String }
    struct Frame: Decodable { var statedWorldFromCamera: [[Double]]? }
    var scene: String
    var camera: Camera
    var seed: String
    var frames: [Frame]
  }

  static func read(folder: String, maximumDepth: Double) throws -> SimulatedScan {
    let file = URL(filePath: folder).appending(path: "truth/truth.json")
    let truth = try JSONDecoder().decode(Truth.self, from: Data(contentsOf: file))
    guard let scene = SimulationScene(rawValue: truth.scene),
      let camera = CameraPreset.named(truth.camera.name), let seed = UInt64(truth.seed)
    else {
      throw UnusableScan("\(truth.scene) by \(truth.camera.name) is not of this version")
    }
    let recording = scene.recording(by: camera, frames: truth.frames.count, seed: seed)
    let isPosed = truth.frames.contains { $0.statedWorldFromCamera != nil }
    return SimulatedScan(
      folder: folder, recording: recording,
      sceneFromMesh:
        isPosed ? SimulatedRecording.worldFromScene.inverse : recording.sceneFromCameras[0],
      maximumDepth: maximumDepth)
  }

  /// Writes the recorded maps, neither rectified nor filtered, with their stated poses.
  ///
  /// The dump: three int32 (count, width, height), four float64 (fx, fy, cx, cy); for each frame 16
  /// float64 (world from camera, row-major, NaN without one), float32 depth in meters, 0 where missing, then
  /// RGB in 8 bits at the same size.
  func dump(to path: String) throws {
    let (read, _) = try CaptureInput.recording(path: folder)
    var bytes = Data()
    func append<Value>(_ value: Value) {
      withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
    for index in read.frames.indices {
      let capture = try read.capture(at: index, color: .full)
      guard let record = capture.depth, let map = record.depthMap(camera: nil),
        let camera = record.calibration?.intrinsics.scaled(to: map.size),
        let color = capture.color?.averaged(to: map.size)
      else {
        throw UnusableScan("frame \(read.frameNames[index]) lacks depth, a camera or color")
      }
      if bytes.isEmpty {
        for number in [read.frames.count, map.size.width, map.size.height] { append(Int32(number)) }
        let (f, c) = (camera.focalLength, camera.principalPoint)
        for number in [f.x, f.y, c.x, c.y] { append(number) }
      }
      let pose = capture.worldFromCamera?.homogeneousRowMajor
      for number in pose ?? [Double](repeating: .nan, count: 16) { append(number) }
      let farthest = Float(min(maximumDepth, 1e6))
      for meters in map.meters.packed.samples { append(meters <= farthest ? meters : 0) }
      for pixel in color.packed.samples {
        bytes.append(contentsOf: [pixel.red, pixel.green, pixel.blue])
      }
    }
    try bytes.write(to: URL(filePath: path), options: .atomic)
  }
}

/// Why a folder is not taken.
struct UnusableScan: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
