import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("nerfstudio")
struct NerfstudioTests {
  let scene = PlaneScene(count: 11)

  @Test("Gives back what it writes, whichever axis is up", arguments: WorldAxes.allCases)
  func roundTrip(axes: WorldAxes) throws {
    let recording = try Recording(folder: ScanFolders.nerfstudio(scene, axes: axes))
    #expect(recording.layout == "nerfstudio")
    #expect(recording.worldAxes == axes)
    #expect(recording.findings.isEmpty)
    // Numbers change places and signs alone.
    try scene.expect(recording, tolerance: 0)
    let capture = try recording.capture(at: 10)
    #expect(capture.color == PlaneScene.color)
    #expect(capture.findings.isEmpty)
  }

  @Test("Worlds with +Y up are +Z up in the file, and applied_transform takes the one to the other")
  func upward() throws {
    let folder = try ScanFolders.nerfstudio(scene)
    let json = try RecordedJSON(
      parsing: folder.bytes(of: "transforms.json")[...], limits: ReadingLimits())
    let frame = try #require(json["frames"]?.elements?.first)
    let rows = frame["transform_matrix"]?.elements?.compactMap { $0.numbers } ?? []
    try #require(rows.count == 4)
    // Cameras stand between 1 and 1.5 m high.
    #expect(rows[2][3] == scene.views[0].worldFromCamera.translation.y)
    let applied = json["applied_transform"]?.elements?.compactMap { $0.numbers }
    #expect(applied == [[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0]])
    #expect(frame["cx"]?.number == scene.views[0].intrinsics.principalPoint.x + 0.5)
  }

  @Test("Radial terms are kept, tables refused")
  func lenses() throws {
    var capture = scene.captures[0]
    let camera = scene.views[0].intrinsics
    let lens = LensDistortion(radialPolynomial: [0.1, -0.02, 0.003], of: camera)
    capture.depth?.calibration?.distortion = lens
    let output = MemoryOutput()
    var writer = NerfstudioRecordingWriter(
      output: output, header: RecordingHeader(origin: "a test"))
    try writer.append(capture, name: "a")
    capture.depth?.calibration?.distortion = LensDistortion(
      center: [31, 23], size: camera.size, distorting: .table([0, 0.1]), undistorting: nil)
    #expect(throws: RecordingWritingError.self) { try writer.append(capture, name: "b") }
    try writer.finish()
    let read = try #require(Recording(folder: output.folder).capture(at: 0).depth?.calibration)
    let terms = try #require(read.distortion?.radialPolynomial(of: read.intrinsics))
    // Percents and focal lengths cost a few roundings.
    #expect(abs(terms.x - 0.1) < 1e-15 && abs(terms.y + 0.02) < 1e-15)
    #expect(abs(terms.z - 0.003) < 1e-15)
  }

  @Test("What the format cannot hold is refused, and the next frame can be written")
  func unrepresentable() throws {
    let sound = scene.captures[0]
    var cases: [Capture] = []
    for index in 0..<6 {
      var capture = sound
      switch index {
      case 0: capture.color = nil
      case 1: capture.worldFromCamera = nil
      case 2: capture.depth?.calibration = nil
      case 3: capture.depth = nil
      case 4: capture.depth?.accuracy = .relative
      default:
        capture.depth?.values = .depth(
          DepthMap(meters: Raster(size: PlaneScene.depthSize, repeating: 70)))
      }
      cases.append(capture)
    }
    let output = MemoryOutput()
    var writer = NerfstudioRecordingWriter(
      output: output, header: RecordingHeader(origin: "a test"))
    #expect(throws: RecordingWritingError.self) { try writer.finish() }
    try writer.append(sound, name: "sound")
    for capture in cases {
      #expect(throws: RecordingWritingError.self) { try writer.append(capture, name: "bad") }
    }
    try writer.append(sound, name: "sound")
    try writer.finish()
    #expect(try Recording(folder: output.folder).frames.count == 2)
    var full = NerfstudioRecordingWriter(
      output: MemoryOutput(capacity: 50), header: RecordingHeader(origin: "a test"))
    #expect(throws: RecordingWritingError.self) { try full.append(sound, name: "0") }
  }

