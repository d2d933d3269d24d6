import Foundation
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// Files of poses, and recordings that get them.
struct RecordingPosesTests {
  static let captures = SampleCaptures.frames(4)
  static let recording = ScanScene.recording(captures)

  /// Poses far from the recorded ones, of all frames but the third, one of them of another surface.
  static let poses = RecordingPoses(
    frames: (0..<4).map { index in
      let pose = RigidTransform(
        rotation: Rotation(axisAngle: [0.1 * Double(index), -0.7, 0.3]) ?? .identity,
        translation: [1 / 3 + Double(index), -2.5, 0.1])
      return RecordingPoses.Frame(
        name: "f\(index)", timestampSeconds: captures[index].timestampSeconds,
        worldFromCamera: index == 2 ? nil : pose,
        covariance: index == 2 ? nil : (0..<36).map { 1e-7 * Double($0) / 3 },
        state: index == 2 ? "lost: noOverlap" : "tracked", surface: index == 2 ? nil : 1)
    }, worldAxes: .zUp, basis: "a test")

  private func read(_ bytes: [UInt8]) throws -> RecordingPoses {
    try RecordingPoses(parsing: bytes, named: "p")
  }

  @Test("JSON gives back every bit; TUM gives back the poses that have a time")
  func roundTrip() throws {
    let json = try read(Self.poses.bytes(as: .json, recording: "r"))
    #expect(json.worldAxes == .zUp && json.frames.count == 4)
    for (a, b) in zip(json.frames, Self.poses.frames) {
      #expect(a.name == b.name && a.timestampSeconds == b.timestampSeconds)
      #expect(a.worldFromCamera == b.worldFromCamera && a.covariance == b.covariance)
      #expect(a.state == b.state && a.surface == b.surface)
    }
    let tum = try read(Self.poses.bytes(as: .tum, recording: "a\nb"))
    #expect(tum.worldAxes == .zUp && tum.frames.count == 3)
    for (a, b) in zip(tum.frames, [0, 1, 3].map { Self.poses.frames[$0] }) {
      let (own, other) = try (#require(a.worldFromCamera), #require(b.worldFromCamera))
      #expect(a.timestampSeconds == b.timestampSeconds && own.translation == other.translation)
      // By a quaternion and back.
      #expect(zip(own.rowMajor, other.rowMajor).allSatisfy { abs($0 - $1) < 1e-15 })
    }
  }

  @Test("A recording takes poses by name and by time; frames without one have none")
  func replaced() throws {
    for format in RecordingPoses.Format.allCases {
      let poses = try read(Self.poses.bytes(as: format, recording: "r"))
      let posed = try Self.recording.posed(by: poses)
      #expect(posed.posedIndices == [0, 1, 3] && posed.recording.worldAxes == .zUp)
      for index in 0..<4 {
        let capture = try posed.recording.capture(at: index)
        let expected = Self.poses.frames[index].worldFromCamera
        #expect((capture.worldFromCamera == nil) == (expected == nil))
        if let own = capture.worldFromCamera, let expected {
          #expect(zip(own.rowMajor, expected.rowMajor).allSatisfy { abs($0 - $1) < 1e-15 })
        }
        #expect(capture.provenance.last?.kind == .poseReplaced)
        #expect(capture.timestampSeconds == Self.captures[index].timestampSeconds)
      }
    }
  }

  @Test("A pose belongs to the nearest frame alone: poses of every other frame give no others one")
  func nearestOnly() throws {
    var sparse = Self.poses
    sparse.frames = [0, 3].map { index in
      var frame = Self.poses.frames[index]
      frame.name = nil
      frame.timestampSeconds = frame.timestampSeconds.map { $0 + 0.004 }
      return frame
    }
    #expect(try Self.recording.posed(by: sparse).posedIndices == [0, 3])
  }

  @Test("Poses of another recording are refused, and those of other surfaces are not used")
  func mismatches() throws {
    var other = Self.poses
    other.frames[1].name = "g1"
    #expect(throws: PosesFileError.self) { try Self.recording.posed(by: other) }
    var later = Self.poses
    later.frames[1].timestampSeconds = 107
    #expect(throws: PosesFileError.self) { try Self.recording.posed(by: later) }
    var second = Self.poses
    second.frames[3].surface = 2
    #expect(second.otherWorldCount == 1 && second.usableCount == 2)
    #expect(try Self.recording.posed(by: second).posedIndices == [0, 1])
    for index in second.frames.indices { second.frames[index].worldFromCamera = nil }
    #expect(throws: PosesFileError.self) { try Self.recording.posed(by: second) }
    var timeless = Self.poses
    timeless.frames[0].timestampSeconds = nil
    #expect(throws: CaptureReadingError.self) { try timeless.bytes(as: .tum, recording: "r") }
  }

  @Test(
    "Damaged files are refused with the place",
    arguments: [
      "", "{}", #"{"schema":"plumbline.poses/2"}"#, #"{"schema":"plumbline.poses/1"}"#,
      #"{"schema":"plumbline.poses/1","frames":[{"name":"a","worldFromCamera":[1,2]}]}"#,
      #"{"schema":"plumbline.poses/1","frames":[{"name":"a","worldFromCamera":[2,0,0,0,0,1,0,0,0,0,1,0]}]}"#,
      #"{"schema":"plumbline.poses/1","frames":[{"seconds":1}]}"#, "1 2 3", "1 0 0 0 0 0 0 0",
      "1 0 0 0 nan 0 0 1", "a b c d e f g h",
    ])
  func damaged(text: String) throws {
    let bytes = Array(text.utf8)
    // An empty text is a list without poses, which no recording takes.
    if text.isEmpty {
      let empty = try read(bytes)
      #expect(throws: PosesFileError.self) { try Self.recording.posed(by: empty) }
    } else {
      #expect(throws: (any Error).self) { try read(bytes) }
    }
  }
}

/// Recordings with other poses as other programs read them.
struct RefinedPosesExportTests {
  private func written(_ format: RecordingFormat) throws -> TemporaryFolder {
    let posed = try RecordingPosesTests.recording.posed(by: RecordingPosesTests.poses)
    let folder = try TemporaryFolder()
    _ = try RecordingConverter(format).convert(
      posed.recording, indices: posed.posedIndices, path: folder.file("out"), origin: "test")
    return folder
  }

