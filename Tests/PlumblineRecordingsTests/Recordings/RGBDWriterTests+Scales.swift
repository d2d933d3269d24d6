import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
import PlumblineTestSupport
import Testing

/// What TUM and JSON say besides the depths.
extension RGBDWriterTests {
  @Test("TUM's coarser scale reaches farther, says so and is read back; the usual one says nothing")
  func coarserScale() throws {
    var capture = SampleCaptures.frame(0)
    capture.depth?.values = .depth(
      DepthMap(meters: Raster(size: SampleCaptures.depthSize) { x, _ in 1 + Float(x) }))
    let refused = #expect(throws: RecordingWritingError.self) {
      try Self.written("TUM", [capture], to: MemoryOutput())
    }
    guard case .unrepresentable(_, _, _, _, let remedy)? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(remedy == .takeCoarserDepthScale)
    #expect(RecordingFormat.tum.depthScales == [5000, 1000])
    #expect(RecordingFormat.open3D.depthScales == [])
    for scale in [1000, nil] {
      let output = MemoryOutput()
      var writer = try RecordingFormat.tum.writer(
        to: output, fileName: "", header: Self.header, depthScale: scale)
      let written = scale == nil ? SampleCaptures.frame(0) : capture
      try writer.append(written, name: "")
      try writer.finish()
      let list = String(decoding: output.folder.files["depth.txt"] ?? [], as: UTF8.self)
      #expect(list.contains("# depth codes per meter: 1000\n") == (scale != nil))
      let read = try Recording(folder: output.folder).capture(at: 0)
      #expect(Self.isSame(try Self.depth(read).meters, try Self.depth(written).meters))
    }
    // Beyond both, nothing helps.
    capture.depth?.values = .depth(
      DepthMap(meters: Raster(size: SampleCaptures.depthSize, repeating: 70)))
    let beyond = #expect(throws: RecordingWritingError.self) {
      try Self.written("TUM", [capture], to: MemoryOutput())
    }
    if case .unrepresentable(_, _, _, _, let remedy)? = beyond { #expect(remedy == nil) }
  }

  @Test("A rectified image goes into JSON as a lens that moves nothing")
  func jsonOfRectifiedImages() throws {
    var capture = SampleCaptures.frame(0)
    let still = RadialMagnification.coefficients([Double](repeating: 0, count: 8))
    capture.depth?.calibration?.distortion = LensDistortion(
      center: [31, 24], size: SampleCaptures.colorSize, distorting: still, undistorting: still)
    let output = MemoryOutput()
    try Self.written("JSON", [capture], to: output)
    let read = try Recording(folder: output.folder).capture(at: 0)
    #expect(read.depth?.calibration?.distortion?.isZero == true)
    // Any other polynomial is still refused.
    capture.depth?.calibration?.distortion = LensDistortion(
      center: [31, 24], size: SampleCaptures.colorSize, distorting: .coefficients([0, 1]),
      undistorting: nil)
    #expect(throws: RecordingWritingError.self) {
      try Self.written("JSON", [capture], to: MemoryOutput())
    }
  }
}
