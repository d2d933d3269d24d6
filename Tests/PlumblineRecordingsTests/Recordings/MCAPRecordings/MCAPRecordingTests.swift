import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("Recordings in MCAP")
struct MCAPRecordingTests {
  static let compressions = MCAPWritingOptions.Compression.allCases

  @Test("Gives back every field of depth and calibration bit by bit", arguments: compressions)
  func roundTrip(compression: MCAPWritingOptions.Compression) throws {
    var options = MCAPRecordingOptions()
    options.color = .png
    options.container.compression = compression
    let motion = SampleCaptures.motion(frames: 12)
    let captures = SampleCaptures.frames(6) + (0..<12).map { MCAPSamples.full(UInt64($0)) }
    let bytes = try MCAPSamples.file(captures, motion: motion, options: options)
    let recording = try MCAPSamples.recording(bytes)
    #expect(recording.layout == "MCAP (Plumbline)")
    #expect(recording.findings.isEmpty)
    #expect(recording.worldAxes == .yUp)
    #expect(recording.frameNames == captures.indices.map { "frame-\($0)" })
    #expect(recording.frames.map(\.timestampSeconds) == captures.map(\.timestampSeconds))
    #expect(try recording.motion().samples == motion)
    for (index, capture) in captures.enumerated() {
      let read = try recording.capture(at: index)
      #expect(CaptureDifference(read, capture).fields == [], "frame \(index)")
      #expect(read.color == capture.color)
      let dark = try recording.capture(at: index, color: .none)
      #expect(dark.color == nil && CaptureDifference(dark, capture).fields == [])
    }
    let preview = try recording.capture(at: 0, color: .preview(maximumSide: 16))
    #expect(preview.color?.size == RasterSize(width: 16, height: 12))
    #expect(preview.colorSize == SampleCaptures.colorSize)
  }

  @Test("Keeps color within a few levels as JPEG and exactly as raw bytes")
  func color() throws {
    let capture = SampleCaptures.frame(0)
    var options = MCAPRecordingOptions()
    options.color = .raw
    let raw = try MCAPSamples.recording(MCAPSamples.file([capture], options: options))
    #expect(try raw.capture(at: 0).color == capture.color)
    let lossy = try MCAPSamples.recording(MCAPSamples.file([capture]))
    let pixels = try #require(try lossy.capture(at: 0).color).samples
    let worst = zip(pixels, try #require(capture.color).samples).map {
      max(
        abs(Int($0.red) - Int($1.red)), abs(Int($0.green) - Int($1.green)),
        abs(Int($0.blue) - Int($1.blue)))
    }.max()
    // Quality 95 quantizes with steps of a few codes.
    #expect(try #require(worst) <= 6)
  }

