import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// Recordings that an attack on the command line found to crash it, to hang it or to fill memory.
@Suite("Hostile recordings")
struct HostileRecordingTests {
  @Test("Record3D: frame numbers up to the largest one are counted without overflow")
  func largestFrameNumber() throws {
    let metadata = Array(#"{"w":4,"h":3,"dw":4,"dh":3,"fps":30,"K":[4,0,0,0,4,0,2,1.5,1]}"#.utf8)
    let depth = [UInt8](repeating: 0, count: 48)
    let folder = MemoryFolder([
      "metadata": metadata, "rgbd/0.depth": depth, "rgbd/\(Int.max).depth": depth,
    ])
    let recording = try Recording(folder: folder)
    #expect(recording.frameNames == ["0", "\(Int.max)"])
    #expect(recording.findings.contains { $0.message.hasPrefix("\(Int.max - 1) numbers") })
  }

  @Test("Frames never have names that are paths, folders or another frame's")
  func namesThatArePaths() {
    // A combining mark makes `/` another character for String, and leaves it a `/` for the system.
    let given = ["0.dep/0", "..", "a", "a", "", "../\u{301}b", "a-2"]
    let recording = Recording(layout: "test", frames: given.map { RecordedFrame(name: $0) }) {
      _, _ throws(CaptureReadingError) in
      throw CaptureReadingError(.missing, expected: "a frame", found: "none")
    }
    let names = recording.frameNames
    #expect(names == ["0.dep_0", "frame", "a", "a-2", "frame-2", ".._\u{301}b", "a-2-2"])
    #expect(Set(names).count == given.count)
  }

  @Test("A path in a list does not leave the folder behind a combining mark")
  func pathWithMark() {
    #expect(RelativePath.normalized("../\u{301}secret") == nil)
    #expect(RelativePath.normalized("/\u{301}secret") == nil)
    #expect(RelativePath.normalized("./a//b") == "a/b")
  }

  @Test("Stray Scanner: rows wider than any layout are refused before memory is taken")
  func wideRows() throws {
    let wide = Array(("1" + String(repeating: ",1", count: 16) + "\n").utf8)
    for rows in [1, 3] {
      let bytes = Array(repeatElement(wide, count: rows).joined())
      #expect {
        try StrayTable(bytes, mostRows: 10, limits: ReadingLimits())
      } throws: { error in
        let error = error as? CaptureReadingError
        return error?.reason == .limitExceeded && error?.found == "17"
      }
    }
  }