  @Test("Global numbers, an angle of view, frames without endings and NumPy depth are read")
  func relatives() throws {
    var folder = MemoryFolder()
    let view = scene.views[0]
    let rows = view.worldFromCamera.graphicsRows
    let matrix = (0..<4).map {
      "[" + rows[4 * $0..<4 * $0 + 4].map(\.description).joined(separator: ",") + "]"
    }
    let frame =
      "\"file_path\":\"./train/r_0\",\"depth_file_path\":\"d/0.npy\",\"transform_matrix\":[\(matrix.joined(separator: ","))]"
    folder.files["transforms.json"] = Array(
      "{\"camera_angle_x\":1.0471975511965976,\"w\":64,\"h\":48,\"frames\":[{\(frame)}]}".utf8)
    folder.files["train/r_0.png"] = PlaneScene.colorPNG
    folder.files["d/0.npy"] = Self.numpy(
      view.depth.samples.map { Float($0) / 1000 }, PlaneScene.depthSize)
    let recording = try Recording(folder: folder)
    #expect(recording.frameNames == ["r_0"])
    #expect(recording.worldAxes == .zUp)
    let capture = try recording.capture(at: 0)
    // 32 px by the tangent of 30°.
    let camera = try #require(capture.depth?.calibration?.intrinsics)
    #expect(abs(camera.focalLength.x - 32 * 3.0.squareRoot()) < 1e-12)
    #expect(camera.principalPoint == [31.5, 23.5])
    guard case .depth(let map) = capture.depth?.values else { throw CocoaError(.fileReadUnknown) }
    #expect(map.meters[5, 5] == Float(view.depth[5, 5]) / 1000)
    folder.files["d/0.npy"] = Self.numpy(
      view.depth.samples.map { Float($0) }, PlaneScene.depthSize)
    guard case .depth(let same) = try recordingDepth(folder) else {
      throw CocoaError(.fileReadUnknown)
    }
    #expect(abs(same.meters[5, 5] - map.meters[5, 5]) < 1e-6)
  }

  private func recordingDepth(_ folder: MemoryFolder) throws -> DepthRecord.Values? {
    try Recording(folder: folder).capture(at: 0).depth?.values
  }

