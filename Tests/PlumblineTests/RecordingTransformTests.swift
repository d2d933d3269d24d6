import Foundation
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// Recordings that are corrected and filtered into recordings.
struct RecordingTransformTests {
  /// A TrueDepth recording whose lens has tables, with everything that MCAP holds.
  ///
  /// If it is varied, each frame has a camera of its own, so that no plan fits two.
  static func recording(_ count: Int, isVaried: Bool = true) -> Recording {
    let captures = (0..<count).map { capture($0, isVaried: isVaried) }
    return Recording(
      layout: "test",
      frames: captures.enumerated().map {
        RecordedFrame(name: "f\($0.offset)", timestampSeconds: $0.element.timestampSeconds)
      }, worldAxes: .yUp,
      motion: { () throws(CaptureReadingError) in
        RecordedMotion(samples: SampleCaptures.motion(frames: count))
      }
    ) { index, _ in captures[index] }
  }

  private static func capture(_ index: Int, isVaried: Bool) -> Capture {
    var capture = SampleCaptures.frame(index)
    capture.source.camera = .trueDepth
    capture.source.interface = .avfoundation
    capture.provenance = [ProvenanceStep(.read, "a test")]
    capture.findings = [Finding(.fileTrailer, .note, "a finding", evidence: "\(index)")]
    let size = SampleCaptures.depthSize
    capture.depth?.sigmaMeters = Raster(size: size) { x, y in
      x == 3 && y == 2 ? .nan : 0.001 + 0.0001 * Float(x)
    }
    if !isVaried {
      capture.depth?.calibration?.intrinsics.focalLength = [50, 50]
    }
    capture.depth?.calibration?.distortion = LensDistortion(
      center: [31.25, 24.5], size: SampleCaptures.colorSize, distorting: .table([0, 0.01, 0.02]),
      undistorting: .table([0, -0.01, -0.0195]))
    return capture
  }

