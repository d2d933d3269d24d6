import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@testable import PlumblineSimulation

/// Whether the project's own readers find in each layout what the truth beside it says.
@Suite struct RecordingReadbackTests {
  /// Small frames of a board by some cameras.
  static func recording(_ preset: CameraPreset) -> SimulatedRecording {
    var preset = preset
    preset.colorSize = RasterSize(width: 40, height: 30)
    preset.depthSize = preset.colorSize
    return SimulationScene.board.recording(
      by: preset, frames: 2, board: SimulatedBoardTests.charuco, seed: 6)
  }

  /// The files of a layout as a reader finds them, and what is true about them.
  struct Written {
    var folder: MemoryFolder
    var truth: [String: Any]
    var depths: [[Float]]
    var corners: Int

    init(_ layout: SimulationLayout, _ preset: CameraPreset) throws {
      var files = try RecordingWriterTests.files(layout, RecordingReadbackTests.recording(preset))
      truth = try #require(
        try RecordingWriterTests.json(files["truth/truth.json"]) as? [String: Any])
      depths = try [10_000, 10_500].map { time in
        let bytes = try #require(files["truth/depth_\(time).npy"])
        let start = 10 + Int(bytes[8]) + 256 * Int(bytes[9])
        return bytes[start...].withUnsafeBytes { buffer in
          (0..<buffer.count / 4).map {
            Float(bitPattern: buffer.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
          }
        }
      }
      let frames = truth["frames"] as? [[String: Any]] ?? []
      corners = frames.reduce(0) { $0 + (($1["corners"] as? [Any])?.count ?? 0) }
      files = files.filter { !$0.key.hasPrefix("truth/") }
      folder = MemoryFolder(files)
    }

    /// A number of what the files claim about the camera of a frame.
    func claimed(_ key: String, _ index: Int) throws -> Double {
      let frames = try #require(truth["frames"] as? [[String: Any]])
      let claimed = try #require(frames[index]["claimed"] as? [String: Any])
      if let value = claimed[key] as? Double { return value }
      return try #require((claimed["lens"] as? [String: Any])?[key] as? Double)
    }

    /// The claimed table of a frame.
    func table(_ index: Int) throws -> [Double] {
      let frames = try #require(truth["frames"] as? [[String: Any]])
      let lens = (frames[index]["claimed"] as? [String: Any])?["lens"] as? [String: Any]
      return try #require(lens?["distortingTable"] as? [Double])
    }
  }

  @Test(
    "Camera, lens, depth, time and board come back from every layout",
    arguments: SimulationLayout.allCases,
    [CameraPreset.iPad5, .iPad4, .iPad4ARKit, .iPhone11Pro])
  func comesBack(layout: SimulationLayout, preset: CameraPreset) throws {
    let written = try Written(layout, preset)
    let sequence = try Recording(folder: written.folder)
    #expect(sequence.frameNames.count == 2)
    #expect(written.corners > 12)
    #expect(!sequence.findings.contains { $0.severity == .fault })
    let side = (written.truth["board"] as? [String: Any])?["squareMeters"] as? Double
    // Only the dump has a file for it.
    #expect(sequence.boardSquareMeters == (layout == .avFoundation ? side : nil))
    for index in 0..<2 {
      let capture = try sequence.capture(at: index)
      let seconds = 10 + 0.5 * Double(index)
      switch layout {
      case .avFoundation, .ply, .mcap: #expect(capture.timestampSeconds == seconds)
      case .rgbdJSON: #expect(capture.timestampSeconds == 1_650_000_000 + seconds)
      case .photo: break
      }
      #expect(capture.color?.size == RasterSize(width: 40, height: 30))
      let record = try #require(capture.depth)
      let calibration = try #require(record.calibration)
      try expect(calibration, of: written, index, layout)
      expect(record, near: written.depths[index], layout)
    }
  }

  private func expect(
    _ calibration: CameraCalibration, of written: Written, _ index: Int, _ layout: SimulationLayout
  ) throws {
    let camera = calibration.intrinsics
    #expect(Double(camera.size.width) == (try written.claimed("width", index)))
    #expect(Double(camera.size.height) == (try written.claimed("height", index)))
    for (value, key) in [
      (camera.focalLength.x, "fx"), (camera.focalLength.y, "fy"), (camera.principalPoint.x, "cx"),
      (camera.principalPoint.y, "cy"),
    ] {
      // Dumps hold seven digits of the scaled number, photos nine of the number itself.
      let claimed = try written.claimed(key, index)
      #expect(abs(value / claimed - 1) < 2e-7, "\(key)")
    }
    let lens = try #require(calibration.distortion)
    #expect(abs(lens.center.x / (try written.claimed("centerX", index)) - 1) < 2e-7)
    #expect(abs(lens.center.y / (try written.claimed("centerY", index)) - 1) < 2e-7)
    let expected = try written.table(index)
    let found = lens.tableEntries(lens.distorting).map(Double.init)
    #expect(found.count == expected.count)
    // Eight coefficients follow the table to a thousandth; tables come back to the bit, and a JSON
    // reader that is not ours may round the last one of a double.
    let tolerance = layout == .photo ? 1e-3 : 1e-15
    for (value, entry) in zip(found, expected) { #expect(abs(value - entry) <= tolerance) }
    #expect(lens.undistorting != nil)
  }

  /// Meters against the truth: the sensor's noise is 0.002 1/m, 0.5 mm at half a meter.
  private func expect(_ record: DepthRecord, near truth: [Float], _ layout: SimulationLayout) {
    let meters: [Float] =
      switch record.values {
      case .depth(let map): Array(map.meters.samples)
      case .disparity(let map): Array(map.depthMap.meters.samples)
      case .range: []
      }
    #expect(meters.count == truth.count)
    let off = zip(meters, truth).compactMap { meters, truth in
      meters.isFinite && truth.isFinite ? abs(meters - truth) : nil
    }.sorted()
    #expect(2 * off.count > truth.count)
    guard let median = off.isEmpty ? nil : off[off.count / 2] else { return }
    // 8 bits over the map's range are coarser than the noise.
    #expect(median < (layout == .photo ? 0.004 : 0.001), "\(median) m")
  }
}