  /// A NumPy file of version 1.0.
  static func numpy(_ samples: [Float], _ size: RasterSize) -> [UInt8] {
    var header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (\(size.height), \(size.width)), }"
    header += String(repeating: " ", count: 117 - header.count) + "\n"
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0]
    bytes += Array(header.utf8)
    for sample in samples { withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes += $0 } }
    return bytes
  }

  @Test("A scale and a transform that were applied are undone")
  func applied() throws {
    let folder = try ScanFolders.nerfstudio(scene, axes: .zUp)
    let moved = folder.replacing(
      "{\"camera_model\"",
      with:
        "{\"applied_scale\":0.5,\"applied_transform\":[[1,0,0,1],[0,0,1,2],[0,-1,0,3]],\"camera_model\"",
      in: "transforms.json")
    let recording = try Recording(folder: moved)
    // COLMAP's world has −Y up when nerfstudio converts it.
    #expect(recording.worldAxes == .unknown)
    let pose = try #require(recording.capture(at: 0).worldFromCamera)
    let t = scene.views[0].worldFromCamera.translation
    #expect(pose.translation == [2 * t.x - 1, -(2 * t.z - 3), 2 * t.y - 2])
    #expect(
      try recording.capture(at: 0).provenance.map(\.name) == [
        "undone-transform", "undone-scale", "dequantized",
      ])
    let broken = moved.replacing("0,-1,0,3", with: "0,-7,0,3", in: "transforms.json")
    #expect(try Recording(folder: broken).findings.map(\.code) == [.fileDamagedMetadata])
  }

  @Test(
    "Paths out of the folder are refused",
    arguments: ["/etc/passwd", "../a.png", "a/../../b", "C:/a"])
  func refusedPaths(path: String) throws {
    let folder = try ScanFolders.nerfstudio(PlaneScene(count: 2))
      .replacing("images/frame_00001.png", with: path, in: "transforms.json")
      .replacing("depth/frame_00001.png", with: path, in: "transforms.json")
    let recording = try Recording(folder: folder)
    #expect(recording.findings.map(\.code) == [.sequenceRefusedPaths])
    let index = try #require(
      recording.frames.indices.first { (try? recording.capture(at: $0)) == nil })
    let error = #expect(throws: CaptureReadingError.self) { try recording.capture(at: index) }
    #expect(error?.reason == .missing)
  }

  @Test(
    "Lenses that are not modeled are told with their size",
    arguments: [
      ("\"p1\":0.01,\"p2\":0", "OPENCV", FindingCode.calibrationUnmodeledLens),
      ("\"k4\":0.5", "OPENCV", .calibrationUnmodeledLens),
      ("\"k1\":0.1", "OPENCV_FISHEYE", .calibrationUnmodeledLens),
      ("\"k1\":1e300", "OPENCV", .calibrationDamaged),
      ("\"w\":0,\"k1\":0", "OPENCV", .calibrationDamaged),
    ])
  func unmodeled(terms: String, model: String, code: FindingCode) throws {
    let folder = try ScanFolders.nerfstudio(PlaneScene(count: 1))
      .replacing("\"fl_x\"", with: "\(terms),\"fl_x\"", in: "transforms.json")
      .replacing("\"OPENCV\"", with: "\"\(model)\"", in: "transforms.json")
    let capture = try Recording(folder: folder).capture(at: 0)
    #expect(capture.findings.map(\.code) == [code])
    #expect((capture.depth?.calibration == nil) == (model != "OPENCV" || terms.contains("w")))
  }

  @Test(
    "Gives the points that numpy gives by nerfstudio's rules",
    .enabled(
      if: PythonPeer.has("numpy", "PIL"), Comment(rawValue: PythonPeer.absence("numpy, PIL"))))
  func peer() throws {
    let folder = try ScanFolders.nerfstudio(PlaneScene(count: 2))
    let disk = try TemporaryFolder()
    try folder.write(to: disk.path)
    struct Frame: Decodable { var points: [[Double]] }
    let frames = try JSONDecoder().decode(
      [Frame].self, from: Data(try PythonPeer.run("nerfstudio_points.py", disk.path)))
    let recording = try Recording(folder: folder)
    for (index, frame) in frames.enumerated() {
      let capture = try recording.capture(at: index, color: .none)
      let points = try capture.worldPoints()
      #expect(points.count == frame.points.count && points.count == 191)
      let worst = zip(points, frame.points).map { a, b in
        max(abs(a.x - b[0]), abs(a.y - b[1]), abs(a.z - b[2]))
      }.max()
      // Millimeters divided in single precision, 2.5 m · 2⁻²⁴, by us alone.
      #expect((worst ?? 1) < 4e-7)
    }
  }
}

extension Capture {
  /// The measured points in the world, row by row.
  func worldPoints() throws -> [SIMD3<Double>] {
    guard case .depth(let map) = depth?.values, let pose = worldFromCamera,
      let camera = depth?.calibration?.intrinsics.scaled(to: map.size)
    else { throw CocoaError(.fileReadUnknown) }
    return (0..<map.size.pixelCount).compactMap { index in
      let (x, y) = (index % map.size.width, index / map.size.width)
      guard !map.meters[x, y].isNaN else { return nil }
      return pose * camera.unproject([Double(x), Double(y)], depth: Double(map.meters[x, y]))
    }
  }
}

extension MemoryFolder {
  /// Writes all files below a folder of the disk.
  func write(to path: String) throws {
    for (name, bytes) in files {
      let url = URL(filePath: path).appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
  }
}
