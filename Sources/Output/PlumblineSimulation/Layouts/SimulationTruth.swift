internal import PlumblineExport
import PlumblineIO
internal import PlumblineModel
internal import PlumblineVision

/// The ground truth of a recording, as files for comparison by programs.
struct SimulationTruth {
  private let recording: SimulatedRecording
  private let layout: SimulationLayout

  init(_ recording: SimulatedRecording, layout: SimulationLayout) {
    self.recording = recording
    self.layout = layout
  }

  /// The exact depth of each pixel center, in meters.
  func depthFile(of frame: SimulatedFrame) -> SimulatedFile {
    SimulatedFile(
      name: depthName(of: frame), bytes: NPYWriter().bytes(frame.measurement.truth.meters))
  }

  private func depthName(of frame: SimulatedFrame) -> String {
    "truth/depth_\(frame.timestampMilliseconds).npy"
  }

  /// The ground truth of one frame.
  func document(
    of frame: SimulatedFrame, files: [String], statedWorldFromCamera: RigidTransform?
  ) -> JSONValue {
    [
      "index": .integer(frame.index),
      "timestampMilliseconds": .integer(frame.timestampMilliseconds),
      "files": .array(files.map { .string($0) }),
      "sceneFromCamera": matrix(frame.sceneFromCamera),
      "statedWorldFromCamera": statedWorldFromCamera.map(matrix) ?? .null,
      "cameraFromBoard": frame.cameraFromBoard.map(matrix) ?? .null,
      "color": camera(frame.trueColor), "depth": camera(frame.trueDepth),
      "claimed": camera(frame.measurement.calibration),
      "corners": .array(
        frame.corners.map { corner in
          .array([.integer(corner.id), .number(corner.pixel.x), .number(corner.pixel.y)])
        }),
    ]
  }

  /// The document about all frames; see `Documentation/simulator.md`.
  func file(_ frames: [FrameSummary]) -> SimulatedFile {
    let camera = recording.camera
    let document: JSONValue = [
      "schema": "plumbline.truth/1", "synthetic": .string(SimulationWriter.notice),
      "software": .string(SimulationWriter.software), "scene": .string(recording.sceneName),
      "layout": .string(layout.rawValue),
      "camera": [
        "name": .string(camera.name), "model": .string(camera.model),
        "interface": .string(camera.interface.rawValue), "isMirrored": .bool(camera.isMirrored),
        "isGeometricDistortionCorrected": .bool(camera.isGeometricDistortionCorrected),
      ],
      "seed": .string(recording.seed.description),
      "faults": .array(recording.faultNames.map { .string($0) }),
      "board": recording.board.map { board($0.board) } ?? .null,
      "conventions":
        "meters; x right, y down, z forward; matrices row after row; pixels with the first center at (0, 0)",
      "sceneFromWorld": matrix(SimulatedRecording.worldFromScene.inverse),
      "frames": .array(frames.map(\.truth)),
    ]
    return SimulatedFile(name: "truth/truth.json", bytes: JSONWriter().bytes(document))
  }

  private func board(_ board: Board) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("columns", .integer(board.columns)), ("rows", .integer(board.rows)),
      ("squareMeters", .number(board.squareMeters)),
    ]
    switch board.pattern {
    case .chessboard: members.append(("kind", "chessboard"))
    case .charuco(let pattern):
      members += [
        ("kind", "charuco"), ("dictionary", .string(pattern.dictionary.rawValue)),
        ("layout", .string(pattern.layout.rawValue)),
        ("markerShare", .number(pattern.markerShare)),
        ("firstMarker", .integer(pattern.firstMarker)),
      ]
    }
    return .object(members)
  }

  private func matrix(_ transform: RigidTransform) -> JSONValue {
    let (r, t) = (transform.rotation, transform.translation)
    return .array([
      .numbers([r.x.x, r.y.x, r.z.x, t.x]), .numbers([r.x.y, r.y.y, r.z.y, t.y]),
      .numbers([r.x.z, r.y.z, r.z.z, t.z]), .numbers([0, 0, 0, 1]),
    ])
  }

  private func camera(_ calibration: CameraCalibration) -> JSONValue {
    let intrinsics = calibration.intrinsics
    let lens = calibration.distortion.map { lens -> JSONValue in
      [
        "centerX": .number(lens.center.x), "centerY": .number(lens.center.y),
        "maximumRadius": .number(lens.maximumRadius),
        "distortingTable": .numbers(lens.tableEntries(lens.distorting).map(Double.init)),
      ]
    }
    return [
      "fx": .number(intrinsics.focalLength.x), "fy": .number(intrinsics.focalLength.y),
      "cx": .number(intrinsics.principalPoint.x), "cy": .number(intrinsics.principalPoint.y),
      "width": .integer(intrinsics.size.width), "height": .integer(intrinsics.size.height),
      "lens": lens ?? .null,
    ]
  }
}
