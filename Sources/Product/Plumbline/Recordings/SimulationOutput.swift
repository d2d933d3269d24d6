import Dispatch
import PlumblineExport
public import PlumblineIO
import PlumblineModel
import PlumblineRecordings
public import PlumblineSimulation
import Synchronization

/// Draws a simulated recording on several threads and stages its files in order.
public struct SimulationOutput: Sendable {
  private let writer: SimulationWriter
  private let threads: Int

  /// Prepares the output.
  ///
  /// - Precondition: One thread at least.
  public init(_ writer: SimulationWriter, threads: Int) {
    precondition(threads >= 1, "\(threads) threads")
    self.writer = writer
    self.threads = threads
  }

  /// Draws all frames and stages their files under a folder.
  ///
  /// At most `threads` frames are in memory at once; the bytes do not depend on their number.
  ///
  /// - Parameters:
  ///   - folder: Where the files go; it and its folder `truth` are made.
  ///   - output: What publishes them.
  ///   - progress: Called with the number of frames done, on the caller's thread.
  /// - Returns: The number of files.
  /// - Throws: What the encoders throw, and what staging throws.
  public func stage(
    in folder: String, _ output: inout OutputTransaction, progress: (Int) -> Void = { _ in }
  ) throws -> Int {
    try output.createDirectory(at: folder)
    try output.createDirectory(at: "\(folder)/truth")
    var recording = try writer.recordingName.map { name in
      let path = try output.reserve(at: "\(folder)/\(name)")
      return try MCAPRecordingWriter(
        file: DiskRecordingFile(path: path, durability: .buffered, ballastBytes: 0),
        header: writer.recordingHeader)
    }
    var frames: [SimulationWriter.FrameFiles] = []
    var count = recording == nil ? 0 : 1
    var start = 0
    while start < writer.recording.frameCount {
      let end = min(start + threads, writer.recording.frameCount)
      for var frame in try draw(start..<end) {
        for file in frame.files { try output.stage(file.bytes, at: "\(folder)/\(file.name)") }
        count += frame.files.count
        if let capture = frame.capture {
          try recording?.append(capture, name: "\(frames.count)")
        }
        // The bytes are on the disk; only what the last files need stays.
        (frame.files, frame.capture) = ([], nil)
        frames.append(frame)
      }
      progress(end)
      start = end
    }
    try recording?.finish()
    let last = writer.finalFiles(frames)
    for file in last { try output.stage(file.bytes, at: "\(folder)/\(file.name)") }
    return count + last.count
  }

  private func draw(
    _ range: Range<Int>
  ) throws(CaptureReadingError) -> [SimulationWriter.FrameFiles] {
    if range.count == 1 { return [try writer.files(ofFrame: range.lowerBound)] }
    let results = Mutex<[Int: Result<SimulationWriter.FrameFiles, CaptureReadingError>]>([:])
    DispatchQueue.concurrentPerform(iterations: range.count) { offset in
      let index = range.lowerBound + offset
      let result = Result { () throws(CaptureReadingError) in try writer.files(ofFrame: index) }
      results.withLock { $0[index] = result }
    }
    let drawn = results.withLock { $0 }
    var frames: [SimulationWriter.FrameFiles] = []
    for index in range {
      if let result = drawn[index] { frames.append(try result.get()) }
    }
    return frames
  }
}
