import PlumblineModel
import PlumblineRecordings
import PlumblineStreams

extension Capture {
  /// The capture as a recording of one frame (MCAP) in memory, which every verb takes.
  ///
  /// - Parameters:
  ///   - name: The name of the frame.
  ///   - origin: The program and the file that it comes from, in words.
  /// - Returns: The bytes of the file.
  /// - Throws: ``RecordingWritingError`` for what MCAP cannot hold. Cost: O(*n*).
  func recording(named name: String, origin: String) throws(RecordingWritingError) -> [UInt8] {
    let file = RecordingInMemory()
    var writer = try MCAPRecordingWriter(
      file: file, header: RecordingHeader(worldAxes: .unknown, origin: origin))
    try writer.append(self, name: name)
    try writer.finish()
    return file.bytes
  }
}

/// A recording's file that stays in memory.
private final class RecordingInMemory: RecordingFile {
  private(set) var bytes: [UInt8] = []
  var byteCount: Int { bytes.count }
  func append(_ more: ArraySlice<UInt8>) throws(RecordingWritingError) { bytes += more }
  func synchronize() throws(RecordingWritingError) {}
  func close() throws(RecordingWritingError) {}
}
