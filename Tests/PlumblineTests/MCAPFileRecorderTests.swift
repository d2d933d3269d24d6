import PlumblineTestSupport
import Synchronization
import Testing

@testable import Plumbline
@testable import PlumblineExport
@testable import PlumblineIO
@testable import PlumblineRecordings

/// What stays of a recording that could not be finished.
@Suite struct MCAPFileRecorderTests {
  /// Two seconds, so that some frames are stored before the end.
  private static let recorder: MCAPFileRecorder = {
    let frames = SampleCaptures.frames(60)
    let recording = Recording(
      layout: "test",
      frames: frames.enumerated().map {
        RecordedFrame(name: "\($0.offset)", timestampSeconds: $0.element.timestampSeconds)
      }
    ) { index, _ in frames[index] }
    return MCAPFileRecorder(
      ReplaySource(recording, pace: .asFastAsPossible), header: RecordingHeader(origin: "a test"))
  }()

  /// System calls on a disk that never holds more than so many bytes of a file.
  private static func disk(of byteCount: Int) -> FileOperations {
    let room = Mutex(byteCount)
    var operations = FileOperations.system
    operations.write = { file, bytes throws(SystemFailure) in
      let count = room.withLock { room in
        let count = min(room, bytes.count)
        room -= count
        return count
      }
      guard count > 0 else { throw .noSpace }
      return try FileOperations.system.write(
        file, UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    }
    return operations
  }

  @Test(
    "On a full disk a recording without a frame disappears, one with frames stays",
    arguments: [(0, false), (8, false), (700, false), (2_000, false), (150_000, true)])
  func fullDisk(byteCount: Int, staysPartial: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = DiskRecordingFile(
      try AppendedFile(
        path: folder.file("a.mcap"), ballastBytes: 0, operations: Self.disk(of: byteCount)))
    let outcome = try? await Self.recorder.record(into: file)
    if let outcome {
      guard case .writingFailed = outcome.ending else {
        Issue.record("the disk was full")
        return
      }
      #expect(outcome.statistics.storedFrames == 0 || staysPartial)
    }
    #expect(try folder.names() == (staysPartial ? ["a.mcap.partial"] : []))
    guard staysPartial else { return }
    let partial = try CaptureInput.recording(path: folder.file("a.mcap.partial")).recording
    #expect(partial.frames.count >= max(1, outcome?.statistics.storedFrames ?? .max))
  }

  @Test("Frames that lie in the file stay, whatever was said to be stored")
  func takenName() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.mcap")
    let outcome = try await Self.recorder.record(into: path) { _ in
      try? folder.put([1], at: "a.mcap")
    }
    guard case .writingFailed = outcome.ending else {
      Issue.record("the name was taken meanwhile")
      return
    }
    #expect(folder.bytes("a.mcap") == [1])
    let partial = try CaptureInput.recording(path: path + ".partial").recording
    #expect(partial.frames.count == 60)
  }
}
