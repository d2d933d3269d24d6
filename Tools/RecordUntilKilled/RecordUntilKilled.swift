import Plumbline
import PlumblineTestSupport

/// Records messages until it is killed, and says after each flush how many are stored.
///
///     RecordUntilKilled PATH SEED
///
/// Message `n` has the sequence `n`, the log time `n` milliseconds and the bytes of ``message``, so
/// that a reader of the file can identify each of them.
@main
enum RecordUntilKilled {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let seed = UInt64(arguments[2]) else {
      fatalError("RecordUntilKilled PATH SEED")
    }
    let file = try DiskRecordingFile(path: arguments[1], ballastBytes: 1 << 20)
    var writer = try MCAPWriter(file: file, library: "RecordUntilKilled")
    let schema = try writer.addSchema(name: "bytes", encoding: "", data: [])
    let channel = try writer.addChannel(topic: "/a", messageEncoding: "", schemaID: schema)
    for number in 0..<UInt32.max {
      try writer.write(RecordedMessages.message(number, channel: channel, seed: seed))
      guard number % 16 == 15 else { continue }
      try writer.flush()
      // One write of one line: a kill cannot cut it.
      print("stored \(writer.storedMessageCount)")
      StandardStream.flush()
    }
  }
}
