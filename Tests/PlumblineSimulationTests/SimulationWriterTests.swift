import Foundation
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
import PlumblineTestSupport
import PlumblineVision
import Testing

@testable import PlumblineSimulation

/// Whether each layout holds what the frame shows, read back without the simulator's help.
@Suite struct RecordingWriterTests {
  /// Two small frames of a board and its surroundings.
  static let recording: SimulatedRecording = {
    var preset = CameraPreset.iPad5
    preset.colorSize = RasterSize(width: 40, height: 30)
    preset.depthSize = preset.colorSize
    return SimulationScene.board.recording(
      by: preset, frames: 2, board: SimulatedBoardTests.charuco, seed: 5)
  }()

  static func files(
    _ layout: SimulationLayout, _ recording: SimulatedRecording = recording
  ) throws -> [String: [UInt8]] {
    let writer = SimulationWriter(recording, as: layout)
    // Backwards, since no frame may depend on another one.
    let frames = try (0..<recording.frameCount).reversed().map { try writer.files(ofFrame: $0) }
    let last = writer.finalFiles(frames.reversed())
    var files = Dictionary(
      uniqueKeysWithValues: (frames.flatMap(\.files) + last).map { ($0.name, $0.bytes) })
    if let name = writer.recordingName {
      let output = MemoryOutput()
      var recorder = try MCAPRecordingWriter(
        file: output.makeFile(name), header: writer.recordingHeader)
      for (index, frame) in frames.reversed().enumerated() {
        try recorder.append(#require(frame.capture), name: "\(index)")
      }
      try recorder.finish()
      files[name] = try output.folder.bytes(of: name)
    }
    return files
  }

  /// Each layout's files, drawn once.
  static let written = Result { () throws in
    Dictionary(
      uniqueKeysWithValues: try SimulationLayout.allCases.map { ($0, try files($0)) })
  }

  static func cached(_ layout: SimulationLayout) throws -> [String: [UInt8]] {
    try written.get()[layout] ?? [:]
  }

  static func json(_ bytes: [UInt8]?) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(try #require(bytes)))
  }

  @Test(arguments: SimulationLayout.allCases)
  func equalSeedsGiveEqualBytes(layout: SimulationLayout) throws {
    #expect(try Self.files(layout) == Self.cached(layout))
  }

  @Test(arguments: SimulationLayout.allCases)
  func everyFileSaysThatItIsSynthetic(layout: SimulationLayout) throws {
    let files = try Self.cached(layout)
    let texts = files.filter { !$0.key.hasSuffix(".png") && !$0.key.hasSuffix(".npy") }
    for (name, bytes) in texts where name != "checkersize.txt" {
      // The JPEG beside a JSON file has no metadata; the JSON of the same name says it.
      if layout == .rgbdJSON, name.hasSuffix(".jpg") { continue }
      let start = String(decoding: bytes.prefix(20_000), as: UTF8.self)
      #expect(start.contains("Synthetic: rendered by the Plumbline simulator"), "\(name)")
      #expect(start.contains("Plumbline simulator"), "\(name)")
    }
  }

  @Test func dumpsHoldTenthsOfMillimetersAndTheScaledMatrix() throws {
    let files = try Self.cached(.avFoundation)
    #expect(String(decoding: try #require(files["checkersize.txt"]), as: UTF8.self) == "3.0")
    let metadata = try #require(try Self.json(files["DepthMetadata.json"]) as? [[String: Any]])
    #expect(metadata.map { $0["Timestamp"] as? Int } == [10_000, 10_500])
    let focal = 1781.78 * 40 / 2016
    #expect(
      metadata[0]["IntrinsicMatrix.0"] as? String
        == "(\(Float(focal)), 0.0, \(Float(1009.89 * 40 / 2016)))")
    #expect(metadata[0]["IntrinsicMatrixReferenceDimensions"] as? String == "(2016.0, 1512.0)")
    #expect((metadata[0]["LensDistortionLookupTable"] as? [Double])?.count == 42)
    let camera = try #require(try Self.json(files["CameraMetadata.json"]) as? [[String: Any]])
    #expect(camera[1]["GeometricDistortionCorrectionEnabled"] as? Bool == true)

    let frame = Self.recording.frame(1)
    let image = try PNGImage(try #require(files["depth_10500.png"])[...])
    guard case .gray(.uint16(let codes, _)) = image else {
      Issue.record("the depth is not gray of 16 bits")
      return
    }
    for (code, depth) in zip(codes.samples, frame.depth.meters.samples) {
      // Half a tenth of a millimeter, and single precision.
      #expect(depth.isNaN ? code == 0 : abs(Float(code) / 10_000 - depth) < 5.1e-5)
    }
    guard case .color(let color) = try PNGImage(try #require(files["rgb_10500.png"])[...]) else {
      Issue.record("the color image is not color")
      return
    }
    #expect(color == frame.color)
  }

  @Test func plyFramesHoldMetersAndTheMatrixAtItsReference() throws {
    let files = try Self.cached(.ply)
    let bytes = try #require(files["frame-001.ply"])
    let text = String(decoding: bytes.prefix(400), as: UTF8.self)
    let header = try #require(text.components(separatedBy: "end_header\n").first) + "end_header\n"
    let count = try #require(
      header.components(separatedBy: "element metadata ").last.flatMap {
        Int($0.prefix(while: \.isNumber))
      })
    let start = header.utf8.count
    let metadata = try #require(
      try Self.json(Array(bytes[start..<start + count])) as? [String: Any])
    let camera = try #require(metadata["camera_intrinsics"] as? [String: Any])
    let matrix = try #require(camera["intrinsic_matrix"] as? [Double])
    #expect(matrix == [1781.78, 0, 0, 0, 1781.78, 0, 1009.89, 759.69, 1])
    #expect(metadata["width"] as? Int == 40)
    let frame = Self.recording.frame(1)
    let pixels = 40 * 30
    #expect(bytes.count == start + count + 16 * pixels)
    let floats = bytes[(start + count)...].withUnsafeBytes { buffer in
      (0..<4 * pixels).map { buffer.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    for (index, depth) in frame.depth.meters.samples.enumerated() {
      #expect(floats[3 * pixels + index] == (depth.isNaN ? 9999 : depth))
    }
    #expect(floats[0] == Float(frame.color.samples[0].red) / 255)
  }

  @Test func jsonFramesHoldMillimeters() throws {
    let files = try Self.cached(.rgbdJSON)
    let name = "simulated_1650000010500"
    let document = try #require(try Self.json(files["\(name).json"]) as? [String: Any])
    let rows = try #require(document["depth_data"] as? [[Double]])
    let calibration = try #require(document["calibration_data"] as? [String: Any])
    let columns = try #require(calibration["intrinsic_matrix"] as? [[Double]])
    #expect(columns == [[1781.78, 0, 0], [0, 1781.78, 0], [1009.89, 759.69, 1]])
    let frame = Self.recording.frame(1)
    for y in 0..<30 {
      for x in 0..<40 {
        let depth = frame.depth.meters[x, y]
        #expect(abs(rows[y][x] - (depth.isNaN ? 0 : Double(depth) * 1000)) < 1e-4)
      }
    }
    let color = try CaptureReader().capture(from: try #require(files["\(name).jpg"])).colorSize
    #expect(color == RasterSize(width: 40, height: 30))
  }

  @Test func photosAreReadByTheProjectsOwnReader() throws {
    let files = try Self.cached(.photo)
    let capture = try CaptureReader().capture(from: try #require(files["frame_10000.jpg"]))
    let depth = try #require(capture.depth)
    #expect(depth.calibration?.intrinsics.size == RasterSize(width: 2016, height: 1512))
    #expect(depth.isFiltered == true)
    #expect(capture.source.model == "iPad13,8")
    let truth = SimulationWriter(Self.recording, as: .photo).recording.frame(0).measurement.truth
    guard case .disparity(let map) = depth.values, let rule = depth.quantization else {
      Issue.record("no quantized disparity")
      return
    }
    var off = 0
    for (value, meters) in zip(map.inverseMeters.samples, truth.meters.samples)
    where abs(Double(value) - 1 / Double(meters)) > 5 * max(rule.step, 0.004) { off += 1 }
    // Pixels in the projector's shadow are invented, some fly.
    #expect(off < 80, "\(off) of 1200 pixels are off")
  }

  @Test func truthNamesTheFilesAndTheFaults() throws {
    var faulty = Self.recording
    SimulationFault.gdc.apply(1.06, to: &faulty)
    SimulationFault.rectified.apply(1, to: &faulty)
    let files = try Self.files(.avFoundation, faulty)
    let truth = try #require(try Self.json(files["truth/truth.json"]) as? [String: Any])
    #expect(truth["faults"] as? [String] == ["gdc=1.06", "rectified=1.0"])
    let frames = try #require(truth["frames"] as? [[String: Any]])
    for frame in frames {
      for name in try #require(frame["files"] as? [String]) { #expect(files[name] != nil) }
    }
    let claimed = try #require(frames[0]["claimed"] as? [String: Any])
    #expect(abs(try #require(claimed["fx"] as? Double) - 1781.78 * 1.06) < 1e-9)
    let camera = try #require(try Self.json(files["CameraMetadata.json"]) as? [[String: Any]])
    #expect(camera[0]["GeometricDistortionCorrectionEnabled"] as? Bool == false)
  }
}