  /// A recording after a transform, written as MCAP in memory and read back.
  private func transformed<Transform: RecordingTransform>(
    _ recording: Recording, by transform: Transform, threads: Int = 2
  ) throws -> (
    recording: Recording, summary: ConversionSummary, bytes: [UInt8], reports: [Transform.Report]
  ) {
    let output = MemoryOutput()
    var reports: [Transform.Report] = []
    let summary = try RecordingConverter(.mcap).convert(
      recording, indices: Array(recording.frames.indices), to: output, fileName: "a.mcap",
      origin: "test", by: transform, onThreads: threads, report: { reports.append($0) },
      progress: { _ in })
    let bytes = try #require(output.folder.files["a.mcap"])
    let read = try #require(
      try Recording(source: MemoryBytes(bytes), limits: ReadingLimits()))
    return (read, summary, bytes, reports)
  }

  private static func meters(_ capture: Capture) -> [UInt32] {
    guard case .depth(let map)? = capture.depth?.values else { return [] }
    return map.meters.packed.samples.map { $0.isNaN ? 0 : $0.bitPattern }
  }

  @Test("A corrected recording keeps what it held, and each frame is the one corrected alone")
  func correctedAsAlone() throws {
    let original = Self.recording(6)
    let result = try transformed(original, by: RecordingCorrection(CaptureCorrector()))
    let read = result.recording
    #expect(result.summary.frameCount == 6 && result.summary.skipped.isEmpty)
    #expect(result.summary.leftOut == [])
    #expect(result.summary.appliedSteps.map(\.name) == ["rectified"])
    #expect(result.summary.appliedSteps.map(\.frameCount) == [6])
    #expect(result.summary.earlierSteps.isEmpty)
    #expect(read.frameNames == original.frameNames && read.worldAxes == .yUp)
    #expect(try read.motion().samples.count == original.motion().samples.count)
    for index in 0..<6 {
      let source = try original.capture(at: index)
      // The slow twin: the frame alone, as `correct --frame` has it.
      let alone = try CaptureCorrector().correct(
        CaptureAnalyzer().analyze(source, fileName: "f\(index)"))
      let expected = alone.after.captureAsRead
      let capture = try read.capture(at: index)
      #expect(CaptureDifference(capture, expected).fields == [], "frame \(index)")
      #expect(Self.meters(capture) == Self.meters(expected))
      #expect(capture.color?.size == source.color?.size)
      #expect(capture.timestampSeconds == source.timestampSeconds)
      #expect(capture.worldFromCamera == source.worldFromCamera)
      #expect(capture.depth?.sigmaMeters != nil && capture.depth?.confidence != nil)
      #expect(result.reports[index].steps.map(\.step) == alone.applications.map(\.step))
      // Each ± goes with its depth.
      let sigma = try #require(capture.depth?.sigmaMeters).samples
      let stored = try #require(source.depth?.sigmaMeters).samples
      let places = try #require(alone.depthMap).sources
      #expect(
        zip(sigma, places).allSatisfy { sigma, place in
          place < 0 || stored[Int(place)].isNaN ? sigma.isNaN : sigma == stored[Int(place)]
        })
    }
  }

  @Test("What was corrected is measurable as it is, says so, and is not corrected again")
  func notTwice() throws {
    let original = Self.recording(3)
    let before = try CaptureAnalyzer().analyze(original, named: "test", at: 0)
    #expect(before.assessment.verdict == .corrected)
    let once = try transformed(original, by: RecordingCorrection(CaptureCorrector()))
    let analysis = try CaptureAnalyzer().analyze(once.recording, named: "test", at: 0)
    #expect(analysis.assessment.verdict == .measurable, "\(analysis.assessment.reason)")
    let finding = analysis.assessment.findings.first { $0.code == .depthCorrectedBefore }
    #expect(finding?.message.contains("rectified") == true)
    let twice = try transformed(
      once.recording, by: RecordingCorrection(CaptureCorrector(), assessesFrames: true))
    #expect(twice.summary.appliedSteps.isEmpty)
    #expect(twice.summary.earlierSteps.map(\.name) == ["rectified"])
    for index in 0..<3 {
      let (a, b) = (try once.recording.capture(at: index), try twice.recording.capture(at: index))
      #expect(CaptureDifference(a, b).fields == [])
      #expect(twice.reports[index].result?.after.assessment.verdict == .measurable)
    }
  }

  @Test("A camera of another file stays through the recording, with a verdict of its own")
  func replacedCamera() throws {
    let camera = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [52, 52], principalPoint: [31.5, 23.5], size: SampleCaptures.colorSize))
    var corrector = CaptureCorrector()
    corrector.calibration = CalibrationReplacement(
      camera, uncertainty: CalibrationUncertainty(focalLengthPixels: [0.1, 0.1], basis: "a board"),
      isRectified: true, basis: "a board")
    let result = try transformed(Self.recording(2), by: RecordingCorrection(corrector))
    let read = try result.recording.capture(at: 1)
    #expect(read.depth?.calibration == camera)
    #expect(read.depth?.calibrationUncertainty?.focalLengthPixels == [0.1, 0.1])
    #expect(read.provenance.last?.kind == .calibrationReplaced)
    let analysis = try CaptureAnalyzer().analyze(result.recording, named: "test", at: 1)
    #expect(analysis.assessment.verdict == .measurable, "\(analysis.assessment.reason)")
  }

  @Test("The bytes do not depend on the number of threads, nor on what frames have in common")
  func threads() throws {
    for isVaried in [false, true] {
      let recording = Self.recording(9, isVaried: isVaried)
      let one = try transformed(
        recording, by: RecordingCorrection(CaptureCorrector()), threads: 1)
      for threads in [2, 3, 16] {
        let many = try transformed(
          recording, by: RecordingCorrection(CaptureCorrector()), threads: threads)
        #expect(many.bytes == one.bytes, "\(threads) threads")
      }
    }
  }

  @Test(
    "Filtered frames are those that one after another gives",
    arguments: DepthFilterPreset.allCases)
  func filteredAsAlone(preset: DepthFilterPreset) throws {
    let recording = Self.recording(5)
    let filter = CaptureFilter(preset)
    let result = try transformed(recording, by: RecordingFiltering(filter), threads: 3)
    var memory = TemporalFilter.Memory()
    for index in 0..<5 {
      var source = try recording.capture(at: index)
      source.color = filter.needsColor ? source.color : nil
      let alone = try filter.filter(
        CaptureAnalyzer().analyze(source, fileName: "f\(index)"), after: &memory)
      let read = try result.recording.capture(at: index)
      #expect(CaptureDifference(read, alone.capture).fields == [], "frame \(index)")
      #expect(Self.meters(read) == Self.meters(alone.capture))
      // The camera of a map that keeps its grid is the file's own.
      #expect(read.depth?.calibration == source.depth?.calibration)
      #expect(read.color?.size == SampleCaptures.colorSize)
      #expect(!read.provenance.contains { $0.kind == .rectifiedPoints })
      #expect(result.reports[index].filtered.reports == alone.filtered.reports)
    }
    #expect(result.summary.appliedSteps.count == filter.chain.filterNames.count)
  }

  @Test("A frame that a step does not fit is left out, with the step's reason")
  func unfit() throws {
    let recording = Self.recording(4).mapped { capture throws(CaptureReadingError) in
      var capture = capture
      // Frames 1 and 3, by their times.
      let number = ((capture.timestampSeconds ?? 0) - 100) * 30
      if Int(number.rounded()) % 2 == 1 { capture.depth?.calibration?.distortion = nil }
      return capture
    }
    var corrector = CaptureCorrector()
    corrector.rectified = [.color, .depth]
    let result = try transformed(recording, by: RecordingCorrection(corrector))
    #expect(result.summary.skipped.map(\.name) == ["f1", "f3"])
    #expect(result.summary.skipped.allSatisfy { $0.cause == .unfit && $0.remedy == nil })
    #expect(result.recording.frameNames == ["f0", "f2"])
    // Where nothing has to be rectified, frames without a lens stay.
    corrector.skipsRectified = true
    let lenient = try transformed(recording, by: RecordingCorrection(corrector))
    #expect(lenient.summary.skipped.isEmpty)
    #expect(lenient.summary.appliedSteps.map(\.frameCount) == [2])
  }

  @Test("A color file whose pixels no step moves is copied byte by byte")
  func copiedColor() throws {
    let size = SampleCaptures.colorSize
    let file = try JPEGEncoder(quality: 80).encoded(
      Raster(size: size) { x, y in RGB8(red: UInt8(x), green: UInt8(y), blue: 9) })
    let recording = Self.recording(2).mapped { capture throws(CaptureReadingError) in
      var capture = capture
      capture.color = nil
      capture.colorFile = EncodedImage(.jpeg, bytes: file)
      return capture
    }
    var corrector = CaptureCorrector()
    corrector.calibration = CalibrationReplacement(
      CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [52, 52], principalPoint: [31.5, 23.5], size: size)), basis: "a test")
    for result in [
      try transformed(recording, by: RecordingCorrection(corrector)).recording,
      try transformed(recording, by: RecordingFiltering(CaptureFilter())).recording,
    ] {
      let read = try result.capture(at: 0, color: .stored([.jpeg]))
      #expect(read.colorFile?.bytes == file)
    }
    let moved = try transformed(recording, by: RecordingCorrection(CaptureCorrector()))
    #expect(try moved.recording.capture(at: 0).color?.size == size)
    #expect(moved.summary.colorlessFrames == 0)
  }
}

extension DepthFilterChain {
  /// The names that the provenance gets.
  fileprivate var filterNames: Set<String> {
    var names = Set(filters.map(\.name) + fillers.map(\.name))
    if let temporal { names.insert(temporal.name) }
    return names
  }
}