  /// Disparities of halves, of single precision, and of numbers whose reciprocal is none.
  private static let disparities: [(rule: DepthImageReference.Rule?, [Float])] = {
    var random = SeededGenerator(seed: 5)
    let singles = (0..<4096).map { _ in Float.random(in: 0.05...8, using: &random) }
    let halves = singles.map { Float(bitPattern: $0.bitPattern & ~0x1FFF) }
    let strange: [Float] = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .nan,
      Float(bitPattern: 700_000), 1,
    ]
    return [
      (.reciprocalHalf, halves), (.reciprocalHalf, [.nan] + halves),
      (.reciprocal, singles), (.reciprocal, singles + strange),
      (nil, (1..<50).map { Float(bitPattern: UInt32($0)) }),
    ]
  }()

  @Test("Disparity comes back bit by bit and takes no more than a byte a pixel beside its meters")
  func disparity() throws {
    for (rule, samples) in Self.disparities {
      let size = RasterSize(width: samples.count, height: 1)
      let map = DisparityMap(inverseMeters: Raster(size: size, samples: samples))
      let reference = DepthImageReference(
        .disparity(map), topic: "/t", meters: map.depthMap.meters)
      #expect(reference?.rule == rule)
      if rule == .reciprocalHalf { #expect(reference?.residuals.isEmpty == true) }
      #expect(reference?.residuals.count ?? 0 <= samples.count)
      #expect(reference?.exceptions.count ?? 0 <= 5)
      var capture = SampleCaptures.frame(0)
      capture.depth = DepthRecord(
        values: .disparity(map), storedType: "hdis", accuracy: .absolute)
      let bytes = try MCAPSamples.file([capture])
      let read = try MCAPSamples.recording(bytes).capture(at: 0, color: .none)
      #expect(CaptureDifference(read, capture).fields == [])
    }
  }

  @Test("A color file is kept byte by byte, decoded by nobody but who asks for its pixels")
  func colorFiles() throws {
    var capture = SampleCaptures.frame(0)
    let pixels = try #require(capture.color)
    let jpeg = try JPEGEncoder(quality: 60).encoded(pixels)
    for file in [
      EncodedImage(.jpeg, bytes: jpeg), EncodedImage(.png, bytes: PNGEncoder().encoded(pixels)),
    ] {
      capture.color = nil
      capture.colorFile = file
      let recording = try MCAPSamples.recording(try MCAPSamples.file([capture]))
      let stored = try recording.capture(at: 0, color: .stored([.jpeg, .png]))
      #expect(stored.colorFile == file && stored.color == nil)
      #expect(stored.colorSize == pixels.size)
      let decoded = try recording.capture(at: 0)
      #expect(decoded.colorFile == nil)
      #expect(try decoded.color == stored.decodedColor())
      // A kind that was not requested is decoded.
      let other = try recording.capture(at: 0, color: .stored([]))
      #expect(other.colorFile == nil && other.color == decoded.color)
      var options = MCAPRecordingOptions()
      options.color = .raw
      let raw = try MCAPSamples.recording(try MCAPSamples.file([capture], options: options))
      #expect(try raw.capture(at: 0, color: .stored([.jpeg, .png])).color == decoded.color)
    }
  }

  @Test("A preview beside a live camera's color file is never what is recorded")
  func previewBesideFile() throws {
    var plain = SampleCaptures.frame(0)
    let pixels = try #require(plain.color)
    plain.colorFile = EncodedImage(.jpeg, bytes: try JPEGEncoder(quality: 60).encoded(pixels))
    plain.colorSize = pixels.size
    plain.color = nil
    var live = plain
    live.color = pixels.reduced(toMaximumSide: pixels.width / 2)
    #expect(live.color?.size != pixels.size)
    for color in [MCAPRecordingOptions.Color.jpeg(quality: 95), .png, .raw] {
      var options = MCAPRecordingOptions()
      options.color = color
      // Also the camera's own numbers, which are stated for the size of the file.
      #expect(
        try MCAPSamples.file([live], options: options)
          == MCAPSamples.file([plain], options: options))
    }
  }

  @Test("JPEG files go from Record3D to MCAP and back without a change, even damaged ones")
  func colorOfRecord3D() throws {
    func converted(
      _ recording: Recording, _ writer: inout some RecordingWriter
    ) throws {
      for index in recording.frames.indices {
        try writer.append(
          recording.capture(at: index, color: .stored([.jpeg])), name: "\(index)")
      }
      try writer.finish()
    }
    let header = RecordingHeader(origin: "test")
    let output = MemoryOutput()
    var first = Record3DRecordingWriter(file: try output.makeFile("a.r3d"), header: header)
    for index in 0..<3 {
      var capture = SampleCaptures.frame(index)
      var jpeg = try #require(try capture.colorJPEG(JPEGEncoder(quality: 30 + index)))
      // Pixels are not decoded: those of the last frame are damaged.
      if index == 2 { for place in 1...40 { jpeg[jpeg.count - 50 - place] = 0x55 } }
      capture.color = nil
      capture.colorFile = EncodedImage(.jpeg, bytes: jpeg)
      try first.append(capture, name: "\(index)")
    }
    try first.finish()
    let source = try #require(
      try Recording(source: MemoryBytes(output.folder.bytes(of: "a.r3d"))))
    var second = try MCAPRecordingWriter(file: try output.makeFile("b.mcap"), header: header)
    try converted(source, &second)
    let middle = try MCAPSamples.recording(try output.folder.bytes(of: "b.mcap"))
    var third = Record3DRecordingWriter(file: try output.makeFile("c.r3d"), header: header)
    try converted(middle, &third)
    let (a, c) = (
      try ZIPArchive(MemoryBytes(output.folder.bytes(of: "a.r3d"))),
      try ZIPArchive(MemoryBytes(output.folder.bytes(of: "c.r3d")))
    )
    for index in 0..<3 {
      #expect(try a.bytes(of: "rgbd/\(index).jpg") == c.bytes(of: "rgbd/\(index).jpg"))
    }
  }
}
