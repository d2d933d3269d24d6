import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// The camera of color in recordings that are rectified, with images and without them.
@Suite struct RecordedColorCameraTests {
  /// A recording whose color camera has tables of its own.
  private static let recording = RecordingTransformTests.recording(2).mapped {
    capture throws(CaptureReadingError) in
    var capture = capture
    capture.colorCalibration = capture.depth?.calibration
    capture.colorCalibration?.intrinsics.focalLength += 1
    return capture
  }

  private static var rectifying: RecordingCorrection {
    var corrector = CaptureCorrector()
    corrector.rectified = [.color, .depth]
    return RecordingCorrection(corrector)
  }

  private static func written<Transform: RecordingTransform>(
    _ format: RecordingFormat, hasColor: Bool, by transform: Transform
  ) throws -> (folder: MemoryFolder, summary: ConversionSummary) {
    let output = MemoryOutput()
    let recording = hasColor ? recording : recording.mapped(withoutColor)
    let summary = try RecordingConverter(format, hasColor: hasColor).convert(
      recording, indices: [0, 1], to: output, fileName: "a.mcap", origin: "test", by: transform,
      onThreads: 1, report: { _ in }, progress: { _ in })
    return (output.folder, summary)
  }

  /// As readers give a frame whose color is not requested.
  private static func withoutColor(_ capture: Capture) -> Capture {
    var capture = capture
    (capture.color, capture.colorFile) = (nil, nil)
    return capture
  }

  private static func captures(_ folder: MemoryFolder) throws -> [Capture] {
    let bytes = try folder.bytes(of: "a.mcap")
    let recording = try #require(try Recording(source: MemoryBytes(bytes)))
    return try recording.frames.indices.map { try recording.capture(at: $0) }
  }

  @Test("With images it is a pinhole of its own numbers")
  func withColor() throws {
    let (folder, _) = try Self.written(.mcap, hasColor: true, by: Self.rectifying)
    for (index, capture) in try Self.captures(folder).enumerated() {
      let source = try Self.recording.capture(at: index)
      #expect(capture.color != nil)
      #expect(capture.colorCalibration?.intrinsics == source.colorCalibration?.intrinsics)
      #expect(capture.colorCalibration?.distortion?.isZero == true)
    }
  }

  @Test("Without images only the camera of the map is written, rectified or as it was")
  func depthOnly() throws {
    let rectified = try Self.written(.mcap, hasColor: false, by: Self.rectifying)
    for capture in try Self.captures(rectified.folder) {
      #expect(capture.color == nil && capture.colorCalibration == nil)
      #expect(capture.depth?.calibration?.distortion?.isZero == true)
    }
    let unchanged = try Self.written(.mcap, hasColor: false, by: UnchangedFrames())
    for (index, capture) in try Self.captures(unchanged.folder).enumerated() {
      #expect(capture.colorCalibration == nil)
      let source = try Self.recording.capture(at: index)
      #expect(capture.depth?.calibration == source.depth?.calibration)
    }
  }

  @Test("A format that knows no tables takes a rectified recording without images")
  func withoutTables() throws {
    let result = try Self.written(.colmap, hasColor: false, by: Self.rectifying)
    #expect(result.summary.frameCount == 2 && result.summary.skipped.isEmpty)
    #expect(!result.summary.leftOut.contains(.distortion))
  }
}