  private var expected: [RigidTransform] {
    RecordingPosesTests.poses.frames.compactMap(\.worldFromCamera)
  }

  private struct Image: Decodable {
    var cameraFromWorld: [Double]
  }

  @Test(
    "pycolmap reads them from COLMAP's model",
    .enabled(if: PythonPeer.has("pycolmap"), Comment(rawValue: PythonPeer.absence("pycolmap"))))
  func colmap() throws {
    let folder = try written(.colmap)
    let images = try JSONDecoder().decode(
      [Image].self,
      from: Data(try PythonPeer.run("colmap_model.py", folder.file("out/sparse/0"), "0,0,1")))
    #expect(images.count == 3)
    for (image, pose) in zip(images, expected) {
      // A quaternion and an inverse; positions reach 4 m.
      #expect(
        zip(image.cameraFromWorld, pose.inverse.rowMajor).allSatisfy { abs($0 - $1) < 1e-14 })
    }
  }

  @Test(
    "numpy reads them from TUM's list",
    .enabled(if: PythonPeer.has("numpy"), Comment(rawValue: PythonPeer.absence("numpy"))))
  func tum() throws {
    let folder = try written(.tum)
    let code =
      "import sys,json,numpy\nprint(json.dumps(numpy.loadtxt(sys.argv[1]).tolist()))"
    let rows = try JSONDecoder().decode(
      [[Double]].self,
      from: Data(try PythonPeer.evaluate(code, folder.file("out/groundtruth.txt"))))
    #expect(rows.count == 3)
    for (row, pose) in zip(rows, expected) {
      let q = pose.rotation.quaternion
      #expect(Array(row[1...3]) == [pose.translation.x, pose.translation.y, pose.translation.z])
      #expect(Array(row[4...7]) == [q.x, q.y, q.z, q.w])
    }
  }

  @Test("A JSON reader finds them in nerfstudio's file, with depth and a camera for each frame")
  func nerfstudio() throws {
    let folder = try written(.nerfstudio)
    let bytes = try #require(folder.bytes("out/transforms.json"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let frames = try #require(document["frames"] as? [[String: Any]])
    #expect(frames.count == 3)
    for (frame, pose) in zip(frames, expected) {
      let matrix = try #require(frame["transform_matrix"] as? [[Double]]).flatMap(\.self)
      // The file's camera looks along −z with y up; a world with z up stays as it is.
      let flipped = pose.rowMajor.enumerated().map {
        $0.offset % 4 == 1 || $0.offset % 4 == 2 ? -$0.element : $0.element
      }
      #expect(zip(matrix, flipped).allSatisfy { abs($0 - $1) < 1e-15 })
      #expect(frame["depth_file_path"] != nil && frame["fl_x"] != nil)
    }
    #expect(Set(frames.compactMap { $0["fl_x"] as? Double }).count == 3)
  }
}
