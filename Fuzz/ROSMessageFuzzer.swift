@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// A recording of messages whose bytes are the input's: one byte for the topic, its highest bit set
/// where the clock goes on afterwards; two for the length (lowest first); the message; and again.
///
/// Whatever they are, opening the recording and reading its first frames, its poses and its motion
/// ends with captures or typed errors.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzROSMessages(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var options = MCAPWritingOptions()
  options.hasDataChecksum = false
  let file = MemoryFile()
  do {
    var writer = try MCAPWriter(file: file, profile: "ros2", library: "fuzz", options: options)
    let channels = try topics.map { topic, name in
      try writer.addChannel(
        topic: topic, messageEncoding: "cdr",
        schemaID: writer.addSchema(name: name, encoding: "ros2msg", data: []))
    }
    var rest = bytes[...]
    var time: UInt64 = 0
    var messages = 0
    while rest.count > 3, messages < 64 {
      let first = rest[rest.startIndex]
      let kind = Int(first & 0x7F) % topics.count
      let length = Int(rest[rest.startIndex + 1]) | Int(rest[rest.startIndex + 2]) << 8
      rest = rest.dropFirst(3)
      try writer.write(
        MCAPMessage(
          channelID: channels[kind], sequence: 0, logTime: time, publishTime: time,
          data: rest.prefix(length)))
      rest = rest.dropFirst(length)
      // Messages of one frame of ours share a log time.
      if first >= 0x80 { time += 1 }
      messages += 1
    }
    try writer.finish()
  } catch {
    preconditionFailure("memory takes everything: \(error)")
  }
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  limits.colorPixels = 1 << 16
  guard let recording = try? Recording(source: MemoryBytes(file.bytes), limits: limits) else {
    return 0
  }
  precondition(!recording.frames.isEmpty, "a recording has frames")
  precondition(Set(recording.frameNames).count == recording.frames.count, "names are unique")
  for index in recording.frames.indices.prefix(4) {
    _ = try? recording.capture(at: index)
  }
  _ = try? recording.motion().samples
  return 0
}

/// Topics and types by the number before a message; the last one makes the recording one of ours.
private let topics = [
  ("/camera/depth/image_raw", ImageMessage.name),
  ("/camera/depth/image_raw/compressedDepth", CompressedImageMessage.name),
  ("/camera/depth/camera_info", CameraInfoMessage.name),
  ("/camera/color/image_raw", ImageMessage.name),
  ("/camera/color/image_raw/compressed", CompressedImageMessage.name),
  ("/tf", TransformMessage.name),
  ("/tf_static", TransformMessage.name),
  ("/imu", ImuMessage.name),
  ("/plumbline/frame", DepthFrameMessage.name),
]

private final class MemoryFile: RecordingFile {
  private(set) var bytes: [UInt8] = []
  var byteCount: Int { bytes.count }

  func append(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }
  func synchronize() {}
  func close() {}
}
