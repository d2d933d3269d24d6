import CPlumbline
import Plumbline
import PlumblineC
import PlumblineTestSupport
import Testing

/// Corrections, filters and measurements of a capture by the C functions.
@Suite struct StepFunctionTests {
  private static let path = SampleFiles.bundled[0]

  private static func corrected(
    _ capture: OpenedCapture, _ settings: String? = nil
  ) throws -> OpenedCapture {
    OpenedCapture(
      try CInterface.calling { plumbline_capture_correct(capture.handle, settings, $0) })
  }

  private static func filtered(
    _ capture: OpenedCapture, _ settings: String? = nil
  ) throws -> OpenedCapture {
    OpenedCapture(
      try CInterface.calling { plumbline_capture_filter(capture.handle, settings, $0) })
  }

  @Test("A corrected capture is the library's, and outlives the one that it was made of")
  func correct() throws {
    let expected = try CaptureCorrector().correct(CaptureAnalyzer().analyze(path: Self.path)).after
    var opened: OpenedCapture? = try OpenedCapture(Self.path)
    let result = try Self.corrected(try #require(opened))
    opened = nil
    let depth = try #require(expected.corrected).depth.meters.packed.samples
    #expect(try result.elements("depth", UInt32.self) == depth.map(\.bitPattern))
    let color = try #require(expected.colorInDepthFrame).packed.samples
    #expect(
      try result.elements("color", UInt8.self) == color.flatMap { [$0.red, $0.green, $0.blue] })
    #expect(try result.verdict == JSONWriter().text(expected.document()))
  }

  @Test("A filtered capture is the library's, with the color of the one that it was made of")
  func filter() throws {
    var memory = TemporalFilter.Memory()
    let expected = try CaptureFilter(.fusion).filter(
      CaptureAnalyzer().analyze(path: Self.path), after: &memory)
    var opened: OpenedCapture? = try OpenedCapture(Self.path)
    let result = try Self.filtered(try #require(opened), #"{"preset": "fusion"}"#)
    let color = try opened?.elements("color", UInt8.self)
    opened = nil
    let depth = expected.filtered.frame.depth.meters.packed.samples
    #expect(try result.elements("depth", UInt32.self) == depth.map(\.bitPattern))
    #expect(try result.elements("color", UInt8.self) == color)
    let sigma = try result.elements("depth.sigma", Float.self)
    #expect(zip(sigma, depth).allSatisfy { $0.isNaN == $1.isNaN })
  }

  @Test("Steps follow each other")
  func chain() throws {
    let small = try Self.corrected(try OpenedCapture(Self.path), #"{"size": "48x64"}"#)
    let result = try Self.filtered(small, #"{"depth-range": "0.01:100"}"#)
    #expect(try result.array("depth").shape.1 == 48)
    #expect(try result.array("color").shape.1 == 48)
  }

  @Test("Distances that the map was opened with and corrections exclude each other")
  func distances() throws {
    let capture = try OpenedCapture(
      try SampleCapture.small(isRelative: true), name: "small.jpg",
      #"{"known-distance": "depth:5,5=0.6"}"#)
    let failure = #expect(throws: CInterface.Failure.self) { try Self.corrected(capture) }
    #expect(failure?.category == PLUMBLINE_USAGE.rawValue && failure?.place == "known-distance")
    let relative = try OpenedCapture(try SampleCapture.small(isRelative: true), name: "small.jpg")
    let refused = #expect(throws: CInterface.Failure.self) { try Self.filtered(relative) }
    #expect(refused?.expected == "depths in meters")
  }

  @Test("Numbers are those of the library's measurer")
  func measure() throws {
    let capture = try OpenedCapture(try SampleCapture.small(), name: "small.jpg")
    let analysis = try CaptureAnalyzer(color: .none).analyze(
      SampleCapture.small(), fileName: "small.jpg")
    let requests: [MeasurementRequest] = [
      .distance(NamedPixel(.depth, [5, 5]), NamedPixel(.depth, [50, 40])),
      .plane(MeasuredRectangle(NamedPixel(.photo, [4, 4]), size: [20, 20])),
    ]
    let expected = try CaptureMeasurer(analysis).measure(requests).document(of: analysis)
    let found = try CInterface.text {
      plumbline_capture_measure(
        capture.handle, #"{"plane": "4,4,20x20", "distance": ["depth:5,5:depth:50,40"]}"#, $0)
    }
    #expect(found == JSONWriter().text(expected))
  }
}