  @Test("Tables of text have a limit for all their fields and bytes together")
  func largeTables() throws {
    let line = Array("1 2 3\n".utf8)
    let text = Array(repeatElement(line, count: 4).joined())
    let limits = ReadingLimits()
    #expect(try NumberLines(text, limits: limits, path: "a.txt", mostFields: 12).lines.count == 4)
    #expect {
      try NumberLines(text, limits: limits, path: "a.txt", mostFields: 11)
    } throws: { ($0 as? CaptureReadingError)?.reason == .limitExceeded }
    #expect {
      try NumberLines(text, limits: limits, path: "a.txt", mostBytes: 23)
    } throws: { ($0 as? CaptureReadingError)?.reason == .limitExceeded }
  }

  @Test("ROS bags: hundred thousand transforms of one frame cost no more than themselves")
  func manyTransforms() throws {
    var tree = TransformTree()
    for index in 0..<100_000 as Range<UInt64> {
      let stamp = ROSTime(nanosecondCount: 1_000_000 * index)
      let transform = try #require(
        StampedTransform(
          header: ROSHeader(stamp: stamp, frame: "map"), child: "camera", .identity))
      // Copying all samples for each new one would take minutes.
      tree.add(transform, isStatic: false)
    }
    #expect(tree.sampleCount == 100_000 && tree.chain(from: "camera") == ["camera", "map"])
  }

  @Test("MCAP: rasters of another size than the map are refused")
  func unequalRasters() throws {
    let other = RasterSize(width: 2, height: 1)
    let changes: [(inout DepthRecord) -> Void] = [
      {
        $0.confidence = ConfidenceMap(
          levels: Raster(size: other, samples: [0, 1]), maximumLevel: 2)
      },
      { $0.sigmaMeters = Raster(size: other, samples: [0, 1]) },
      { $0.inventedPixels = Raster(size: other, samples: [0, 1]) },
      { $0.storedSamples = .uint8(Raster(size: other, samples: [0, 1])) },
    ]
    for change in changes {
      var capture = SampleCaptures.frame(0)
      var depth = try #require(capture.depth)
      change(&depth)
      capture.depth = depth
      let message = DepthFrameMessage(
        header: ROSHeader(stamp: ROSTime(nanosecondCount: 5), frame: "a"), frameName: "b",
        capture: capture, depthImage: nil)
      #expect {
        try DepthFrameMessage(message.bytes[...], topic: "/t")
      } throws: { error in
        let error = error as? CaptureReadingError
        return error?.reason == .malformed && error?.found == "one of \(other)"
      }
    }
  }

  @Test("MCAP: an index that lists metadata twice, or bytes of two chunks, is no index")
  func overlappingIndex() throws {
    var options = MCAPWritingOptions()
    options.compression = .none
    options.chunkBytes = 100
    let output = MemoryOutput()
    var writer = try MCAPWriter(
      file: output.makeFile("a"), profile: "p", library: "l", options: options)
    let channel = try writer.addChannel(topic: "/a", messageEncoding: "m", schemaID: 0)
    for name in ["a", "b"] { try writer.addMetadata(name, ["key": name]) }
    for number in 0..<6 as Range<UInt32> {
      let data = [UInt8](repeating: 1, count: 90)
      try writer.write(
        MCAPMessage(
          channelID: channel, sequence: number, logTime: UInt64(number),
          publishTime: UInt64(number), data: data[...]))
    }
    try writer.finish()
    let sound = try output.folder.bytes(of: "a")
    #expect(try MCAPFile(source: MemoryBytes(sound)).isIndexed)

    let metadata = try records(.metadataIndex, in: sound)
    let chunks = try records(.chunkIndex, in: sound)
    try #require(metadata.count == 2 && chunks.count > 2)
    var twice = withoutSummaryChecksum(sound)
    for index in 0..<16 { twice[metadata[1] + 9 + index] = twice[metadata[0] + 9 + index] }
    var wide = withoutSummaryChecksum(sound)
    // The length of the first chunk's message index, behind four numbers and a map of one channel.
    wide[chunks[0] + 9 + 32 + 4 + 10] = 255
    for bytes in [twice, wide] {
      let file = try MCAPFile(source: MemoryBytes(bytes))
      #expect(!file.isIndexed && file.metadata.map(\.name) == ["a", "b"])
      #expect(try file.messagePlaces().count == 6)
    }
  }

  /// Where the records of a kind begin in the summary.
  private func records(_ opcode: MCAPOpcode, in bytes: [UInt8]) throws -> [Int] {
    let footer = bytes.count - 8 - MCAPLayout.footerBytes
    var cursor = ByteReader(bytes[footer...], endianness: .little)
    var place = Int(try cursor.readUInt64())
    var places: [Int] = []
    while place < footer - MCAPLayout.recordPrefixBytes {
      var record = ByteReader(bytes[place...], endianness: .little)
      if try record.readUInt8() == opcode.rawValue { places.append(place) }
      place += MCAPLayout.recordPrefixBytes + Int(try record.readUInt64())
    }
    return places
  }

  /// The file with a summary checksum of 0, which means that there is none.
  private func withoutSummaryChecksum(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.dropLast(12)) + [0, 0, 0, 0] + bytes.suffix(8)
  }
}
