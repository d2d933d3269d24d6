import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite(
  "Real recordings in MCAP", .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct MCAPRealRecordingTests {
  @Test("The mannequin's 90 frames come back bit by bit, lens tables included")
  func mannequin() throws {
    let folder = try DiskFolder(RealData.url("truedepth-mannequin/DepthFrames"))
    let source = try Recording(folder: folder)
    #expect(source.frames.count == 90)
    // A debug build reads few PLY files a second: six frames stand for all there.
    let step = _isDebugAssertConfiguration() ? 15 : 1
    let indices = Array(stride(from: 0, to: source.frames.count, by: step))
    let output = MemoryOutput()
    let file = try output.makeFile("a.mcap")
    var options = MCAPRecordingOptions()
    options.container.compression = .lz4
    var writer = try MCAPRecordingWriter(
      file: file, header: RecordingHeader(worldAxes: source.worldAxes, origin: "test"),
      options: options)
    var originals: [Capture] = []
    for index in indices {
      originals.append(try source.capture(at: index, color: .none))
      try writer.append(originals[originals.count - 1], name: source.frameNames[index])
    }
    try writer.finish()
    let bytes = try output.folder.bytes(of: "a.mcap")
    let recording = try MCAPSamples.recording(bytes)
    #expect(recording.frameNames == indices.map { source.frameNames[$0] })
    for (index, original) in originals.enumerated() {
      let copy = try recording.capture(at: index, color: .none)
      #expect(CaptureDifference(copy, original).fields == [], "frame \(indices[index])")
      #expect(copy.depth?.calibration?.distortion?.distorting != nil)
    }
  }
}
